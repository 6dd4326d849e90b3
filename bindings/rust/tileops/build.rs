//! Programs of this package find the library where it was linked from. (Link arguments do not reach
//! dependent packages; the README says what those do.)

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=DEP_TILEOPS_LIB_DIR");
    println!("cargo::rustc-check-cfg=cfg(docsrs)");
    if let Ok(dir) = std::env::var("DEP_TILEOPS_LIB_DIR") {
        if std::env::var("CARGO_CFG_UNIX").is_ok() {
            println!("cargo::rustc-link-arg=-Wl,-rpath,{dir}");
        }
    }
}
