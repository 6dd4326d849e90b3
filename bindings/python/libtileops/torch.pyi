from collections.abc import Callable, Sequence
from typing import Any

from . import Expr
from . import _torch_ops as ops

__all__ = ["op", "ops"]

def op(function: str | Expr, name: str | None = None, *, grad: Sequence[str] | None = None) -> Callable[..., Any]:
    """An operator of torch of an expression: a text, what `libtileops.expr` gives, or an expression that has a name.

    name: of the operator, libtileops::NAME; else one that follows from the text.
    grad: names of the operands that may require gradients, () for none; else all, where there are derivatives. An operand
        of integers, such as labels, has none: leave it out.
    """
