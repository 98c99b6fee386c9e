"""What commands and groups of them do beyond typer's: help of flags, and strict options."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from typer.core import TyperCommand, TyperGroup, TyperOption


class PlainCommand(TyperCommand):
    """A command whose help shows no type behind flags, which take no value."""

    def get_params(self, ctx: Any) -> Any:
        """Return the parameters, that of the help included."""
        return _without_types_of_flags(super().get_params(ctx))


class PlainGroup(TyperGroup):
    """A group of commands whose help shows no type behind flags, which take no value."""

    def get_params(self, ctx: Any) -> Any:
        """Return the parameters, that of the help included."""
        return _without_types_of_flags(super().get_params(ctx))


class StrictCommand(PlainCommand):
    """A command whose options with one value are given once at most."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments; an option that is repeated in vain ends the command.

        A list of labels or a site of which nothing counts would leave PHI where it is.
        """
        given = self.make_parser(ctx).parse_args(args=list(args))[2]
        for option, times in Counter(given).items():
            if times > 1 and isinstance(option, TyperOption) and _takes_one_value(option):
                ctx.fail(f"{option.opts[0]} is given {times} times, and takes one value; give one")
        return super().parse_args(ctx, args)


def _without_types_of_flags(parameters: Sequence[Any]) -> Sequence[Any]:
    """Take the types of flags away: typer's ``<bool>`` asks for a value that is refused."""
    for parameter in parameters:
        if isinstance(parameter, TyperOption) and parameter.is_flag:
            parameter.metavar = ""
    return parameters


def _takes_one_value(option: TyperOption) -> bool:
    return not option.multiple and not option.is_flag and not option.count
