"""Arrays of JAX, by DLPack, and expressions within its programs: jit, grad, vmap, shard_map; what GPUs get."""

import ctypes
import os
import subprocess
import sys
import unittest

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec

import libtileops as to
from libtileops.jax import op

jax.config.update("jax_num_cpu_devices", 2)  # before there are any arrays

try:
    GPUS = jax.devices("cuda")
except RuntimeError:
    GPUS = []
x = jnp.linspace(-3, 3, 24).reshape(4, 6)


class Jax(unittest.TestCase):
    def test_calls(self):
        y = to.softmax(x)
        self.assertIsInstance(y, jax.Array)
        np.testing.assert_allclose(y, jax.nn.softmax(x), rtol=1e-6)
        centred, mean = to.expr("(x[.., n]) -> { m = mean(x); x - m, m }")(x)
        np.testing.assert_allclose(centred + mean, x, atol=1e-6)
        del y
        self.assertEqual(float(to.add(jnp.float32(1), 2.0)), 3.0)

    def test_element_types(self):
        for dtype in (jnp.bfloat16, jnp.float16, jnp.float8_e4m3fn, jnp.float8_e5m2, jnp.int32, jnp.uint8):
            a = jnp.arange(6).astype(dtype)
            y = to.neg(a) if dtype is not jnp.uint8 else to.add(a, a)
            self.assertEqual(y.dtype, dtype)
            np.testing.assert_array_equal(np.asarray(y, np.float32), np.asarray(-a if dtype is not jnp.uint8 else a + a, np.float32))

    def test_arrays_never_change(self):
        with self.assertRaisesRegex(to.InvalidArgument, "neg: out: is read-only"):
            to.neg(x, out=jnp.zeros_like(x))

    def test_traces_are_not_seen_through(self):
        with self.assertRaises(Exception):
            jax.jit(to.neg)(x)


NORM = "(x[.., n], w[n]; eps = 1e-6) -> x * rsqrt(mean(x * x) + eps) * w"
w = jnp.linspace(0.5, 2, 6)


def reference(x, w, eps=1e-6):
    return x * jax.lax.rsqrt((x * x).mean(-1, keepdims=True) + eps) * w


class Programs(unittest.TestCase):
    def test_one_plan(self):
        """JAX compiles a program for each batch, and the library plans for the first ones alone. It says what it plans."""
        program = """if True:
            import jax.numpy as jnp, libtileops.jax
            norm = libtileops.jax.op("(x[.., n], w[n]) -> x * rsqrt(mean(x * x) + 1e-6) * w")
            for n in range(20):
                norm(jnp.ones((n * 7 % 20, 8)), jnp.ones(8)).block_until_ready()"""
        done = subprocess.run([sys.executable, "-c", program], env={**os.environ, "TILEOPS_LOG": "info"}, check=True,
                              capture_output=True, text=True)
        self.assertLessEqual(done.stderr.count("info: plan: "), 3, done.stderr)

    def test_jit(self):
        norm = op(NORM)
        np.testing.assert_allclose(norm(x, w), reference(x, w), rtol=1e-5)
        f = jax.jit(lambda x, w: jnp.tanh(norm(x * 2, w, eps=0.5)))
        np.testing.assert_allclose(f(x, w), jnp.tanh(reference(x * 2, w, 0.5)), rtol=1e-5)
        np.testing.assert_allclose(f(x[:2], w), jnp.tanh(reference(x[:2] * 2, w, 0.5)), rtol=1e-5)
        self.assertEqual(f.lower(x, w).as_text().count("libtileops_expr"), 1)
        np.testing.assert_array_equal(jax.jit(norm)(x, w), to.expr(NORM)(x, w))

    def test_element_types(self):
        for dtype in (jnp.bfloat16, jnp.float16, jnp.float8_e4m3fn, jnp.float8_e5m2, jnp.int8, jnp.int32, jnp.uint8, jnp.uint32):
            a = jnp.arange(6).astype(dtype)
            y = jax.jit(op("(a) -> a + a"))(a)
            self.assertEqual(y.dtype, dtype)
            np.testing.assert_array_equal(np.asarray(y, np.float32), np.asarray(to.add(a, a), np.float32))
        self.assertEqual(jax.jit(op("(a) -> a < 3"))(jnp.arange(6)).tolist(), [True] * 3 + [False] * 3)
        self.assertEqual(jax.jit(op("(a) -> cast(a, e8m0fnu)"))(x).dtype, jnp.float8_e8m0fnu)

    def test_several_results_and_workspace(self):
        q, s = jax.jit(op("(x[.., n]) -> { s = amax(abs(x)) / 127; cast(round(x / s), i8), s }"))(x)
        self.assertEqual((q.dtype, s.shape), (jnp.int8, (4, 1)))
        logits, labels = jnp.ones((64, 1000)), jnp.zeros((64, 1), jnp.int32)
        np.testing.assert_allclose(jax.jit(op(to.cross_entropy_mean))(logits, labels).reshape(()), np.log(1000), rtol=1e-6)

    def test_gradients(self):
        norm = op(NORM)
        for f, g, operands in ((norm, reference, (x, w)), (op(to.softmax), jax.nn.softmax, (x,)), (op("(x, y) -> x * y"), jnp.multiply, (x[:, :1], w))):
            got, want = (jax.jit(jax.grad(lambda *a, f=f: (f(*a) ** 2).sum(), argnums=tuple(range(len(operands)))))(*operands) for f in (f, g))
            for a, b in zip(got, want):
                np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5)
        hessians = [jax.jacrev(jax.grad(lambda w, f=f: (f(x, w) ** 2).sum()))(w) for f in (norm, reference)]
        np.testing.assert_allclose(*hessians, rtol=1e-4, atol=1e-4)

    def test_gradients_of_what_has_integers(self):
        labels = jnp.array([[0], [3], [5], [1]])
        got = jax.grad(lambda x: op(to.cross_entropy)(x, labels).sum())(x)
        want = jax.nn.softmax(x) - jax.nn.one_hot(labels[:, 0], 6)
        np.testing.assert_allclose(got, want, atol=1e-6)
        got = jax.grad(lambda x: op("(x[.., n]) -> { s = amax(abs(x)) / 127; cast(round(x / s), i8), s }")(x)[1].sum())(x)
        np.testing.assert_allclose(got, jax.grad(lambda x: (abs(x).max(-1) / 127).sum())(x), atol=1e-7)

    def test_vmap(self):
        norm = op(NORM)
        batch = jnp.stack([w, 2 * w, 3 * w, 4 * w])
        np.testing.assert_allclose(jax.vmap(norm)(jnp.stack([x] * 4), batch), jax.vmap(reference)(jnp.stack([x] * 4), batch), rtol=1e-5)
        np.testing.assert_allclose(jax.vmap(norm, in_axes=(1, None))(x[:, None], w)[0], reference(x, w), rtol=1e-5)

    def test_errors(self):
        with self.assertRaisesRegex(to.InvalidArgument, "where n is 6 of x"):
            jax.jit(op(NORM))(x, w[:5])
        with self.assertRaisesRegex(TypeError, "there is no scalar 'epsilon'"):
            op(NORM)(x, w, epsilon=1)
        with self.assertRaisesRegex(TypeError, "takes 2 operands"):
            op(NORM)(x)
        with self.assertRaisesRegex(ValueError, "n: is an integer"):
            op("(x; n = 1) -> x + n")(x, n=1.5)
        with self.assertRaises(jax.errors.ConcretizationTypeError):
            jax.jit(lambda eps: op(NORM)(x, w, eps=eps))(1.0)
        with self.assertRaisesRegex(to.InvalidArgument, "stores parts"):
            op("(v, m) -> store_if(v, m)")
        with self.assertRaises(TypeError):
            op(to.gelu)

    def test_scalars(self):
        f = op("(x; n = 1, s = 0.5) -> x * s + n")
        np.testing.assert_array_equal(f(x, n=3, s=2), x * 2 + 3)
        big = op("(x; seed = 0, p = 0.5) -> dropout_mask(x, p, seed)")
        np.testing.assert_array_equal(big(x, seed=2**62 + 1), to.expr(big.expr.text)(x, seed=2**62 + 1))


class Batches(unittest.TestCase):
    def check(self, text, dims, operands, together):
        f = op(text)
        batched = jax.vmap(f, dims)
        self.assertEqual("while" in jax.jit(batched).lower(*operands).as_text(), not together, text)
        size = next(x.shape[d] for x, d in zip(operands, dims) if d is not None)
        want = [f(*(x if d is None else jnp.take(x, i, d) for x, d in zip(operands, dims))) for i in range(size)]
        got = batched(*operands)
        for a, b in zip(got if isinstance(got, tuple) else (got,), zip(*(y if isinstance(y, tuple) else (y,) for y in want)), strict=True):
            np.testing.assert_array_equal(a, jnp.stack(b), text)

    def test_one_call(self):
        y = jnp.linspace(-2, 2, 72).reshape(3, 4, 6)
        self.check("(x) -> softmax(x)", (0,), (y,), True)
        self.check("(x) -> softmax(x)", (2,), (y,), True)
        self.check(NORM, (0, None), (y, w), True)
        self.check("(x, y) -> x * y", (0, 0), (y, y[:, 0]), True)  # of fewer dimensions
        self.check("(x) -> { m = mean(x, axis = -2); x - m, m, argmax(x) }", (1,), (y,), True)

    def test_one_call_each(self):
        y = jnp.linspace(-2, 2, 72).reshape(3, 4, 6)
        self.check(NORM, (0, 0), (y, y[:, 0]), False)  # the text says that a weight has one dimension
        self.check("(x) -> x / sum(abs(x), axis = all)", (0,), (y,), False)

    def test_nested_and_gradients(self):
        y, f = jnp.linspace(-2, 2, 72).reshape(3, 4, 6), op(NORM)
        np.testing.assert_allclose(jax.vmap(jax.vmap(f, (0, None)), (0, None))(y, w), f(y, w), rtol=1e-6)
        one, ours = (jax.grad(lambda x, w, g=g: (g(x, w) ** 2).sum(), (0, 1)) for g in (reference, f))
        for a, b in zip(jax.jit(jax.vmap(ours, (0, None)))(y, w), jax.vmap(one, (0, None))(y, w)):
            np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5)


class Devices(unittest.TestCase):
    @unittest.skipUnless(hasattr(jax, "shard_map"), "this JAX has no shard_map of that name")
    def test_shard_map(self):
        self.shard_map(jax.devices("cpu")[:2])

    @unittest.skipUnless(hasattr(jax, "shard_map") and len(GPUS) > 1, "JAX has no shard_map of that name, or no two GPUs")
    def test_shard_map_on_gpus(self):
        self.shard_map(GPUS[:2])

    def shard_map(self, devices):
        """Each device computes its part; what all of them have the same gets the sum of their gradients."""
        norm, columns = op(NORM), op("(x) -> sum(x * x, axis = -2)")
        mesh, rows = Mesh(np.array(devices), ("d",)), PartitionSpec("d", None)
        want = jax.grad(lambda x, w: (reference(x, w) ** 2).sum(), (0, 1))(x, w)
        for check in (True, False):
            f = jax.jit(jax.shard_map(norm, mesh=mesh, in_specs=(rows, PartitionSpec()), out_specs=rows, check_vma=check))
            y = f(x, w)
            self.assertEqual({shard.data.shape for shard in y.addressable_shards}, {(2, 6)})
            np.testing.assert_allclose(y, reference(x, w), rtol=1e-5)
            for got, each in zip(jax.grad(lambda x, w, f=f: (f(x, w) ** 2).sum(), (0, 1))(x, w), want):
                np.testing.assert_allclose(got, each, rtol=1e-4, atol=1e-5)
        total = jax.shard_map(lambda x: jax.lax.psum(columns(x), "d"), mesh=mesh, in_specs=rows, out_specs=PartitionSpec())
        np.testing.assert_allclose(total(x)[0], (x * x).sum(0), rtol=1e-6)

    def test_gpus_have_the_call(self):
        text = jax.jit(op(NORM)).trace(x, w).lower(lowering_platforms=("cuda",)).as_text()
        self.assertEqual(text.count("libtileops_expr"), 1)

    @unittest.skipUnless(GPUS, "JAX has no CUDA here")
    def test_gpus(self):
        norm, rows = op(NORM), op("(x[.., n]) -> softmax(x)")
        device = GPUS[0]
        for dtype in (jnp.float32, jnp.bfloat16):
            for y in (x.astype(dtype), jnp.ones((1, 1 << 20), dtype)):  # the second has a workspace
                v = jnp.ones(y.shape[-1], dtype)
                a, b = jax.device_put(y, device), jax.device_put(v, device)
                np.testing.assert_array_equal(np.asarray(jax.jit(norm)(a, b), np.float32), np.asarray(to.expr(NORM)(y, v), np.float32))
                np.testing.assert_allclose(np.asarray(jax.jit(lambda y: rows(y * 2) + 1)(a), np.float32),
                                           np.asarray(jax.nn.softmax(a * 2) + 1, np.float32), rtol=1e-6 if dtype == jnp.float32 else 2**-7)

    def test_gpus_handler(self):
        """What it asks XLA for, by an XLA that is made here, and what it says where that answers with an error or there is no GPU."""
        pointer, size, integer = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int32

        class Api(ctypes.Structure):
            _fields_ = [("size", size), ("extensions", pointer), ("version", pointer * 3), ("internal", pointer), ("functions", pointer * 18)]

        class Many(ctypes.Structure):
            _fields_ = [("size", size), ("extensions", pointer), ("count", ctypes.c_int64), ("a", pointer), ("b", pointer), ("c", pointer)]

        class List(ctypes.Structure):
            _fields_ = Many._fields_[:5]

        class Frame(ctypes.Structure):
            _fields_ = [("size", size), ("extensions", pointer), ("api", pointer), ("context", pointer), ("stage", integer),
                        ("operands", List), ("results", List), ("attributes", Many)]

        class Asked(ctypes.Structure):
            _fields_ = [("size", size), ("extensions", pointer), ("given", pointer), ("answer", pointer), ("code", integer)]
        ask = ctypes.CFUNCTYPE(pointer, ctypes.POINTER(Asked))
        said, log, answers = [], [], {"get_device": None}

        def create(asked):
            said.append(ctypes.string_at(asked[0].given).decode())
            return 7

        def message(asked):
            log.append(("message", asked[0].given))
            asked[0].answer = ctypes.cast(ctypes.c_char_p(b"the device is lost"), pointer).value

        functions = {0: ask(create), 1: ask(message), 2: ask(lambda asked: log.append(("destroy", asked[0].given))),
                     4: ask(lambda asked: log.append(("stream", asked[0].given))),
                     17: ask(lambda asked: answers["get_device"])}
        api = Api(ctypes.sizeof(Api))
        for place, function in functions.items():
            api.functions[place] = ctypes.cast(function, pointer)
        frame = Frame(ctypes.sizeof(Frame), None, ctypes.addressof(api), 5)
        ctypes.pythonapi.PyCapsule_GetPointer.restype = pointer
        ctypes.pythonapi.PyCapsule_GetPointer.argtypes = ctypes.py_object, ctypes.c_char_p
        address = ctypes.pythonapi.PyCapsule_GetPointer(to._core.xla_target(True), b"xla._CUSTOM_CALL_TARGET")
        handler = ctypes.CFUNCTYPE(pointer, ctypes.POINTER(Frame))(address)
        answers["get_device"] = 3  # an error
        self.assertEqual(handler(frame), 7)
        self.assertEqual((said.pop(), log), ("XLA: the device is lost", [("message", 3), ("destroy", 3)]))
        answers["get_device"] = None
        log.clear()
        self.assertEqual(handler(frame), 7)  # of a call without attributes
        self.assertEqual((said.pop(), log), ("XLA: the attribute text is missing", [("stream", 5)]))
        api.size = Api.functions.offset + 17 * ctypes.sizeof(pointer)  # an older XLA
        self.assertEqual(handler(frame), 7)
        self.assertIn("does not tell on which GPU", said.pop())


if __name__ == "__main__":
    unittest.main()
