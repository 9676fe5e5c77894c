"""The 13 fields of an invoice (faktura) and the form of its truth (D-6).

American invoices have no tax id (DIČ) and no tax point date (DUZP); there the EIN stands for the company id (IČO), `routing/account`
for the account, sales tax for VAT, the payment reference for the variable symbol (variabilní symbol).

A truth is a dict from field name to the printed value in canonical form, None where the document does not have the field:
text as printed, identifiers canonical (`schemas.ids`), dates `YYYY-MM-DD`, amounts with two decimals and a point (`-1210.00`),
fields by rate as a map from the rate without trailing zeros (`21`, `8.25`) to the amount, currency as ISO 4217 code.
"""

from schemas.fields import Field

FIELDS: tuple[Field, ...] = (
    Field(name="supplier", kind="text"),
    Field(name="company_id", kind="identifier"),
    Field(name="tax_id", kind="identifier", languages=("cs",)),
    Field(name="document_number", kind="identifier"),
    Field(name="variable_symbol", kind="identifier"),
    Field(name="issue_date", kind="date"),
    Field(name="tax_point_date", kind="date", languages=("cs",)),
    Field(name="due_date", kind="date"),
    Field(name="tax_base_by_rate", kind="rates"),
    Field(name="tax_by_rate", kind="rates"),
    Field(name="total", kind="amount"),
    Field(name="currency", kind="currency"),
    Field(name="account", kind="account"),
)

VARIANTS = ("ordinary", "non_payer", "advance", "credit_note", "foreign_currency")
"""D-7: ordinary, not a VAT payer (neplátce DPH), advance invoice (zálohová faktura), credit note (dobropis), foreign currency."""
