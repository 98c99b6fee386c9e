"""Commands refuse an option with two values, of which the first would count for nothing."""

from __future__ import annotations

from collections import Counter
from typing import Any

from typer.core import TyperCommand, TyperOption


class StrictCommand(TyperCommand):
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


def _takes_one_value(option: TyperOption) -> bool:
    return not option.multiple and not option.is_flag and not option.count
