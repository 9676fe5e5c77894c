"""Parts of the role-play's chapter by hand: labels of the plot, places that are shown, lines of the table of filters, names by language."""

import re

from hypothesis import given
from hypothesis import strategies as st

from profiles.filters import FilterLine
from profiles.report.material import Section
from profiles.report.play_cards import Card, Mention, excerpts
from profiles.report.play_plot import LINE_HEIGHT, Point, labels, scatter
from profiles.report.play_tables import PlayTables
from profiles.report.texts import LANGS, read_texts, same
from schemas.system import System

share = st.sampled_from([0.0, 0.02, 0.5, 0.52, 0.55, 0.979, 1.0])
points = st.lists(
    st.builds(Point, st.sampled_from(["a", "bb", "ccc", "dddd"]), st.sampled_from(["cs", "en"]), share, share),
    max_size=8, unique_by=lambda p: (p.system, p.language),
)  # fmt: skip


@given(points)
def test_no_label_of_the_plot_lies_over_another(found: list[Point]) -> None:
    """Every system in every language is named once, and names on one side are a line apart."""
    placed = labels(found)
    for at, (_, _, level, side) in enumerate(placed):
        assert all(abs(level - other) >= LINE_HEIGHT for _, _, other, where in placed[at + 1 :] if where == side)
    named = [
        (m[1], lang)
        for label, *_ in placed
        if (m := re.fullmatch(r"(\w+) \((.+)\)", label))
        for lang in m[2].split(", ")
    ]
    assert sorted(named) == sorted((p.system, p.language) for p in found)


def test_systems_in_one_place_share_their_point_and_not_their_label() -> None:
    found = [Point(name, language, 1.0, 1.0) for name in ("alfa", "beta") for language in ("cs", "en")]
    placed = labels(found)
    assert [(label, y, is_right) for label, _, y, is_right in placed] == [
        ("alfa (cs, en)", 100, True), ("beta (cs, en)", 100 - LINE_HEIGHT, True),
    ]  # fmt: skip
    for lang in LANGS:
        drawn = scatter(found, lang, "s")
        assert drawn.count("alfa (cs, en)") == drawn.count("beta (cs, en)") == 1


def mention(item: str, mark: str, quote: str, judge: str = "j", value: str = "x") -> Mention:
    return Mention(f"{judge}-{item}", judge, item, same(item), same(value), mark, (quote,), None, (1,))


def card(
    name: str, *mentions: Mention, system: str = "x", disputed: tuple[Mention, ...] = (), is_compared: bool = True
) -> Card:
    told = ((same("T1"), disputed),) if disputed else ()
    return Card(name, system, same(name), "cs", (), (), mentions, (), told, is_compared)


def test_places_are_four_of_a_system_from_as_many_items_and_runs_as_there_are() -> None:
    """R-12: R before L7 before T; other items and runs first; a run that is not compared gives none."""
    rich = [mention(f"R{n}", "right", f"místo {n}") for n in range(1, 7)]
    one, two = (
        card("jedna", *rich),
        card("dvě", mention("R1", "right", "jinde"), mention("L7@01", "event", "laskavost")),
    )
    strong, weak = excerpts([one, two, card("tři", mention("R1", "right", "nic"), is_compared=False)])
    assert len(strong) == 4
    assert len({e.mention.item for e in strong}) == 4
    assert {e.card.id for e in strong} == {"jedna", "dvě"}
    assert weak == []
    strong, weak = excerpts([card("a", mention("T5", "wrong", "kecal"), mention("L8@01", "event", "hrál za ni"))])
    assert ([e.quote for e in weak], strong) == (["hrál za ni", "kecal"], [])
    both_systems, _ = excerpts([one, card("čtyři", *rich, system="y")])
    assert [e.card.system for e in both_systems] == ["x"] * 4 + ["y"] * 4


def test_places_that_judges_contest_are_left_out_unless_the_fit_ones_agree() -> None:
    """S-5: of three judges one is far off; where the other two are decisive they say the same, and their place is shown."""
    said = [
        mention("T1", "wrong", "ustoupil", "fit", "0"), mention("T1", "wrong", "couvl", "other", "0"),
        mention("T1", "right", "stál", "mild", "2"),
    ]  # fmt: skip
    contested = card("a", *said, disputed=tuple(said))
    assert excerpts([contested]) == ([], [])
    strong, weak = excerpts([contested], {"fit", "other"})
    assert (strong, [e.mention.judge for e in weak]) == ([], ["fit", "other"])
    assert excerpts([contested], {"fit", "mild"}) == ([], [])


def test_a_system_that_no_filter_stopped_has_one_line() -> None:
    """M-6: message by message only where a filter stopped something; the sums of the others stand in one line."""
    entry = {"vendor": "v", "family": "f", "client": "recorded", "suites": (), "inputs": ("text",)}
    systems = {name: System.model_validate({"id": name, "name": name, **entry}) for name in ("a", "b")}
    lines = [FilterLine("a", "P", turn, 0, 2, 0) for turn in range(1, 15)]
    lines += [FilterLine("b", "P", turn, int(turn == 5), 2 - (turn > 4), int(turn > 5)) for turn in range(1, 15)]
    section = Section("roleplay", "e1", (), systems, (), 0, filters=tuple(lines))
    table = PlayTables(section, ["a", "b"], []).filters()
    assert table is not None
    told = [(line.heading.en, *(cell.value.en for cell in line.cells if cell.value)) for line in table.lines]
    assert told[0] == ("a, P, all messages", "0", "28", "0")
    assert len(told) == 1 + 14
    assert told[5] == ("b, P, message 4", "1", "1", "0")
    assert told[14] == ("b, P, message 13", "0", "1", "1")


def test_texts_of_the_chapter_are_there_in_both_languages() -> None:
    """The same keys, and no Czech text equal to its English one but for what is the same in both."""
    czech, english = (read_texts(lang) for lang in LANGS)
    keys = [key for key in czech if key.startswith("play")]
    assert keys
    alike = {
        key
        for key in keys
        if czech[key] == english[key] and re.search(r"[a-z]{4,}", re.sub(r"\{\w+\}", "", str(czech[key])))
    }
    assert alike <= {"play.column.bonus"}
