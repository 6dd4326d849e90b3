//! `xtask package FOLDER`: both crates as cargo uploads them. They build from what they hold: the
//! package of `tileops-sys` brings the C++ sources, `dlpack.h`, `xxhash.h` and the embedded kernels
//! in its folder `vendor`, which this repository does not have.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the library is built from, below the root of the repository.
const SOURCES: &[&str] = &["CMakeLists.txt", "LICENSE", "cmake", "include", "src", "tileops.pc.in"];
/// Programs of the build; others in `tools` are for developers.
const TOOLS: &[&str] = &["embed_kernels.py", "kernel_units.py", "pack"];

/// Fills FOLDER/stage, a copy of this workspace with `vendor`, and FOLDER/*.crate.
pub fn run(folder: &Path) -> Result<(), String> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let root = workspace.join("../..");
    let stage = folder.join("stage");
    if stage.exists() {
        fs::remove_dir_all(&stage).map_err(|why| format!("{}: {why}", stage.display()))?;
    }
    for name in ["Cargo.toml", "Cargo.lock", "README.md", "tileops", "tileops-sys", "xtask"] {
        copy(&workspace.join(name), &stage.join(name))?;
    }
    for name in ["tileops", "tileops-sys"] {
        copy(&root.join("LICENSE"), &stage.join(name).join("LICENSE"))?;
    }
    let vendor = stage.join("tileops-sys/vendor");
    for name in SOURCES {
        copy(&root.join(name), &vendor.join(name))?;
    }
    fs::remove_dir_all(vendor.join("src/cli")).map_err(|why| format!("src/cli: {why}"))?;
    for name in TOOLS {
        copy(&root.join("tools").join(name), &vendor.join("tools").join(name))?;
    }
    third_party(&root, &vendor.join("third_party"))?;
    embed(&vendor)?;

    let target = folder.join("target");
    // Without building them: the sources are there to be built where the crates are used.
    let cargo = Command::new(env!("CARGO"))
        .args(["package", "--quiet", "--no-verify", "-p", "tileops-sys", "-p", "tileops"])
        .args(["--target-dir".as_ref(), target.as_os_str()])
        .current_dir(&stage)
        .status();
    if !cargo.map_err(|why| format!("cargo: {why}"))?.success() {
        return Err("cargo package failed; both crates at once need cargo 1.90".into());
    }
    for entry in entries(&target.join("package"))? {
        if entry.extension().is_some_and(|extension| extension == "crate") {
            copy(&entry, &folder.join(entry.file_name().expect("a file")))?;
        }
    }
    Ok(())
}

/// Headers of others, with their licences.
fn third_party(root: &Path, to: &Path) -> Result<(), String> {
    let dlpack = find("TILEOPS_DLPACK_INCLUDE_DIR", root, "dlpack/dlpack.h")?;
    copy(&dlpack, &to.join("include/dlpack/dlpack.h"))?;
    // DLPack is under the Apache License 2.0, as this project is.
    copy(&root.join("LICENSE"), &to.join("include/dlpack/LICENSE"))?;
    let xxhash = find("TILEOPS_XXHASH_INCLUDE_DIR", root, "xxhash.h")?;
    let text = read(&xxhash)?;
    if !text.contains("BSD 2-Clause License") {
        return Err(format!("{}: does not hold its licence", xxhash.display()));
    }
    copy(&xxhash, &to.join("include/xxhash.h"))
}

/// A header: below the folder that the variable names, or where the build of the library looks.
fn find(variable: &str, root: &Path, header: &str) -> Result<PathBuf, String> {
    let mut folders: Vec<PathBuf> =
        std::env::var_os(variable).map(PathBuf::from).into_iter().collect();
    if folders.is_empty() {
        if let Some(prefix) = std::env::var_os("TILEOPS_DIR") {
            folders.push(Path::new(&prefix).join("include/tileops/third_party"));
        }
        folders.extend(["/usr/include", "/usr/local/include"].map(PathBuf::from));
        for python in entries(&root.join(".venv/lib")).unwrap_or_default() {
            folders.push(python.join("site-packages/tvm_ffi/include"));
        }
    }
    let path = folders.iter().map(|folder| folder.join(header)).find(|path| path.is_file());
    path.ok_or_else(|| format!("{header}: not in {folders:?}; set {variable} to its folder"))
}

/// Writes the device headers and kernel templates as text, so that users need no Python.
fn embed(vendor: &Path) -> Result<(), String> {
    let output = vendor.join("embedded_kernels.cc");
    let python = Command::new("python3")
        .arg(vendor.join("tools/embed_kernels.py"))
        .args([output.clone(), vendor.join("include"), vendor.join("src")])
        .args(["--", "cuda/kernels/elementwise.h", "cuda/kernels/rows.h", "cuda/kernels/columns.h"])
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .status();
    if !python.map_err(|why| format!("python3: {why}"))?.success() {
        return Err("embed_kernels.py failed".into());
    }
    // What make reads; it names folders of this machine.
    fs::remove_file(vendor.join("embedded_kernels.cc.d")).map_err(|why| format!("embed: {why}"))
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    let failed = |why: std::io::Error| format!("{} to {}: {why}", from.display(), to.display());
    if from.is_dir() {
        let name = from.file_name().unwrap_or_default();
        if name == "target" || name == "__pycache__" {
            return Ok(());
        }
        for entry in entries(from)? {
            copy(&entry, &to.join(entry.file_name().expect("an entry has a name")))?;
        }
        return Ok(());
    }
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    fs::copy(from, to).map(drop).map_err(failed)
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let failed = |why: std::io::Error| format!("{}: {why}", folder.display());
    let found = fs::read_dir(folder).map_err(failed)?;
    found.map(|entry| entry.map(|entry| entry.path()).map_err(failed)).collect()
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|why| format!("{}: {why}", path.display()))
}
