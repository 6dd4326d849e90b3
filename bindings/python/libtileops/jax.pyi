from collections.abc import Callable
from typing import Any

from . import Expr

def op(function: str | Expr) -> Callable[..., Any]:
    """A function of JAX's arrays of an expression: a text, what `libtileops.expr` gives, or an expression that has a name.

    It takes an array for each operand, also for those that have a default, and scalars by name. Operands of integers have no
    gradient. vmap calls it once for the batch where the text gives the same that way, else once for each element.
    """
