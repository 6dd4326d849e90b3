#!/usr/bin/env python3
"""Runs everything that needs a GPU: the GPU tests, random expressions and the generic runner on the device, and all of
these once more under compute-sanitizer where there is one.

usage: tests/gpu/run.py [--build DIR] [--device cuda:0[,cuda:1...]] [--jobs N] [--filter GTEST] [--timeout SECONDS]
                        [--no-sanitizer] [--part 1/2]

Programs that are not in their place below the build folder are looked for in that folder itself, so
that they can be carried to a machine with a GPU. Exit status 1 if anything failed.
"""

import argparse
import concurrent.futures
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

# Under the sanitizer kernels run up to a hundred times slower: a sample of everything.
SANITIZED = {
    "tileops_gpu_test": "Streams.CaptureIntoAGraph:Streams.ScalarInHostMemory:Lists.*:Dtypes/Equality.*/0:Large.GatedHalves:Large.PairsOfBytes:"
                        "Devices.*-Devices.StreamOfTheOtherIsRefused",
    "tileops_gpu_expression_test": "Expressions.*:*HaveTheCpusBits/0:*HaveTheCpusBits/1",
    "tileops_gpu_rows_test": "*HaveTheBitsOfPlainLoops/0",
    "tileops_ops_test": "*_gelu_bfloat16:*Layouts*_add_float32:*_where_float8_e4m3fn:*Large*_add_float32:*_isnan_float64:Dropout*:Rope.GivenCosSin:"
                        "Rope.PositionIds",
    "tileops_rows_test": "Split.Long*:Split.Few*:Split.Many*:Split.ShortGroupsWithinRows:Scans.Texts:Special*",
    "tileops_expr_run_test": "Numbers*:*Jumps*/0:*Jumps*/20:Features.PartsAndJoinedResults",
}
# Texts on the device: against MPFR within the contract, which for what jumps leaves no room, against operators one after
# the other to the bit, and numbers in every place. A part of the seeds: a kernel is compiled for each.
# Gates of float32 have other bits there than the operator.
EXPRESSIONS = "*Mpfr*:Chain*:Numbers*:*Jumps*:Features*:*OneOperator*:*OneUnaryOperator*:OneCast*:GradientRun*-Features.GatedTextsAreTheOperators"
EXPRESSION_SCALE = "0.1"


def program(build, name):
    for path in (build / "tests" / "gpu" / name, build / "tests" / "ops" / name, build / "tests" / "expr_run" / name, build / "tests" / "rows" / name,
                 build / "tests" / "device" / name, build / "src" / "cli" / name, build / name):
        if path.exists():
            return path
    sys.exit(f"run.py: {name} is not below {build}")


def shards(name, build, filters, count, env, part=(1, 1)):
    """Of `count` shards for each part those of one part."""
    index, parts = part
    return [(f"{name}-{i}", [program(build, name), f"--gtest_filter={filters}"],
             dict(env, GTEST_TOTAL_SHARDS=str(count * parts), GTEST_SHARD_INDEX=str(i)))
            for i in range(index - 1, count * parts, parts)]


def binding_tasks(build, env):
    """The test programs of the bindings, if gather.sh found any."""
    folder = build / "bindings"
    env = dict(env, TILEOPS_VECTORS=str(folder / "vectors.jsonl"))
    commands = {"rust": [folder / "rust" / "run.sh", build], "go": [folder / "go.test", "-test.v"]}
    tasks = []
    for name, command in commands.items():
        if command[0].exists():
            tasks.append((name, command, env))
        else:
            print(f"no test programs of the {name} binding: left out")
    return tasks


def triton_tasks(build, env):
    """The bitcode in a kernel of Triton, where there are both, and the torch that runs it."""
    bitcode = build / "libtileops_device.bc"
    missing = [name for name in ("torch", "triton") if not importlib.util.find_spec(name)]
    if missing:
        print(f"{sys.executable} has no {' and no '.join(missing)}: bitcode in Triton is left out")
    elif not bitcode.exists():
        print("no libtileops_device.bc (built where there is Clang with nvptx64): bitcode in Triton is left out")
    else:
        return [("device-triton", [sys.executable, pathlib.Path(__file__).parents[2] / "demo/triton_gelu.py", bitcode], env)]
    return []


def run(command, env, log, seconds):
    """Exit status and seconds; a status of None: it took too long."""
    start = time.monotonic()
    with open(log, "w") as out:
        try:
            status = subprocess.run(command, env=env, stdout=out, stderr=subprocess.STDOUT, timeout=seconds).returncode
        except subprocess.TimeoutExpired:
            status = None
    return status, time.monotonic() - start


def summary(log):
    text = log.read_text(errors="replace")
    counts = {word: len(re.findall(rf"^(?:\[\s*{word}\s*\] \w|{word.lower() if word == 'OK' else word} )", text, re.M)) for word in ("OK", "FAILED")}
    skipped = "no CUDA device" in text
    names = sorted(set(re.findall(r"^\[  FAILED  \] ([A-Z][\w./]+)", text, re.M)))
    return counts, skipped, names


def everything_else(args, build, env):
    tasks = shards("tileops_gpu_test", build, "*", 4, env)
    tasks += shards("tileops_gpu_expression_test", build, "*", 4, env)
    tasks += shards("tileops_gpu_rows_test", build, "*", 4, env)
    tasks += shards("tileops_rows_test", build, "*", 24, env)
    tasks += shards("tileops_expr_run_test", build, EXPRESSIONS, 32, dict(env, TILEOPS_TEST_SCALE=EXPRESSION_SCALE))
    tasks.append(("kernel-cache", [program(build, "tileops_gpu_cache_test")], env))
    tasks.append(("cold-start", [sys.executable, pathlib.Path(__file__).with_name("cold_start.py"),
                                 program(build, "tileops"), "--device", env["TILEOPS_TEST_DEVICE"]], env))
    tasks.append(("device-functions", [sys.executable, pathlib.Path(__file__).parents[1] / "device/functions_run.py",
                                       program(build, "tileops")], env))
    if any((build / folder / "tileops_graph_example").exists() for folder in ("tests/gpu", ".")):
        tasks.append(("graph-example", [sys.executable, pathlib.Path(__file__).with_name("graph_example.py"), program(build, "tileops_graph_example")],
                      env))
    else:
        print("no tileops_graph_example: a program with a captured graph is left out")
    # Built where there is nvcc.
    if any((build / folder / "tileops_device_gpu_test").exists() for folder in ("tests/device", ".")):
        tasks.append(("device-headers", [program(build, "tileops_device_gpu_test")], env))
    else:
        print("no tileops_device_gpu_test: the headers for kernels of one's own are left out")
    tasks += triton_tasks(build, env)
    tasks += binding_tasks(build, env)
    sanitizer = shutil.which("compute-sanitizer")
    if sanitizer and not args.no_sanitizer:
        for tool in ("memcheck", "racecheck"):
            for name, filters in SANITIZED.items():
                tasks.append((f"{tool}-{name}", [sanitizer, "--tool", tool, "--error-exitcode", "9",
                                                 program(build, name), f"--gtest_filter={filters}"], env))
    elif not args.no_sanitizer:
        print("no compute-sanitizer on the path: its part is left out")
    return tasks


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/release"))
    parser.add_argument("--device", default="cuda:0")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--filter", default="*", help="tests of the generic runner")
    parser.add_argument("--timeout", type=float, help="seconds that one program may take")
    parser.add_argument("--no-sanitizer", action="store_true")
    parser.add_argument("--part", default="1/1", type=lambda text: tuple(map(int, text.split("/"))),
                        help="of the generic runner, such as 2/3; the first part has everything else")
    parser.add_argument("--logs", type=pathlib.Path, default=pathlib.Path("build/gpu-logs"))
    args = parser.parse_args()
    build = args.build.resolve()
    args.logs.mkdir(parents=True, exist_ok=True)
    devices = args.device.split(",")
    env = dict(os.environ, TILEOPS_TEST_DEVICE=devices[0])
    if (build / "libtileops.so").exists():  # what gather.sh made brings its libraries along
        env["LD_LIBRARY_PATH"] = f"{build}:{env.get('LD_LIBRARY_PATH', '')}".rstrip(":")

    probe = subprocess.run([program(build, "tileops_gpu_test"), "--gtest_filter=Streams.ScalarInHostMemory"],
                           capture_output=True, text=True, env=env)
    if "no CUDA device" in probe.stdout:
        print("skipped: no CUDA device on this machine")
        return 0

    # The generic runner last: its shards take the longest by far, most of it in NVRTC. They take turns on the devices.
    tasks = everything_else(args, build, env) if args.part[0] == 1 else []
    for i, (name, command, shard_env) in enumerate(shards("tileops_ops_test", build, args.filter, args.jobs, env, args.part)):
        tasks.append((name, command, dict(shard_env, TILEOPS_TEST_DEVICE=devices[i % len(devices)])))

    failed = 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        futures = {pool.submit(run, command, task_env, args.logs / f"{name}.log", args.timeout): name
                   for name, command, task_env in tasks}
        for future in concurrent.futures.as_completed(futures):
            name = futures[future]
            status, seconds = future.result()
            counts, skipped, names = summary(args.logs / f"{name}.log")
            skipped = skipped or status == 77
            failed += status not in (0, 77)
            outcome = "cut off" if status is None else "skipped" if skipped else "failed" if status else "passed"
            print(f"{name}: {outcome}, {counts['OK']} tests, {seconds:.0f} s", flush=True)
            for test in names[:5]:
                print(f"  failed: {test}", flush=True)
    print(f"{len(tasks) - failed} of {len(tasks)} passed; logs: {args.logs}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
