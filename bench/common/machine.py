"""What a result was measured on."""

import datetime
import os
import platform
import re
import subprocess


def output(*command, **options):
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True,
                              **options).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def cpu_model():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as f:
            text = f.read()
    except OSError:
        return platform.machine()
    field = {}
    for line in text.split("\n\n")[0].splitlines():
        key, _, value = line.partition(":")
        field[key.strip()] = value.strip()
    name = field.get("model name", platform.machine())
    # Virtual machines say only "AMD EPYC": family and model tell which one.
    if not re.search(r"\d", name) and "cpu family" in field:
        name += f" family {field['cpu family']} model {field.get('model', '?')}"
    return name


def caches():
    """{"L1d": "32K", ...}, the sizes that one core sees."""
    found, base = {}, "/sys/devices/system/cpu/cpu0/cache"
    for index in sorted(os.listdir(base)) if os.path.isdir(base) else []:
        try:
            level, kind, size = (open(os.path.join(base, index, name), encoding="utf-8").read()
                                 .strip() for name in ("level", "type", "size"))
        except OSError:
            continue
        found["L" + level + {"Data": "d", "Instruction": "i"}.get(kind, "")] = size
    return found


def gpu():
    """Name, version of the driver and memory of the first NVIDIA GPU; nothing where there is none."""
    text = output("nvidia-smi", "--query-gpu=name,driver_version,memory.total", "--format=csv,noheader").splitlines()
    return [field.strip() for field in text[0].split(",")] if text else []


def describe(root, isa=None):
    """`isa`: to which the measured processes are held, as if the machine had nothing better."""
    commit = output("git", "-C", root, "rev-parse", "--short=12", "HEAD")
    if commit and output("git", "-C", root, "status", "--porcelain", "--untracked-files=no"):
        commit += " with changes"
    return {"date": datetime.date.today().isoformat(),
            "commit": os.environ.get("TILEOPS_BENCH_COMMIT") or commit or "unknown",
            "cpu": cpu_model() + (f", {isa.upper()} alone" if isa else ""),
            "cores": len(os.sched_getaffinity(0)), "caches": caches(),
            "load": list(os.getloadavg()), "system": f"{platform.system()} {platform.machine()}",
            "python": platform.python_version()}


def short_name(machine):
    """Of the processor, for file names."""
    name = re.sub(r"\(R\)|\(TM\)|\bCPU\b|@.*|\bProcessor\b|\b\d+-Core\b|\balone\b", " ", machine["cpu"],
                  flags=re.I)
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
