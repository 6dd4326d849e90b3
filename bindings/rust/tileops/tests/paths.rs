//! Where a context finds prebuilt kernels and their compiler.

use tileops::{Context, ContextOptions, Status};

#[test]
fn a_process_has_one_compiler() -> tileops::Result<()> {
    let options = |path: &str| ContextOptions::new().nvrtc_path(path);
    if !tileops::build_info().contains("cuda") {
        return Ok(()); // a library without CUDA opens none
    }
    let first = Context::new(&options("/no/such/libnvrtc.so"))?;
    Context::new(&options("/no/such/libnvrtc.so"))?;
    let error = Context::new(&options("/another/libnvrtc.so")).unwrap_err();
    assert_eq!((error.status(), error.argument()), (Status::InvalidArgument, Some("options")));
    assert!(
        error.message().contains("nvrtc_path") && error.message().contains("/another"),
        "{error}"
    );
    drop(first);
    Ok(())
}

#[test]
fn folders_of_packs() -> tileops::Result<()> {
    Context::new(&ContextOptions::new().pack_dirs(["/no/such/folder", "another"]))?;
    for wrong in ["a:b", "a\0b"] {
        let error = Context::new(&ContextOptions::new().pack_dirs(["/tmp", wrong])).unwrap_err();
        assert_eq!(
            (error.status(), error.argument()),
            (Status::InvalidArgument, Some("pack_dirs"))
        );
    }
    Ok(())
}
