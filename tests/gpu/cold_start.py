#!/usr/bin/env python3
"""Processes that start cold on a kernel cache that is empty, damaged, hostile or cannot be written to:
each must give the right result, and say what was wrong in one line of the log.

usage: cold_start.py TILEOPS [--device cuda:0] [--processes 16]

Exit status 77 where there is no GPU, no NVRTC or no NumPy.
"""

import argparse
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

try:
    import numpy as np
except ImportError:
    print("skipped: NumPy is not installed for", sys.executable)
    sys.exit(77)

NOBODY = 65534
failures = []


class Case:
    """One cache directory, and runs of an operator whose kernel no pack has."""

    def __init__(self, tileops, device, base):
        self.tileops, self.device, self.base = tileops, device, base
        x = np.linspace(-6, 6, 500).astype(np.float16)
        self.input = base / "x.npy"
        np.save(self.input, x)
        want = base / "want.npy"
        self.run_once("cpu", want, None)
        self.want = np.load(want)

    def command(self, device, output):
        # float16 in, float32 out, with the CPU's bits: rounded once, so that equality can be asked for.
        return [self.tileops, "run", "silu", "-i", self.input, "-d", "f32", "--reproducible",
                "--device", device, "-o", output]

    def environment(self, cache, **more):
        env = {**os.environ, "TILEOPS_LOG": "info", "TILEOPS_CACHE": "rw", **more}
        for name in ("TILEOPS_CACHE_DIR", "XDG_CACHE_HOME"):
            env.pop(name, None)
        if cache is not None:
            env["TILEOPS_CACHE_DIR"] = str(cache)
        return env

    def run_once(self, device, output, cache, setup=None, **more):
        return subprocess.run(self.command(device, output), env=self.environment(cache, **more),
                              capture_output=True, text=True, preexec_fn=setup, timeout=300)

    def check(self, name, done, output, origin, line=None):
        """The result, where the kernel came from, and what the log says beyond its info lines."""
        problems = []
        if done.returncode:
            problems.append(f"exit status {done.returncode}: {done.stderr.strip()[-300:]}")
        elif not np.array_equal(np.load(output), self.want):
            problems.append("wrong result")
        found = re.findall(r"origin=(\w+)", done.stderr)
        if not done.returncode and found != [origin]:
            problems.append(f"kernel from {found}, need {origin}")
        if line and len(re.findall(line, done.stderr)) != 1:
            problems.append(f"not one line like '{line}' in the log:\n{done.stderr}")
        if done.stdout:
            problems.append("something on stdout")
        print(f"{'FAILED' if problems else 'ok    '} {name}" + "".join(f"\n       {p}" for p in problems),
              flush=True)
        failures.extend(problems)

    def expect(self, name, cache, origin, line=None, setup=None, **more):
        output = self.base / "out" / f"{name.replace(' ', '-').replace('/', '-')}.npy"
        self.check(name, self.run_once(self.device, output, cache, setup, **more), output, origin, line)


def entries(cache):
    return sorted(p for p in pathlib.Path(cache).glob("v1/*/*") if p.is_file())


def kernels(cache):
    """The entries that hold machine code; there is also a list of the compilers that made it."""
    return [p for p in entries(cache) if b"\narch " in p.read_bytes()]


def flip(path, at):
    data = bytearray(path.read_bytes())
    data[at] ^= 16
    path.write_bytes(data)


def limit_files(size):
    def setup():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    return setup


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tileops", type=lambda p: str(pathlib.Path(p).resolve()))
    parser.add_argument("--device", default="cuda:0")
    parser.add_argument("--processes", type=int, default=16)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        base = pathlib.Path(folder)
        (base / "out").mkdir()
        os.chmod(base, 0o755)
        os.chmod(base / "out", 0o777)
        case = Case(args.tileops, args.device, base)
        probe = case.run_once(args.device, base / "probe.npy", base / "probe")
        if re.search(r"no such device|NVRTC could not be opened", probe.stderr):
            print("skipped:", probe.stderr.strip().splitlines()[-1])
            return 77

        # Many at once on one empty directory.
        cache = base / "many"
        start = time.monotonic()
        running = []
        for i in range(args.processes):
            output = base / "out" / f"many-{i}.npy"
            running.append((output, subprocess.Popen(case.command(args.device, output), env=case.environment(cache),
                                                     stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)))
        origins = []
        for i, (output, process) in enumerate(running):
            out, err = process.communicate(timeout=300)
            done = subprocess.CompletedProcess(process.args, process.returncode, out, err)
            origins += re.findall(r"origin=(\w+)", err)
            case.check(f"process {i} of {args.processes} on an empty directory", done, output,
                       origins[-1] if origins else "compiled", None)
            if re.search(r"\[?warn", err):
                failures.append(f"a warning: {err}")
                print("FAILED a warning:", err)
        print(f"       {args.processes} processes in {time.monotonic() - start:.1f} s; kernels: "
              f"{origins.count('compiled')} compiled, {origins.count('disk')} from disk")
        kept = entries(cache)
        if not kept or [p for p in kept if p.name.startswith(".")]:
            failures.append("entries")
            print(f"FAILED the directory holds {kept}")
        case.expect("the next process", cache, "disk")

        def fresh(name):
            copy = base / name
            shutil.copytree(cache, copy)
            return copy

        damaged = "is damaged or not this user's; made anew"
        for name, spoil in (("truncated", lambda p: os.truncate(p, p.stat().st_size // 2)),
                            ("empty file", lambda p: os.truncate(p, 0)),
                            ("bit flipped in the code", lambda p: flip(p, p.stat().st_size - 100)),
                            ("bit flipped in the header", lambda p: flip(p, 3)),
                            ("another kernel's entry", lambda p: p.write_bytes(
                                p.read_bytes().replace(b"\narch ", b"\narch_", 1))),
                            ("entry writable by all", lambda p: os.chmod(p, 0o666))):
            copy = fresh(name.replace(" ", "-"))
            for p in kernels(copy):
                spoil(p)
            case.expect(name, copy, "compiled", damaged)
            case.expect(name + ", made anew", copy, "disk")

        refused = "is not a directory that only this user may write to; not used"
        copy = fresh("open")
        os.chmod(copy, 0o777)
        case.expect("directory writable by all", copy, "compiled", refused)
        if os.geteuid() == 0:
            copy = fresh("foreign")
            os.chown(copy, NOBODY, NOBODY)
            case.expect("directory of another user", copy, "compiled", refused)
            copy = fresh("foreign-entry")
            for p in kernels(copy):
                os.chown(p, NOBODY, NOBODY)
            case.expect("entry of another user", copy, "compiled", damaged)
        else:
            print("skipped: another owner's files: only root can give files away")

        # Read-only: root writes anywhere, so it becomes somebody else.
        copy = base / "read-only"
        copy.mkdir()
        setup = None
        if os.geteuid() == 0:
            os.chown(copy, NOBODY, NOBODY)
            setup = lambda: os.setuid(NOBODY)
        os.chmod(copy, 0o500)
        case.expect("read-only directory", copy, "compiled", "kernel cache: cannot create", setup)
        os.chmod(copy, 0o700)
        file = base / "a-file"
        file.write_text("")
        case.expect("a file where the directory should be", file / "below", "compiled", "kernel cache: cannot create")
        case.expect("no HOME", None, "compiled", None, HOME="/nonexistent/home" if os.geteuid() else "")
        case.expect("off", cache, "compiled", None, TILEOPS_CACHE_MAX_MB="64", TILEOPS_CACHE="off")
        case.expect("only read", cache, "disk", None, TILEOPS_CACHE="ro")

        # A full disk: a small file system of its own where one may be mounted, and a limit on file sizes.
        case.expect("files may not grow", base / "limited", "compiled", "kernel cache: cannot write", limit_files(8192))
        small = base / "small"
        small.mkdir(mode=0o700)
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8k,mode=0700", "tmpfs", small],
                                 capture_output=True, text=True)
        if mounted.returncode:
            print("skipped: a full file system: no tmpfs can be mounted here:", mounted.stderr.strip())
        else:
            try:
                case.expect("full file system", small / "cache", "compiled", "kernel cache: cannot")
            finally:
                subprocess.run(["umount", small], check=False)

        # What is written for people to look at.
        dump = base / "dump"
        dump.mkdir()
        case.expect("TILEOPS_JIT_DUMP", base / "dumped", "compiled", None, TILEOPS_JIT_DUMP=str(dump))
        kinds = sorted(p.suffix for p in dump.iterdir())
        texts = {p.suffix: p.read_bytes() for p in dump.iterdir()}
        if kinds != [".cu", ".cubin", ".log"] or b"tileops_kernel" not in texts[".cu"] or \
                texts[".cubin"][:4] != b"\x7fELF" or b"silu" not in texts[".log"]:
            failures.append("dump")
            print(f"FAILED TILEOPS_JIT_DUMP wrote {kinds}")
        case.expect("a dump folder that is missing", base / "dumped2", "compiled", r"TILEOPS_JIT_DUMP: cannot write \S+\.cu\n",
                    TILEOPS_JIT_DUMP=str(base / "none"))
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
