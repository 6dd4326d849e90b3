//! A library that is too old is refused where a context, a plan or memory is made.
//!
//! The test runs itself again, with a small library in front whose `tileops_version` is 0.0.9.

use std::process::Command;
use tileops::{
    ops, Context, ContextOptions, DType, Device, Plan, Status, Stream, Tensor, TensorSpec,
};

fn main() {
    if std::env::var_os("TILEOPS_TEST_OLD_LIBRARY").is_some() {
        return old_library();
    }
    if !cfg!(target_os = "linux") {
        println!("library_version: skipped: needs LD_PRELOAD");
        return;
    }
    let dir = std::env::temp_dir().join(format!("tileops-old-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let (source, library) = (dir.join("old.c"), dir.join("libold.so"));
    std::fs::write(&source, "unsigned tileops_version(void) { return 9; }\n").unwrap();
    let cc = std::env::var("CC").unwrap_or_else(|_| "cc".into());
    let compiled =
        Command::new(&cc).args(["-shared", "-fPIC", "-o"]).args([&library, &source]).status();
    match compiled {
        Ok(status) => assert!(status.success(), "{cc} failed"),
        Err(why) => return println!("library_version: skipped: {cc}: {why}"),
    }
    let again = Command::new(std::env::current_exe().unwrap())
        .env("LD_PRELOAD", &library)
        .env("TILEOPS_TEST_OLD_LIBRARY", "1")
        .status()
        .unwrap();
    std::fs::remove_dir_all(&dir).unwrap();
    assert!(again.success(), "with the old library: {again}");
    Context::new(&ContextOptions::default()).expect("the library itself is new enough");
    println!("library_version: an old library is refused");
}

fn old_library() {
    let spec = TensorSpec::new(DType::F32, &[2]).unwrap();
    let refused = [
        Context::new(&ContextOptions::default()).map(drop),
        Plan::new(&ops::Exp::default(), [&spec], [&spec]).map(drop),
        Tensor::new(Device::CPU, DType::F32, &[2]).map(drop),
        Stream::new(Device::CPU).map(drop),
        tileops::devices().map(drop),
        Context::default().cache_stats().map(drop),
        tileops::Op::ADD.describe().map(drop),
    ];
    for result in refused {
        let error = result.unwrap_err();
        assert_eq!(error.status(), Status::Version, "{error}");
        assert!(error.message().contains("too old (got 0.0.9, need 0.1.0"), "{error}");
    }
}
