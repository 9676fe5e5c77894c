"""One e-mail to a supplier: what its messages say, and the truth that follows from them (D-3, D-9).

Readings chosen where the rules are silent (G-14):
- The customer is the company in whose name the message is signed, else the person who signed it.
- In a thread nothing is taken from the older messages, not even what the newest one leaves out.
- The words of a colleague above a forwarded message say nothing of the fields.
- The amount is the total that the message is about; the price of a piece, postage and the like are none.
- The currency belongs to the amount; without an amount there is none.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from random import Random
from typing import Any

from datasets.synth.companies import Party, draw_party
from datasets.synth.deadline import Deadline
from datasets.synth.email_body import Content, bind, deadline_values, finish, number_noun, print_day, write_body
from datasets.synth.email_mail import Mail, Program, Writer, address, domain_of, draw_writer, sign
from datasets.synth.email_plan import EmailPlan, ForwardPlan, MessagePlan, ThreadPlan
from datasets.synth.formats import print_number
from datasets.synth.grammar import Speech, Value
from datasets.synth.phrasebook import Phrasebook, read_phrasebook
from datasets.synth.priority import Facts, decide
from datasets.synth.vocabulary import read
from schemas.emails import WORDS, word
from schemas.fields import OTHER_DATES

_HOME = {"cs": "CZK", "en": "USD"}


@dataclass(frozen=True)
class Email:
    """A document and its truth (`schemas.emails`)."""

    text: str
    truth: Mapping[str, Any]


@dataclass(frozen=True)
class _Said:
    """A message of a customer: its subject and paragraphs, and the values that it says."""

    subject: str
    paragraphs: list[str]
    order: str | None
    invoice: str | None
    amount: Decimal | None
    currency: str | None
    dates: list[date]


@dataclass(frozen=True)
class _Scene:
    """Who and what a document is drawn with; orders, invoices: the forms of the supplier's numbers."""

    random: Random
    book: Phrasebook
    plan: EmailPlan
    program: Program
    customer: Writer
    ours: Writer
    desk: str
    orders: str
    invoices: str


def draw_email(random: Random, plan: EmailPlan, language: str) -> Email:
    """Draw one e-mail of a pair in one language."""
    book = read_phrasebook(language)
    trades = sorted(read("goods"))
    supplier = draw_party(random, language, plan.trade)
    party = draw_party(random, language, random.choice(trades))
    while party.name == supplier.name:
        party = draw_party(random, language, random.choice(trades))
    domain = domain_of(supplier)
    desk = address(random, supplier.name, f"{random.choice(read('mailers')['desks'][language])}@{domain}", named=0.3)
    customer = draw_writer(random, book, party, for_company=plan.is_company)
    ours = draw_writer(random, book, supplier, for_company=True, roles="our_roles")
    forms = [str(random.choice(read("mailers")[kind][language])) for kind in ("orders", "invoices")]
    scene = _Scene(random, book, plan, Program(book, plan.program), customer, ours, desk, *forms)
    said = _say(scene, plan.message, lead=plan.thread is not None)
    if plan.thread:
        text, others = _thread(scene, said, plan.thread)
    elif plan.forward:
        text, others = _forward(scene, said, plan.forward, supplier)
    else:
        text, others = _alone(scene, said)
    return Email(text=text, truth=_truth(scene, said, others))


def _alone(scene: _Scene, said: _Said) -> tuple[str, list[date]]:
    subject = _subject(scene, said)
    text = _letter(scene, said, "long" if scene.plan.form == "signature" else "short")
    sent = scene.plan.message.sent
    mail = Mail(address(scene.random, scene.customer.name, scene.customer.email), scene.desk, sent, subject, text)
    return scene.program.document(mail), [sent.date()]


def _thread(scene: _Scene, said: _Said, thread: ThreadPlan) -> tuple[str, list[date]]:
    """The newest message, the supplier's answer that it follows, the customer's first message."""
    plan, random, program = scene.plan, scene.random, scene.program
    first = _say(scene, thread.first)
    subject = program.re + first.subject
    customer = address(random, scene.customer.name, scene.customer.email)
    us = address(random, scene.ours.name, scene.ours.email, named=0.8)
    older = [
        Mail(us, customer, thread.answered, subject, _answer(scene, thread)),
        Mail(customer, scene.desk, thread.first.sent, first.subject, _letter(scene, first, "name")),
    ]
    newest = Mail(customer, us, plan.message.sent, subject, _letter(scene, said, "short"))
    days = [
        plan.message.sent.date(),
        thread.answered.date(),
        thread.first.sent.date(),
        thread.promise.day,
        *first.dates,
    ]
    if thread.first.deadline:
        days.append(thread.first.deadline.day)
    return program.document(newest, program.thread(older)), days


def _forward(scene: _Scene, said: _Said, forward: ForwardPlan, supplier: Party) -> tuple[str, list[date]]:
    """A colleague's note above the customer's message."""
    random, program, book, sent = scene.random, scene.program, scene.book, scene.plan.message.sent
    colleague = draw_writer(random, book, supplier, for_company=True, roles="our_roles")
    subject = _subject(scene, said)
    customer = address(random, scene.customer.name, scene.customer.email)
    original = Mail(customer, scene.desk, sent, subject, _letter(scene, said, "short"))
    speech = Speech(_promise(scene, forward.promise), "woman" if colleague.is_woman else "man", "f")
    lines = [random.choice(book.lists["note"]).say(random, speech)]
    if forward.promise:
        lines.append(random.choice(book.lists["note_by"]).say(random, speech))
    words = _after_comma(finish(lines, book.language), book.language)
    note = "\n\n".join([random.choice(book.frames["note_salutation"]), words, sign(random, book, colleague, "ours")])
    from_ = address(random, colleague.name, colleague.email, named=0.8)
    to = address(random, scene.ours.name, scene.ours.email)
    above = Mail(from_, to, forward.sent, program.fw + subject, note)
    days = [sent.date(), forward.sent.date(), *([forward.promise.day] if forward.promise else [])]
    return program.document(above, program.forwarded(original)), days


def _letter(scene: _Scene, said: _Said, signature: str) -> str:
    """Salutation, paragraphs, signature."""
    random, frames = scene.random, scene.book.frames
    salutation = random.choice(frames["salutation"])
    paragraphs = list(said.paragraphs)
    paragraphs[0] = _after_comma(paragraphs[0], scene.book.language)
    signed = sign(random, scene.book, scene.customer, signature)
    return "\n\n".join(
        [salutation, *paragraphs, f"{bind(random.choice(frames['signoff']), scene.book.language)}\n{signed}"]
    )


def _answer(scene: _Scene, thread: ThreadPlan) -> str:
    """The supplier's answer to the customer's first message."""
    random, book = scene.random, scene.book
    values = {**_promise(scene, thread.promise), "old_order": _number(random, scene.orders, thread.first.sent.date())}
    noun, gender = _goods(scene, thread.first)
    speech = Speech({**values, "goods": noun}, "we", gender)
    lines = [random.choice(book.lists["reply"]).say(random, speech)]
    if random.random() < 0.6:
        lines.append(random.choice(book.lists["reply_more"]).say(random, speech))
    salutation = random.choice(book.frames["salutation"][:3])
    body = _after_comma(finish(lines, book.language), book.language)
    signed = sign(random, book, scene.ours, "ours")
    return "\n\n".join([salutation, body, f"{bind(random.choice(book.frames['signoff']), book.language)}\n{signed}"])


def _after_comma(text: str, language: str) -> str:
    """A first paragraph as it goes on after a salutation: in Czech with a small letter, but for words that have a capital."""
    if language == "en" or text.startswith(("Vaš", "Vám", "Vás")) or not (text[1].islower() or text[1] in "\u00a0-"):
        return text
    return text[0].lower() + text[1:]


def _promise(scene: _Scene, promise: Deadline | None) -> dict[str, Value]:
    """How the supplier's own deadline is said, where there is one."""
    return {} if promise is None else {"promise_by": deadline_values(scene.random, scene.book, promise)["by"]}


def _goods(scene: _Scene, message: MessagePlan) -> tuple[Value, str]:
    kinds = scene.book.goods[scene.plan.trade]
    return kinds[message.goods % len(kinds)]


def _subject(scene: _Scene, said: _Said) -> str:
    """The subject, with the number of the order in some."""
    if said.order is None or scene.random.random() >= 0.25:
        return said.subject
    form = str(scene.random.choice(scene.book.frames["subject_order"]))
    noun = number_noun(scene.book, "order", said.order)
    case = "bare" if "{order.bare}" in form else "nom"
    return form.replace("{subject}", said.subject).replace("{order.bare}", "{order}").replace("{order.nom}", "{order}").replace(
        "{order}", noun.say(case, scene.random)
    )  # fmt: skip


def _say(scene: _Scene, message: MessagePlan, *, lead: bool = False) -> _Said:
    """Draw the values of a message and write it."""
    random, book = scene.random, scene.book
    language, day = book.language, message.sent.date()
    order, old_order = (_number(random, scene.orders, day) for _ in range(2))
    invoice, old_invoice = (_number(random, scene.invoices, day) for _ in range(2))
    currency = "EUR" if message.is_euro else _HOME[language]
    amount = _amount(random, message, currency)
    past = day - timedelta(days=random.randint(31, 75))
    noun, gender = _goods(scene, message)
    values: dict[str, Value] = {
        "goods": noun,
        "qty": str(random.randint(5, 12 if scene.customer.party is None else 60)),
        "old_order": old_order,
        "old_invoice": old_invoice,
        "price": _print_amount(
            random, book, Decimal(random.randint(49, 1900)) / (1 if language == "cs" else 10), _HOME[language]
        ),
        "past": print_day(random.choice(book.frames["dates"]), past, book.frames),
        "order": number_noun(book, "order", order),
        "invoice": number_noun(book, "invoice", invoice),
        "amount": "" if amount is None else _print_amount(random, book, amount, currency),
    }
    said = {"order": message.has_order, "invoice": message.has_invoice, "amount": amount is not None}
    content = Content(
        message.category, message.sentiment, scene.customer.voice, gender, values, frozenset(k for k, v in said.items() if v),
        message.deadline, sorted(message.distractors), message.n_details,
    )  # fmt: skip
    paragraphs = write_body(random, book, content, book.lists["thread_opening"] if lead else ())
    subject_template = random.choice(book.situations[message.category]["subject"])
    subject = finish([subject_template.say(random, Speech(values, "we", gender))], "en").removesuffix(".")
    return _Said(
        subject, paragraphs, order if message.has_order else None, invoice if message.has_invoice else None, amount,
        None if amount is None else currency, [past] if "date" in message.distractors else [],
    )  # fmt: skip


def _amount(random: Random, message: MessagePlan, currency: str) -> Decimal | None:
    """An amount of the size that the plan wants; exactly the limit where the plan says so."""
    if message.amount is None:
        return None
    limit = Decimal(WORDS["limits"][currency])
    size = limit * message.amount.numerator / message.amount.denominator
    if message.amount == 1:
        return size.quantize(Decimal("0.01"))
    spread = (size * Decimal(random.randint(-25, 25)) / 1000).quantize(Decimal(1))
    cents = random.choice([Decimal(0), Decimal(0), Decimal(random.randint(1, 99)) / 100])
    return (size.quantize(Decimal(1)) + spread + cents).quantize(Decimal("0.01"))


def _print_amount(random: Random, book: Phrasebook, amount: Decimal, currency: str) -> str:
    form = str(random.choice(book.frames["amounts"][currency]))
    is_whole = amount == amount.to_integral_value()
    is_short = is_whole and (form[-1].islower() or random.random() < 0.7)  # nobody writes "976.00 dollars"
    number = print_number(amount.quantize(Decimal(1 if is_short else "0.01")), book.language)
    return form.format(a=number)


def _number(random: Random, form: str, day: date) -> str:
    year = day.year - (random.random() < 0.1)
    return form.format(y=year, yy=f"{year % 100:02}", n=random.randint(11, 9899), big=random.randint(12000, 98999))


def _truth(scene: _Scene, said: _Said, others: list[date]) -> dict[str, Any]:
    """The nine fields in canonical form, and the further dates of the document."""
    message, language = scene.plan.message, scene.book.language
    deadline = message.deadline
    days = None if deadline is None else (deadline.day - message.sent.date()).days
    priority = decide(Facts(message.category, message.sentiment, days, said.amount, said.currency))
    further = {*others, *said.dates} - ({deadline.day} if deadline else set())
    return {
        "category": word("categories", message.category, language),
        "priority": word("priorities", priority, language),
        "sentiment": word("sentiments", message.sentiment, language),
        "customer": scene.customer.customer,
        "order_number": said.order,
        "invoice_number": said.invoice,
        "amount": None if said.amount is None else f"{said.amount:.2f}",
        "currency": said.currency,
        "deadline": deadline.day.isoformat() if deadline else None,
        OTHER_DATES: sorted(day.isoformat() for day in further),
    }
