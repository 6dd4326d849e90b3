"""Arrays as they come: layouts, element types, orders of bytes, buffers, objects with DLPack."""

import array
import unittest

import ml_dtypes
import numpy as np

import libtileops as to

x = np.linspace(-3, 3, 24, dtype="f4").reshape(4, 6)


class Exports:
    """An array of another library: DLPack and nothing else."""

    def __init__(self, inner, old=False):
        self.inner, self.old = inner, old

    def __dlpack__(self, **options):
        if self.old and "max_version" in options:
            raise TypeError("max_version")
        return self.inner.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.inner.__dlpack_device__()

    def __array_namespace__(self):
        return np


class Arrays(unittest.TestCase):
    def test_views_are_read_in_place(self):
        wide = np.zeros((4, 12), "f4")
        wide[:, ::2] = x
        for view in (x, x.T, x[::-1], x[:, ::-2], x[1:, 2:], wide[:, ::2], np.broadcast_to(x[0], (4, 6)), np.asfortranarray(x),
                     x[2, 3, None], np.float32(1.5), np.array(2.0, "f4"), np.empty((0, 3), "f4"), x[:, :0]):
            np.testing.assert_array_equal(to.neg(view), -view)
            self.assertEqual(np.shape(to.neg(view)), np.shape(view))

    def test_results_are_written_in_place(self):
        for view in (lambda a: a, lambda a: a.T, lambda a: a[::-1], lambda a: a[:, ::-1]):
            out = np.zeros_like(view(x))
            target = view(np.zeros_like(view(out)))
            to.neg(x if target.shape == x.shape else x.T, out=target)
            np.testing.assert_array_equal(target, -x if target.shape == x.shape else -x.T)
        field = np.zeros((4, 6), [("a", "f4"), ("b", "f4")])
        to.neg(x, out=field["b"])
        np.testing.assert_array_equal(field["b"], -x)
        self.assertFalse(field["a"].any())

    def test_element_types(self):
        names = ["f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"]
        small = [ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2]
        for dtype in [*map(np.dtype, names), *map(np.dtype, small)]:
            a = np.arange(6).astype(dtype)
            result = to.add(a, a)
            self.assertEqual(result.dtype, dtype)
            np.testing.assert_array_equal(result.astype("f8"), (a.astype("f8") * 2).astype(dtype).astype("f8"))
        self.assertEqual(to.cast(x, dtype=ml_dtypes.float8_e8m0fnu).dtype, ml_dtypes.float8_e8m0fnu)
        self.assertIs(to.isnan(x).dtype, np.dtype(bool))
        self.assertEqual(to.cast(np.array([True, False]), dtype="f32").tolist(), [1.0, 0.0])

    def test_halves_of_bytes_come_as_bytes(self):
        packed = to.cast(np.array([[0.5, 1, -6, 0]], "f4"), dtype="float4_e2m1fn")
        self.assertEqual((packed.dtype, packed.shape, packed.tolist()), (np.uint8, (1, 2), [[0x21, 0x0F]]))

    def test_refused(self):
        for wrong, message in ((x.astype(">f4"), "another order"), (x.view("c8"), "complex64"), (np.array([None]), "dtype('O')"),
                               (np.array(["a"]), "<U1"), (np.array([1], "m8[s]"), "m8[s]"),
                               (np.ones(2, ml_dtypes.float4_e2m1fn), "float4_e2m1fn"), (np.ones(2, ml_dtypes.int4), "int4"),
                               (np.ma.masked_array(x, x > 0), "MaskedArray"), ([1.0, 2.0], "list"), ("a", "str"),
                               (np.frombuffer(bytes(9), "f4", 2, 1), "aligned"),
                               (np.zeros(4, [("a", "f4"), ("b", "u1")])["a"], "stride"), (2**63, "int64")):
            with self.assertRaises((TypeError, ValueError), msg=message) as caught:
                to.add(wrong, 1)
            self.assertIn("add: a", str(caught.exception))
            self.assertIn(message, str(caught.exception))

    def test_read_only_is_read_and_not_written(self):
        frozen = x.copy()
        frozen.flags.writeable = False
        np.testing.assert_array_equal(to.neg(frozen), -x)
        for out in (frozen, np.broadcast_to(np.float32(0), x.shape), Exports(frozen)):
            with self.assertRaisesRegex(to.InvalidArgument, "neg: out: is read-only"):
                to.neg(x, out=out)
        np.testing.assert_array_equal(frozen, x)

    def test_overlap(self):
        a = x.copy()
        with self.assertRaisesRegex(to.InvalidArgument, "overlaps x"):
            to.neg(a[:, :-1], out=a[:, 1:])
        np.testing.assert_array_equal(a, x)

    def test_buffers(self):
        a = array.array("d", [1.0, -2.0])
        out = bytearray(2)
        np.testing.assert_array_equal(to.neg(a), [-1.0, 2.0])
        to.gt(a, 0, out=memoryview(out).cast("?"))
        self.assertEqual(out, b"\1\0")
        np.testing.assert_array_equal(to.neg(memoryview(x)[::2]), -x[::2])
        with self.assertRaisesRegex(TypeError, "format"):
            to.neg(array.array("w" if "w" in array.typecodes else "u", "ab"))

    def test_dlpack(self):
        for old in (False, True):
            out = np.empty_like(x)
            np.testing.assert_array_equal(to.neg(Exports(x, old)), -x)
            to.neg(Exports(x, old), out=Exports(out, old))
            np.testing.assert_array_equal(out, -x)
            np.testing.assert_array_equal(to.neg(Exports(x.T, old)), -x.T)
        centred, mean = to.expr("(x[.., n]) -> { m = mean(x); x - m, m }")(Exports(x))
        np.testing.assert_allclose(centred + mean, x, atol=1e-6)

    def test_nothing_is_kept(self):
        import gc
        import sys
        a = x.copy()
        to.neg(a), to.neg(Exports(a)), to.neg(memoryview(a))
        before = sys.getrefcount(a)
        for _ in range(10):
            to.neg(a), to.neg(Exports(a)), to.neg(a, out=a), to.neg(memoryview(a))
            with self.assertRaises(to.Error):
                to.add(a, x[:2, :5])
        gc.collect()
        self.assertEqual(sys.getrefcount(a), before)


if __name__ == "__main__":
    unittest.main()
