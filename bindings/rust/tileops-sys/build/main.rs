//! Finds libtileops: `TILEOPS_DIR`; with the feature `vendored`, a build of its sources; else
//! pkg-config. Says all that was tried when there is none.

use std::env;
use std::path::{Path, PathBuf};
use std::process::exit;

#[cfg(feature = "buildtime_bindgen")]
mod bindgen;
#[cfg(feature = "vendored")]
mod vendored;

/// Versions whose C interface these bindings speak: from the first, below the second. A minor
/// version of 0.x promises nothing about another one.
const VERSIONS: (&str, &str) = ("0.1.0", "0.2.0");

/// A library to link with.
struct Library {
    is_static: bool,
    lib_dirs: Vec<PathBuf>,
    include_dirs: Vec<PathBuf>,
    version: String,
}

fn main() {
    println!("cargo::rerun-if-changed=build");
    for name in [
        "TILEOPS_DIR",
        "TILEOPS_SOURCE_DIR",
        "TILEOPS_CMAKE_OPTIONS",
        "TILEOPS_STATIC",
        "CXXSTDLIB",
        "DOCS_RS",
    ] {
        println!("cargo::rerun-if-env-changed={name}");
    }
    // docs.rs has no library, and documentation needs none.
    if env::var_os("DOCS_RS").is_some() {
        return;
    }
    let mut tried = Vec::new();
    let Some(library) = find(&mut tried) else {
        eprintln!(
            "error: libtileops {} or newer, below {}, was not found:",
            VERSIONS.0, VERSIONS.1
        );
        for line in &tried {
            eprintln!("  - {line}");
        }
        eprintln!(
            "Set TILEOPS_DIR to the prefix it is installed in (the folder that holds lib and"
        );
        eprintln!("include), or PKG_CONFIG_PATH to the folder of tileops.pc.");
        exit(1);
    };
    for dir in &library.lib_dirs {
        println!("cargo::rustc-link-search=native={}", dir.display());
    }
    if library.is_static {
        println!("cargo::rustc-link-lib=static=tileops");
        let cxx = env::var("CXXSTDLIB").unwrap_or_else(|_| "stdc++".into());
        for name in ["tbb", &cxx, "m", "pthread", "dl"] {
            println!("cargo::rustc-link-lib=dylib={name}");
        }
    } else {
        println!("cargo::rustc-link-lib=dylib=tileops");
        if let Some(dir) = library.lib_dirs.first() {
            println!("cargo::metadata=lib_dir={}", dir.display());
        }
    }
    println!("cargo::metadata=version={}", library.version);
    if let Some(dir) = library.include_dirs.first() {
        println!("cargo::metadata=include={}", dir.display());
        // A new library may be installed over the old one.
        let header = dir.join("tileops").join("tileops.h");
        println!("cargo::rerun-if-changed={}", header.display());
    }
    #[cfg(feature = "buildtime_bindgen")]
    match bindgen::generate(&library.include_dirs) {
        Ok(text) => {
            let out = PathBuf::from(env::var_os("OUT_DIR").expect("set by cargo"));
            std::fs::write(out.join("bindings.rs"), text).expect("OUT_DIR can be written to");
        }
        Err(why) => {
            eprintln!("error: bindgen: {why}");
            exit(1);
        }
    }
}

fn find(tried: &mut Vec<String>) -> Option<Library> {
    if let Some(prefix) = env::var_os("TILEOPS_DIR") {
        // An explicit choice is not replaced by another library without a word.
        return in_prefix(Path::new(&prefix), tried).or_else(|| {
            tried.push("pkg-config: not asked, since TILEOPS_DIR is set".into());
            None
        });
    }
    tried.push("TILEOPS_DIR: not set".into());
    #[cfg(feature = "vendored")]
    if let Some(library) = vendored::build(tried) {
        return Some(library);
    }
    #[cfg(not(feature = "vendored"))]
    tried.push("build from source: the feature `vendored` of tileops-sys is not enabled".into());
    by_pkg_config(tried)
}

/// Is the static library of an installation asked for? Not a feature, which any dependent could turn on.
fn wants_static() -> bool {
    env::var_os("TILEOPS_STATIC").is_some_and(|value| !value.is_empty() && value != "0")
}

/// The library installed in `prefix`.
fn in_prefix(prefix: &Path, tried: &mut Vec<String>) -> Option<Library> {
    let arch = env::var("CARGO_CFG_TARGET_ARCH").unwrap_or_default();
    let mut candidates = vec![prefix.join("lib"), prefix.join("lib64")];
    candidates.push(prefix.join(format!("lib/{arch}-linux-gnu")));
    let is_static = wants_static();
    let file = match env::var("CARGO_CFG_TARGET_OS").as_deref() {
        _ if is_static => "libtileops.a",
        Ok("macos") => "libtileops.dylib",
        Ok("windows") => "tileops.lib",
        _ => "libtileops.so",
    };
    let place = format!("TILEOPS_DIR={}", prefix.display());
    let Some(lib_dir) = candidates.iter().find(|dir| dir.join(file).exists()) else {
        let names: Vec<_> = candidates.iter().map(|d| d.display().to_string()).collect();
        tried.push(format!("{place}: no {file} in {}", names.join(", ")));
        return None;
    };
    let include = prefix.join("include");
    let version = match header_version(&include) {
        Ok(version) => version,
        Err(why) => {
            tried.push(format!("{place}: {why}"));
            return None;
        }
    };
    if !accepted(&version) {
        tried.push(format!("{place}: version {version} (need {} to {})", VERSIONS.0, VERSIONS.1));
        return None;
    }
    Some(Library {
        is_static,
        lib_dirs: vec![lib_dir.clone()],
        include_dirs: vec![include.clone(), include.join("tileops/third_party")],
        version,
    })
}

fn by_pkg_config(tried: &mut Vec<String>) -> Option<Library> {
    let found = pkg_config::Config::new()
        .range_version(VERSIONS.0..VERSIONS.1)
        .statik(wants_static())
        .cargo_metadata(false)
        .env_metadata(true)
        .probe("tileops");
    match found {
        Ok(library) => Some(Library {
            is_static: wants_static(),
            lib_dirs: library.link_paths,
            include_dirs: library.include_paths,
            version: library.version,
        }),
        Err(why) => {
            let text = why.to_string();
            let lines: Vec<_> = text.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
            tried.push(format!("pkg-config: {}", lines.join("; ")));
            None
        }
    }
}

/// The version that `tileops/tileops.h` states.
fn header_version(include: &Path) -> Result<String, String> {
    let path = include.join("tileops/tileops.h");
    let text =
        std::fs::read_to_string(&path).map_err(|why| format!("{}: {why}", path.display()))?;
    let part = |name: &str| {
        let define = format!("#define TILEOPS_VERSION_{name} ");
        text.lines().find_map(|line| line.strip_prefix(&define)).map(|v| v.trim().to_string())
    };
    match (part("MAJOR"), part("MINOR"), part("PATCH")) {
        (Some(major), Some(minor), Some(patch)) => Ok(format!("{major}.{minor}.{patch}")),
        _ => Err(format!("{}: states no version", path.display())),
    }
}

fn accepted(version: &str) -> bool {
    let key = |text: &str| -> Vec<u32> { text.split('.').filter_map(|p| p.parse().ok()).collect() };
    key(VERSIONS.0) <= key(version) && key(version) < key(VERSIONS.1)
}
