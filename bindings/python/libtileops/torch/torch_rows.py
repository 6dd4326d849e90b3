"""The functions of rows of expressions as calls of torch: reductions, scans, what takes elements from other places."""

import math

import torch

from .torch_calls import Opaque, is_number, tensor


def places(x, axes):
    """The dimensions of x that axes from the end are; None: all."""
    return [k for k in range(x.dim()) if axes is None or k - x.dim() in axes]


def _groups(x, at, group):
    """Elements of a group along each of these dimensions."""
    sizes = [group >> 32 * k & 0xffffffff for k in range(len(at))][::-1]
    if is_number(x) or not at or not all(isinstance(x.shape[dim], int) for dim in at):
        raise Opaque  # how many groups there are of an extent that is a symbol torch would have to guard
    return sizes


def _by_groups(call, x, at, group):
    """What call(x, dims) makes of groups, which it sees as dimensions of their own and keeps; the last group along one dimension may be
    shorter."""
    sizes = _groups(x, at, group)
    if len(at) == 1 and x.shape[at[0]] % sizes[0]:
        dim, size = at[0], min(sizes[0], x.shape[at[0]])
        whole = x.shape[dim] - x.shape[dim] % size
        parts = [x.narrow(dim, start, length) for start, length in ((0, whole), (whole, x.shape[dim] - whole)) if length]
        return torch.cat([_by_groups(call, part, at, min(size, part.shape[dim])) for part in parts], dim)
    if any(x.shape[dim] % size for dim, size in zip(at, sizes)):
        raise Opaque
    for dim, size in reversed([*zip(at, sizes)]):
        x = x.unflatten(dim, (x.shape[dim] // size, size))
    y = call(x, [dim + k + 1 for k, dim in enumerate(at)])
    for k, dim in reversed([*enumerate(at)]):
        y = y.flatten(dim + k, dim + k + 1)
    return y


def _reduction(call, several=True):
    def reduced(x, axis=(-1,), group=0, **attributes):
        if is_number(x):
            raise Opaque
        at = places(x, axis)
        if len(at) > 1 and not several:
            raise Opaque
        if group:
            return _by_groups(lambda x, at: call(x, at, **attributes), x, at, group)
        if at:
            return call(x, at, **attributes)
        return call(x.unsqueeze(-1), [x.dim()], **attributes).squeeze(-1)
    return reduced


def _prod(x, at):
    for dim in at:
        x = x.prod(dim, keepdim=True)
    return x


def _scan(call, start=None):
    """start: what there is in front of the first element."""
    def of(x, at, reverse, exclusive):
        x = x.flip(at) if reverse else x
        y = call(x, at[0])
        if exclusive and y.shape[at[0]]:
            y = torch.cat([torch.full_like(y.narrow(at[0], 0, 1), start), y.narrow(at[0], 0, y.shape[at[0]] - 1)], at[0])
        return y.flip(at) if reverse else y

    def scanned(x, axis=(-1,), group=0, reverse="false", exclusive="false"):
        if is_number(x):
            raise Opaque
        at = places(x, axis)
        if not at:
            if exclusive != "false":
                raise Opaque
            return x if x.is_floating_point() else x.long()

        def each(x, at):
            return of(x, at, reverse == "true", exclusive == "true")
        return _by_groups(each, x, at, group) if group else each(x, at)
    return scanned


def _spread(s, x, axis=(-1,), group=0):
    if is_number(x):
        return s
    if group and not is_number(s):
        at = places(x, axis)
        s = s.reshape([1] * (x.dim() - s.dim()) + list(s.shape))
        for dim, size in zip(at, _groups(x, at, group)):
            s = s.unsqueeze(dim + 1).expand(*s.shape[:dim + 1], size, *s.shape[dim + 1:]).flatten(dim, dim + 1).narrow(dim, 0, x.shape[dim])
    return torch.full_like(x, s) if is_number(s) else s.expand(torch.broadcast_shapes(s.shape, x.shape))


def _sum_to(x, y):
    if is_number(x):
        if is_number(y):
            return x
        raise Opaque
    if is_number(y):
        return x.sum()
    x = x.sum(list(range(x.dim() - y.dim()))) if x.dim() > y.dim() else x
    at = [k for k in range(x.dim()) if y.shape[k] == 1 and x.shape[k] != 1]
    return x.sum(at, keepdim=True) if at else x


def _gather(table, *indices, axis=(-1,)):
    if len(indices) != 1 or is_number(table):
        raise Opaque
    index = tensor(indices[0], torch.empty((), dtype=torch.int64, device=table.device)) if is_number(indices[0]) else indices[0].long()
    rank = max(table.dim(), index.dim())
    table, index = (x.reshape([1] * (rank - x.dim()) + list(x.shape)) for x in (table, index))
    at = places(table, axis)
    if len(at) != 1:
        raise Opaque
    extent = table.shape[at[0]]
    inside = (index >= 0) & (index < extent)
    taken = torch.take_along_dim(table, torch.where(inside, index, 0), at[0])
    return torch.where(inside, taken, math.nan if taken.is_floating_point() else 0)


def _index(x, axis=-1):
    at = [] if is_number(x) else places(x, (axis,))
    if not at:
        return 0
    shape = [1] * x.dim()
    shape[at[0]] = x.shape[at[0]]
    return torch.arange(x.shape[at[0]], device=x.device).reshape(shape).expand(x.shape)


def _extent(x, axis=(-1,)):
    return 1 if is_number(x) else math.prod(x.shape[k] for k in places(x, axis))


def _chunk(x, i=None, n=None):
    size = x.shape[-1] // n
    return x[..., i * size:(i + 1) * size]


def _joined(call):
    def join(*values):
        if any(is_number(value) for value in values):
            raise Opaque
        return call(torch.broadcast_tensors(*values))
    return join


CALLS = {
    "sum": _reduction(lambda x, at: torch.sum(x, at, keepdim=True)),
    "mean": _reduction(lambda x, at: torch.mean(x if x.is_floating_point() else x.float(), at, keepdim=True)),
    "amax": _reduction(lambda x, at: torch.amax(x, at, keepdim=True)), "amin": _reduction(lambda x, at: torch.amin(x, at, keepdim=True)),
    "prod": _reduction(_prod), "any": _reduction(lambda x, at: torch.any(x != 0, at, keepdim=True)),
    "all": _reduction(lambda x, at: torch.all(x != 0, at, keepdim=True)),
    "argmax": _reduction(lambda x, at: torch.argmax(x, at[0], keepdim=True), several=False),
    "argmin": _reduction(lambda x, at: torch.argmin(x, at[0], keepdim=True), several=False),
    "var": _reduction(lambda x, at, correction=0: torch.var(x if x.is_floating_point() else x.float(), at, correction=correction, keepdim=True)),
    "cumsum": _scan(torch.cumsum, 0), "cumprod": _scan(torch.cumprod, 1),
    "cummax": _scan(lambda x, dim: torch.cummax(x, dim).values), "cummin": _scan(lambda x, dim: torch.cummin(x, dim).values),
    "spread": _spread, "sum_to": _sum_to, "gather": _gather, "index": _index, "extent": _extent, "chunk": _chunk,
    "every": lambda x, i=None, n=None: x[..., i::n], "concat": _joined(lambda values: torch.cat(values, -1)),
    "interleave": _joined(lambda values: torch.stack(values, -1).flatten(-2)),
}
