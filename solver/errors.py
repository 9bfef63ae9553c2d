"""The one error that bad input raises."""


class InputError(ValueError):
    """Input that can't be used; its message is one line that says what is wrong and where."""
