"""Whole numbers as they are typed, of any length."""


def whole_number(digits: str, most: int) -> int | None:
    """The number that digits stand for; None where it is greater than it may be.

    Args:
        digits: one or more of 0 to 9.
        most: the greatest that it may be.
    """
    significant = digits.lstrip("0") or "0"
    # By its length first, since Python does not turn thousands of digits into an int.
    if len(significant) > len(str(most)) or int(significant) > most:
        return None
    return int(significant)
