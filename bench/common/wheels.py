"""Packages for peers that a machine lacks and cannot fetch: wheels, or archives of unpacked ones where a wheel is too
large to be carried, that lie in a folder."""

import glob
import os
import subprocess
import sys
import tarfile
import zipfile


def unpack(folder, python, to):
    """Unpacks *.whl that fit the Python, and *.tar.xz, into `to`, which PYTHONPATH is to name. What a package wants
    beside itself in `nvidia` is linked there from the Python's own packages."""
    script = "import sys, sysconfig; print('cp%d%d' % sys.version_info[:2], sysconfig.get_paths()['purelib'])"
    tag, site = subprocess.run([python, "-c", script], stdout=subprocess.PIPE, text=True, check=True).stdout.split(
        maxsplit=1
    )
    os.makedirs(to, exist_ok=True)
    for path in sorted(glob.glob(os.path.join(folder, "*.whl"))):
        wanted = os.path.basename(path).split("-")[-3]
        if wanted == tag or wanted.startswith("py3"):
            with zipfile.ZipFile(path) as wheel:
                wheel.extractall(to)
        else:
            print(f"{path} is for {wanted}, not for {tag}: left out", file=sys.stderr)
    for path in sorted(glob.glob(os.path.join(folder, "*.tar.xz"))):
        with tarfile.open(path) as archive:
            archive.extractall(to, filter="data")
    nvidia = os.path.join(site.strip(), "nvidia")
    if os.path.isdir(nvidia) and not os.path.exists(os.path.join(to, "nvidia")):
        os.symlink(nvidia, os.path.join(to, "nvidia"))


def with_path(env, to):
    return dict(env, PYTHONPATH=":".join(p for p in (to, env.get("PYTHONPATH")) if p))
