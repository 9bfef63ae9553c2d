"""The one error that bad input raises."""


class Fault:
    """One thing that is wrong with input, for those who say it in other words than the error's message.

    Args:
        code: what is wrong; no two kinds of faults share one.
        values: what the message names, by what it is.
    """

    def __init__(self, code: str, **values: str | int) -> None:
        self.code = code
        self.values = values


class InputError(ValueError):
    """Input that can't be used; its message is one line that says what is wrong and where.

    Args:
        message: the line.
        faults: the same as codes and values, where people type the input and read about it in their own language.
    """

    def __init__(self, message: str = "", *faults: Fault) -> None:
        super().__init__(message)
        self.faults = faults
