"""The seven list fields of a text with personal data and the form of its truth (D-1, D-10, D-12).

A truth is a dict: each field is the list of its values in the order of the text, empty where the text has none. Names, e-mails, telephones,
addresses and national ids (rodná čísla, SSN) stand as written, with plain spaces; dates of birth as `YYYY-MM-DD`; accounts as
`prefix-number/bank` or as the IBAN that is written, American ones as `routing/account`. Beside them stand

- `base_forms`: a map from an inflected Czech name as written to its base form;
- `not_personal`: a map from a kind of `NOT_PERSONAL` to the values of that kind that stand in the text.
"""

from schemas.fields import Field

FIELDS: tuple[Field, ...] = (
    Field(name="names", kind="text", is_list=True),
    Field(name="emails", kind="identifier", is_list=True),
    Field(name="phones", kind="phone", is_list=True),
    Field(name="addresses", kind="address", is_list=True),
    Field(name="birth_dates", kind="date", is_list=True),
    Field(name="national_ids", kind="national_id", is_list=True),
    Field(name="accounts", kind="account", is_list=True),
)

FIELD_OF = {
    "email": "emails",
    "phone": "phones",
    "address": "addresses",
    "born": "birth_dates",
    "rc": "national_ids",
    "account": "accounts",
}
"""Attributes of a person, by the field that lists them."""

VARIANTS = ("record", "ticket", "minutes", "email")
"""D-10: personnel record (personální záznam), ticket (požadavek), minutes of a meeting (zápis z jednání), e-mail."""

LAYOUTS = ("sentences", "lines", "mixed")
"""How a person's data stand in the text: in sentences, in labelled lines, some here and some there."""

NOT_PERSONAL = {
    "company_name": "A name of a company, also one made from a surname.",
    "company_id": "IČO or EIN of an organization.",
    "general_email": "A shared mailbox of an organization, such as info@.",
    "switchboard": "A common telephone of an organization: switchboard, reception, information line.",
    "company_address": "The address of an organization: registered office, place of business.",
    "company_account": "A bank account of an organization.",
    "reference": "A number of a file, an order or a machine in the very shape of a rodné číslo or an SSN.",
    "order": "A plain number of an order or a request.",
    "other_date": "A date that is no date of birth.",
    "named_after": "A name in the name of a hall, a school, a fund or a square, and no person of the text.",
    "person_street": "A street that bears the name of a person.",
}
"""Kinds of what looks like personal data and is none (D-10), each with what it is."""
