"""Numbers as files and texts have them: in decimals, and no more of them than matter."""


def decimals(value: float, digits: int) -> str:
    """A number with at most so many digits after the point, and no zeros at their end."""
    text = f"{value:.{digits}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
