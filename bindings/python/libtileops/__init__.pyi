# The package's own names; those of the tables are in the two generated stubs. Arrays are of any library.
from collections.abc import Callable
from typing import Any

from . import jax as jax
from . import torch as torch
from . import tvm_ffi as tvm_ffi
from ._expressions import *
from ._operators import *

__version__: str

class Error(Exception):
    """What the library refuses or cannot do."""
    status: str

class InvalidArgument(Error, ValueError): ...
class Unsupported(Error, TypeError): ...
class DeviceError(Error, RuntimeError): ...
class OutOfMemory(Error, MemoryError): ...

class Operator:
    """An operator of the table, as a function."""
    __name__: str
    operands: tuple[str, ...]
    attributes: tuple[str, ...]
    results: tuple[str, ...]
    signature: str
    def __call__(self, *operands: Any, out: Any = None, dtype: Any = None, stream: int | None = None, **attributes: Any) -> Any: ...
    def foreach(self, *operands: Any, out: Any = None, dtype: Any = None, stream: int | None = None, **attributes: Any) -> Any:
        """The same for each element of lists of arrays, by one call: operands and out are lists; what is none is an operand of all."""

class Expr:
    """An expression, as a function of its operands."""
    __name__: str
    operands: tuple[str, ...]
    scalars: dict[str, int | float]
    results: tuple[str, ...]
    signature: str
    text: str
    def __init__(self, text: str) -> None: ...
    def __call__(self, *operands: Any, out: Any = None, dtype: Any = None, stream: int | None = None, **scalars: float) -> Any: ...
    def foreach(self, *operands: Any, out: Any = None, dtype: Any = None, stream: int | None = None, **scalars: float) -> Any:
        """The same for each element of lists of arrays, by one call: operands and out are lists; what is none is an operand of all."""
    def gradient(self, *operands: str) -> Expr:
        """The gradient with respect to operands, or to all: it takes the operands, then grad_y of each result y."""

class Plan:
    """A function for operands of given dtypes, shapes, strides and device."""
    __name__: str
    operands: tuple[str, ...]
    results: tuple[str, ...]
    layouts: tuple[tuple[str, tuple[int, ...]], ...]
    workspace_bytes: int
    bytes_moved: int
    strategy: str
    kernel: str
    origin: str
    source: str
    def __call__(self, *operands: Any, out: Any = None, stream: int | None = None, **scalars: float) -> Any: ...

def build_info() -> str: ...
def kernel_packs() -> tuple[str, ...]:
    """Files of prebuilt CUDA kernels that plans look in, besides the library's own."""

def names() -> tuple[tuple[str, ...], tuple[str, ...]]: ...
def expr(text: str) -> Expr: ...
def plan(function: Callable[..., Any], *operands: Any, reproducible: bool = False, **named: Any) -> Plan: ...
