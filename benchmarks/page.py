"""The page."""


def write_page() -> None:
    """Not yet."""
