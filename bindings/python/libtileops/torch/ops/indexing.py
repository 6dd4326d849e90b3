"""torch's functions that take elements by their places. An index that is outside gives NaN, of integers 0, where torch raises."""

from .texts import dimension, operator


def _taken(x, index, axis, key="gather", place="i"):
    # The library has the gradient of one element a row, which is what labels take; of more there is none.
    key, grad = (f"{key}_one", ("x",)) if index.shape[axis] == 1 else (key, ())
    return operator(key, f"(x, i) -> gather(x, {place}, axis = AXES)", grad, (axis,))(x, index)


def gather(input, dim, index):
    """torch.gather; a gradient where the index has the extent 1 along the dimension."""
    if input.dim() != index.dim():
        raise RuntimeError(f"index: has {index.dim()} dimensions, and the input {input.dim()}")
    rank, dim = input.dim(), dimension(dim, input.dim())
    if rank == 0:
        return _taken(input.reshape(1), index.reshape(1), -1).reshape(())
    for d in range(rank):
        if d != dim and index.shape[d] != input.shape[d]:
            input = input.narrow(d, 0, index.shape[d])
    return _taken(input, index, dim - rank)


def take_along_dim(input, indices, dim=None):
    """torch.take_along_dim; a gradient where there is one index along the dimension."""
    if dim is None:
        input, indices, dim = input.reshape(-1), indices.reshape(-1), -1
    if input.dim() != indices.dim():
        raise RuntimeError(f"indices: have {indices.dim()} dimensions, and the input {input.dim()}")
    axis = dimension(dim, input.dim()) - input.dim()
    return _taken(input, indices, axis, "take_along_dim", "where(i < 0, i + extent(x, AXES), i)")


def index_select(input, dim, index):
    """torch.index_select, without a gradient."""
    if index.dim() > 1:
        raise IndexError("index: has more than one dimension")
    rank, dim = input.dim(), dimension(dim, input.dim())
    if rank == 0:
        return _picked(input.reshape(1), index.reshape(-1), -1).reshape(())
    return _picked(input, index.reshape(-1, *[1] * (rank - 1 - dim)), dim - rank)


def embedding(input, weight, padding_idx=None):
    """torch.nn.functional.embedding, without a gradient, which is what padding_idx is for."""
    if weight.dim() != 2:
        raise RuntimeError("weight: is no table of rows")
    return _picked(weight, input.reshape(-1, 1), -2).reshape(*input.shape, weight.shape[1])


def _picked(x, index, axis):
    return operator("index_select", "(x, i) -> gather(x, i, axis = AXES)", (), (axis,))(x, index)
