"""The one exception that the validators of identifiers raise."""


class InvalidIdentifier(ValueError):  # noqa: N818 - the name says what it is about, as `InvalidOperation` does
    """An identifier that breaks a rule; its message is one sentence with the rule and the value.

    `kind` is the name of the module that refused (`ico`, `rc`, …), `value` the text as it was given,
    `rule` the broken rule as a clause.

    >>> error = InvalidIdentifier("ico", "1234", "it must have exactly 8 digits")
    >>> str(error)
    "ico '1234' is refused: it must have exactly 8 digits."
    >>> error.kind, error.value, error.rule
    ('ico', '1234', 'it must have exactly 8 digits')
    """

    def __init__(self, kind: str, value: str, rule: str) -> None:
        super().__init__(kind, value, rule)  # all three, so that the error survives pickling
        self.kind = kind
        self.value = value
        self.rule = rule

    def __str__(self) -> str:
        return f"{self.kind} {self.value!r} is refused: {self.rule}."
