//! The library from its sources: a static one, built with CMake, without Python and without network.

use crate::{header_version, Library};
use std::env;
use std::path::{Path, PathBuf};

/// Builds the sources in `TILEOPS_SOURCE_DIR`, in the repository that this crate lies in, or in the
/// crate's package. Options of the build, such as `-DTILEOPS_CUDA=OFF`, are taken from
/// `TILEOPS_CMAKE_OPTIONS`.
pub fn build(tried: &mut Vec<String>) -> Option<Library> {
    let manifest = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("set by cargo"));
    let places = match env::var_os("TILEOPS_SOURCE_DIR") {
        Some(given) => vec![PathBuf::from(given)],
        None => vec![manifest.join("../../.."), manifest.join("vendor")],
    };
    let is_source = |place: &&PathBuf| {
        place.join("include/tileops/tileops.h").is_file() && place.join("CMakeLists.txt").is_file()
    };
    let Some(source) = places.iter().find(is_source) else {
        let names: Vec<_> = places.iter().map(|place| place.display().to_string()).collect();
        tried.push(format!("vendored: no sources in {}", names.join(", ")));
        return None;
    };
    for part in ["CMakeLists.txt", "cmake", "include", "src"] {
        println!("cargo::rerun-if-changed={}", source.join(part).display());
    }
    let mut config = cmake::Config::new(source);
    config
        .profile("Release")
        .build_target("tileops_static")
        .define("TILEOPS_STATIC", "ON")
        .define("TILEOPS_BUILD_CLI", "OFF")
        .define("TILEOPS_BUILD_TESTS", "OFF")
        .define("TILEOPS_CUDA_PACK", "none")
        .define("FETCHCONTENT_FULLY_DISCONNECTED", "ON"); // nothing is downloaded
    let mut include_dirs = vec![source.join("include")];
    let third_party = source.join("third_party/include");
    if third_party.join("dlpack/dlpack.h").is_file() {
        config
            .define("TILEOPS_DLPACK_INCLUDE_DIR", &third_party)
            .define("TILEOPS_XXHASH_INCLUDE_DIR", &third_party);
        include_dirs.push(third_party);
    }
    for option in env::var("TILEOPS_CMAKE_OPTIONS").unwrap_or_default().split_whitespace() {
        config.configure_arg(option);
    }
    let folder = config.build().join("build");
    let version = header_version(&source.join("include"));
    match version {
        Ok(version) => Some(Library {
            is_static: true,
            lib_dirs: [folder.clone()].into_iter().chain(tbb_dir(&folder)).collect(),
            include_dirs,
            version,
        }),
        Err(why) => {
            tried.push(format!("vendored: {why}"));
            None
        }
    }
}

/// The folder of the TBB that CMake found.
fn tbb_dir(build: &Path) -> Option<PathBuf> {
    let cache = std::fs::read_to_string(build.join("CMakeCache.txt")).ok()?;
    let config = cache.lines().find_map(|line| line.strip_prefix("TBB_DIR:PATH="))?;
    let folder = Path::new(config).ancestors().find(|dir| dir.join("libtbb.so").exists())?;
    Some(folder.to_path_buf())
}
