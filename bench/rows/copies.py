"""The copy beside a text with reductions on a GPU: kernels that read and write as many bytes and compute nothing, of which the
fastest counts (gpu/measure.py)."""

import torch

from bench.gpu import measure
from bench.rows.tensors import nbytes

READ = 64  # bytes that are read for each byte written, where results are tiny
TINY = 1 / 32  # of what is read
ACCESS = 16  # bytes


def traffic(inputs, results):
    """(reads, writes, elements) for measure.Copy: the arrays that have some bytes for each element of the largest result.
    What is smaller, such as weights and scales, is left out; where all results are tiny the largest operand is read. Where a thread
    would have a number of bytes that are no access, half of all are read and half written."""
    if nbytes(results) < TINY * nbytes(inputs):
        read = max(inputs, key=lambda t: t.numel() * t.element_size())
        elements = read.numel() * read.element_size() // READ
        return [(read, READ)], [(torch.empty(elements, dtype=torch.uint8, device=read.device), 1)], elements
    elements = max(t.numel() for t in results)

    def parts(tensors):
        return [(t, t.numel() * t.element_size() // elements) for t in tensors if t.numel() % elements == 0]

    reads, writes = parts(inputs), parts([torch.empty_like(t) for t in results])
    if all(each in (1, 2, 4, 8) or each % 16 == 0 for _, each in reads + writes):
        return reads, writes, elements
    elements = (nbytes(inputs) + nbytes(results)) // 2 // ACCESS
    half = [torch.empty(elements * ACCESS, dtype=torch.uint8, device=results[0].device) for _ in range(2)]
    return [(half[0], ACCESS)], [(half[1], ACCESS)], elements


class Copy(measure.Copy):
    """Cuts for reads, too: some accesses of 16 bytes a thread, a block's width apart."""

    @staticmethod
    def cuts(sizes):
        if max(sizes) < READ:
            return measure.Copy.cuts(sizes)
        return [(each, block, 1) for each in (1, 2, 4) for block in (128, 256, 512, 1024)]

    def beside(self, clock, sets):
        """(runners, what a row says of them) for sets of (inputs, results); (None, {}) where nothing can be copied."""
        found = self.fastest(clock, [traffic(*one) for one in sets])
        if not found:
            return None, {}
        runners, cut, sizes = found
        reads, _, elements = traffic(*sets[0])
        return runners, {"copy_cut": list(cut), "copy_read": sum(sizes[:len(reads)]) * elements,
                         "copy_written": sum(sizes[len(reads):]) * elements}
