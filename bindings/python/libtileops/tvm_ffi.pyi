from typing import Any

__all__ = ["expr", "library"]

def expr(text: str) -> Any:
    """The function of a text, a tvm_ffi.Function, that is called with results, operands and scalars."""

def library() -> str:
    """The file of the side library, for programs that load it themselves: its function `expr` takes a text."""
