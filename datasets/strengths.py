"""How a set of invoices is divided into levels and how strongly pages are worn: the data files, checked before anything is made (D-8)."""

from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import yaml
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from datasets.draw import apportion
from schemas.edition import private_numbers
from schemas.errors import UsageError, nearest, unknown

FOLDER = Path(__file__).parent / "documents"
WHOLE = 100
LEVELS = ("text", "image", "scan", "photo")


def _ordered(pair: tuple[float, float]) -> tuple[float, float]:
    if pair[0] > pair[1]:
        raise ValueError(f"a range from {pair[0]:g} to {pair[1]:g}: expected the smaller number first")
    return pair


def _range(low: float, high: float) -> Any:
    number = Annotated[float, Field(ge=low, le=high)]
    return Annotated[tuple[number, number], AfterValidator(_ordered)]


class _Strengths(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Scan(_Strengths):
    """Strengths of the level scan; ranges that each document draws from, in the units of `degradation.yaml`."""

    tilt_degrees: _range(0, 5)  # type: ignore[valid-type]  # bounds are values
    shift_mm: _range(0, 8)  # type: ignore[valid-type]
    blur_px: _range(0, 2)  # type: ignore[valid-type]
    paper: _range(150, 255)  # type: ignore[valid-type]
    lid: _range(0, 255)  # type: ignore[valid-type]
    ink: _range(0, 120)  # type: ignore[valid-type]
    noise: _range(0, 30)  # type: ignore[valid-type]
    specks: _range(0, 500)  # type: ignore[valid-type]
    streak_share: float = Field(ge=0, le=1)
    colour_share: float = Field(ge=0, le=1)
    edge_shadow: _range(0, 120)  # type: ignore[valid-type]
    jpeg_quality: _range(10, 95)  # type: ignore[valid-type]


class Photo(_Strengths):
    """Strengths of the level photo; ranges that each document draws from, in the units of `degradation.yaml`."""

    width_px: int = Field(ge=600, le=4000)
    height_px: int = Field(ge=800, le=5000)
    margin: _range(0, 0.2)  # type: ignore[valid-type]
    corner_shift: _range(0, 0.1)  # type: ignore[valid-type]
    turn_degrees: _range(0, 10)  # type: ignore[valid-type]
    curl_px: _range(0, 40)  # type: ignore[valid-type]
    shadow: _range(0, 0.8)  # type: ignore[valid-type]
    uneven: _range(0, 0.6)  # type: ignore[valid-type]
    warmth: _range(-40, 40)  # type: ignore[valid-type]
    blur_px: _range(0, 3)  # type: ignore[valid-type]
    noise: _range(0, 30)  # type: ignore[valid-type]
    jpeg_quality: _range(10, 95)  # type: ignore[valid-type]


class Degradation(_Strengths):
    """The whole file."""

    scan: Scan
    photo: Photo


@cache
def read_degradation(file: Path = FOLDER / "degradation.yaml") -> Degradation:
    """The strengths of scan and photo; UsageError that names file, place and what was expected where one is missing, unknown or out of range."""
    try:
        return Degradation.model_validate(yaml.safe_load(file.read_text(encoding="utf-8")))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(step) for step in first["loc"])
        known = {field for model in (Scan, Photo) for field in model.model_fields}
        hint = nearest(str(first["loc"][-1]), known) if first["type"] == "extra_forbidden" else "."
        raise UsageError(f"{file.name}: {where or 'the file'}: {first['msg'].lower()}{hint}") from error


@cache
def read_shares(file: Path = FOLDER / "levels.yaml") -> dict[str, Fraction]:
    """The share of every level in per cent; UsageError for an unknown level, one that is no share, or shares that do not add up to 100."""
    written = yaml.safe_load(file.read_text(encoding="utf-8"))
    if not isinstance(written, dict) or not written:
        raise UsageError(f"{file.name}: expected a line for each level and its share in per cent.")
    for level, share in written.items():
        if level not in LEVELS:
            raise unknown("level", str(level), LEVELS)
        if isinstance(share, bool) or not isinstance(share, int | float) or share <= 0:
            raise UsageError(f"{file.name}: the share of {level} is {share!r}: expected a number of per cent above 0.")
    shares = {level: Fraction(str(share)) for level, share in written.items()}
    if sum(shares.values()) != WHOLE:
        raise UsageError(
            f"{file.name}: the shares of the levels add up to {float(sum(shares.values())):g}, not to {WHOLE}."
        )
    return shares


def shares_of(levels: tuple[str, ...], size: int) -> dict[str, Fraction]:
    """The shares of the wanted levels, all where none is named (D-8).

    size: pairs of the set. UsageError for a level that the set does not have, and for a size at which some level would have no
    public document, with the smallest size that works.
    """
    shares = read_shares()
    for level in levels:
        if level not in shares:
            raise unknown("level", level, shares)
    wanted = {level: share for level, share in shares.items() if not levels or level in levels}
    if size < (smallest := _smallest(wanted)):
        raise UsageError(
            f"A set of {size} documents a language is too small for its {len(wanted)} levels ({', '.join(wanted)});"
            f" the smallest that works is {smallest}, or name fewer levels, such as --levels {next(iter(wanted))}."
        )
    return wanted


def _smallest(shares: dict[str, Fraction]) -> int:
    """The size from which every level has a public document at every size; a few smaller ones may have one by rounding."""
    size = int(2 * WHOLE / min(shares.values())) + 2
    while size > 1 and _holds(shares, size - 1):
        size -= 1
    return size


def _holds(shares: dict[str, Fraction], size: int) -> bool:
    """Whether every level has a document in the public part."""
    return all(apportion(shares, size - len(private_numbers(size))).values())
