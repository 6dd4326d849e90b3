//! `cargo run -p xtask -- bindgen INCLUDE...` writes `tileops-sys/src/bindings.rs` from the header
//! below one of the folders; `bindgen --check INCLUDE...` fails if it is not up to date.
//! `cargo run -p xtask -- package FOLDER` makes the packages of both crates.

#[path = "../../tileops-sys/build/bindgen.rs"]
mod options;
mod package;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let command = if args.is_empty() { String::new() } else { args.remove(0) };
    if command == "package" && args.len() == 1 {
        return report(package::run(Path::new(&args[0])));
    }
    if command != "bindgen" {
        eprintln!("usage: xtask bindgen [--check] INCLUDE_DIR... | xtask package FOLDER");
        return ExitCode::from(2);
    }
    let check = args.first().map(String::as_str) == Some("--check");
    if check {
        args.remove(0);
    }
    let include: Vec<PathBuf> = args.iter().map(PathBuf::from).collect();
    report(run(&include, check))
}

fn report(result: Result<(), String>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("xtask: {why}");
            ExitCode::FAILURE
        }
    }
}

fn run(include: &[PathBuf], check: bool) -> Result<(), String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tileops-sys/src/bindings.rs");
    let text = format!(
        "// Written by `cargo run -p xtask -- bindgen` from tileops/tileops.h; do not edit.\n\n{}",
        options::generate(include)?
    );
    if check {
        let committed = std::fs::read_to_string(&path).map_err(|e| e.to_string())?;
        if committed == text {
            return Ok(());
        }
        let line = committed.lines().zip(text.lines()).take_while(|(a, b)| a == b).count() + 1;
        return Err(format!("{} is not up to date from line {line} on", path.display()));
    }
    std::fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))
}
