"""Attributes that are computed on first use, without locks; and what an object has besides."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

T_co = TypeVar("T_co", covariant=True)


class lazy(Generic[T_co]):  # noqa: N801 (a decorator, as `property`)
    """A property that is computed on first use and kept in the instance.

    Before Python 3.12, `functools.cached_property` holds a lock of the class: threads wait
    for each other, and a process that is forked meanwhile waits for ever. Here, two threads
    may both compute a value, so it must be the same for both.
    """

    def __init__(self, compute: Callable[[Any], T_co]) -> None:
        self._compute = compute
        self.__doc__ = compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...

    @overload
    def __get__(self, instance: object, owner: type) -> T_co: ...

    def __get__(self, instance: object | None, owner: type) -> Self | T_co:
        if instance is None:
            return self
        # From now on the instance's own attribute hides this one, which sets nothing.
        return instance.__dict__.setdefault(self._name, self._compute(instance))  # type: ignore[no-any-return]


def without_lazy(instance: object) -> dict[str, Any]:
    """Return the attributes of an instance but the `lazy` ones, which are computed again."""
    kind = type(instance)
    return {
        name: value
        for name, value in vars(instance).items()
        if not isinstance(getattr(kind, name, None), lazy)
    }
