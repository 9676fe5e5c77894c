"""Identifiers of Czech and American documents: one module a number, the same names in each.

Every module offers `validate(text) -> str` (the canonical form, or `InvalidIdentifier`), `is_valid(text) -> bool`,
`format(text) -> str` (the way it is printed) and `draw(random) -> str` (a valid one, in canonical form).

- `ico`, `dic`, `rc`, `account`, `iban`: Czech (D-4).
- `ein`, `ssn`, `aba`: American (D-4, D-5).
- `errors`: the one exception; `assigned`: the codes that an authority has given out, from the `.txt` files beside it.

White space of every kind is ignored on reading, letters may be small, digits are ASCII (D-11). Validity is a matter
of form: no module asks a register or the clock, so a valid number may belong to nobody, or to somebody (D-5).
Nothing here knows documents, persons or answers of systems.
"""
