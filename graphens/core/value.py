"""What the values of this library have in common: once made, they do not change."""

from __future__ import annotations

from typing import Any, NoReturn


class Value:
    """A value whose attributes are set once, when it is made."""

    def _set(self, **fields: Any) -> None:
        """Set attributes of a value that is being made, or keep something it has worked out."""
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        raise AttributeError(
            f"{type(self).__name__} is a value and cannot change; make a new one with another {name}."
        )

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is a value and cannot lose its {name}.")
