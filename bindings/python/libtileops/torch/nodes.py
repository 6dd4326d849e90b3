"""What follows from the nodes of an expression, without its operands."""

# Results of these are integers or bool, whatever they are given.
_INTEGRAL = {"lt", "le", "gt", "ge", "eq", "ne", "logical_and", "logical_or", "logical_xor", "logical_not", "isnan", "isinf", "isfinite",
             "any", "all", "argmax", "argmin", "index", "dropout_mask", "scatter_add", "bitwise_and", "bitwise_or", "bitwise_xor",
             "bitwise_not", "bitwise_left_shift", "bitwise_right_shift"}
# These give integers where they are given nothing else.
_KEEPING = {"neg", "abs", "add", "sub", "mul", "sum", "prod", "amax", "amin", "cumsum", "cumprod", "cummax", "cummin", "where", "maximum",
            "minimum", "clamp", "concat", "chunk", "every", "spread", "detach", "floor_divide", "remainder"}


def integral_results(expr):
    """For each result: is it of integers or bool, whatever the operands are? It has no gradient then."""
    nodes, results = expr._nodes
    integral = []
    for name, what, *rest in nodes:
        if name in ("operand", "scalar"):
            integral.append(False)
        elif name == "constant":
            integral.append(not isinstance(what, float))
        elif name == "cast":
            integral.append("int" in rest[0].get("dtype", "") or rest[0].get("dtype") == "bool")
        else:
            values = what[1:] if name == "where" else what
            integral.append(name in _INTEGRAL or name in _KEEPING and not rest[1] and all(integral[k] for k in values if k >= 0))
    return tuple(integral[k] for k in results)
