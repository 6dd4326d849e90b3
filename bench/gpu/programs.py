"""What was built, found below the build folder or in it; times of calls on the host, which programs of their own measure."""

import json
import os
import pathlib
import shutil
import subprocess
import sys

from bench.common import machine

HERE = pathlib.Path(__file__).resolve().parent


def built(options, *names):
    for name in names:
        if (options.build / name).exists():
            return str((options.build / name).resolve())
    sys.exit(f"run.py: no {names[0]} below {options.build}")


def build_cub(folder):
    """Starts nvcc; (process, file) or (None, why not)."""
    nvcc = shutil.which("nvcc") or ("/usr/local/cuda/bin/nvcc" if os.path.exists("/usr/local/cuda/bin/nvcc") else None)
    if not nvcc:
        return None, "no nvcc on this machine"
    out = os.path.join(folder, "libcub_peer.so")
    command = [nvcc, "-O3", "-std=c++17", "-arch=native", "-shared", "-Xcompiler", "-fPIC", str(HERE / "native" / "cub_peer.cu"), "-o", out]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True), out


def packed_runs(options, env, folder, program, parts, failed):
    """Runs of the program beside a pack of the sample, which is looked for there."""
    try:
        packer = built(options, "tileops_pack")
        beside = os.path.join(folder, "packed")
        os.makedirs(os.path.join(beside, "tileops"))
        arch = machine.output("nvidia-smi", "--query-gpu=compute_cap", "--format=csv,noheader").splitlines()[0].replace(".", "")
        done = subprocess.run([packer, "--sample", "--keep-going", arch, os.path.join(beside, "tileops", f"kernels-sm_{arch}.pack")],
                              capture_output=True, text=True, env=env, timeout=150)
        if done.returncode:
            failed.append(f"tileops_pack: {done.stderr.strip()[-200:]}")
            return []
        packed, without = shutil.copy(program, beside), dict(env, TILEOPS_CACHE="off")
        wanted = ("--plans",) * ("host" in parts) + ("--expressions",) * ("expressions" in parts)
        return [(packed, argument, without) for argument in wanted]
    except (OSError, SystemExit, subprocess.TimeoutExpired) as e:
        failed.append(f"the pack: {str(e)[:200]}")
        return []


def host_times(options, env, folder):
    """Times of calls on the host; what failed says so under "failed"."""
    parts = set(options.parts.split(","))
    if not parts & {"host", "expressions"}:
        return {}
    found, failed = {}, []
    # What gather.sh made brings the libraries along.
    env = dict(env, LD_LIBRARY_PATH=":".join(f for f in (str(options.build.resolve()), env.get("LD_LIBRARY_PATH")) if f))
    try:
        program = built(options, "bench/gpu/tileops_gpu_bench", "tileops_gpu_bench")
        runs = [(program, "--host", env)]
        for argument in ("--plans",) * ("host" in parts) + ("--expressions",) * ("expressions" in parts):
            runs += [(program, argument, env)] * 2  # the second time from disk
        runs += packed_runs(options, env, folder, program, parts, failed)
        for path, argument, environment in runs:
            done = subprocess.run([path, argument], capture_output=True, text=True, env=environment, timeout=120)
            if done.returncode:
                failed.append(f"{argument}: {done.stderr.strip()[-200:]}")
            for line in done.stdout.splitlines():
                if line.startswith("{"):
                    new = json.loads(line)
                    # Named expressions (first_use.cc) are to come from the pack; the others' names are their texts.
                    absent = [name for name in new.get("expr_compiled", ()) if path != program and "->" not in name]
                    if absent:
                        failed.append(f"not in the pack: {', '.join(absent)}")
                    found.update({k: v for k, v in new.items() if not (k.startswith("expr_") and k in found)})
    except (OSError, SystemExit, ValueError, subprocess.TimeoutExpired) as e:
        failed.append(str(e)[:200])
    found.pop("host", None)
    return {**found, "failed": failed} if failed else found
