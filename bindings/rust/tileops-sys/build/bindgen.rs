//! Options of bindgen, shared by the build script (feature `buildtime_bindgen`) and by `xtask`,
//! which writes the bindings that are checked in.

use bindgen::callbacks::{DeriveTrait, ImplementsTrait, ParseCallbacks};
use std::path::PathBuf;

/// Types that are written by hand (DLPack, whose ABI is frozen while its header keeps growing), or
/// by `generate.py` (enums, as newtypes: a value that this crate does not know is no undefined
/// behaviour).
const BLOCKED: &[&str] = &[
    "DL.*",
    "tileops_status",
    "tileops_cache_mode",
    "tileops_op",
    "tileops_attr_key",
    "tileops_attr_kind",
    "tileops_plan_prop",
    "tileops_node_kind",
    "tileops_number_kind",
    "tileops_strategy",
    "tileops_log_level",
];

#[derive(Debug)]
struct Callbacks;

impl ParseCallbacks for Callbacks {
    fn blocklisted_type_implements_trait(
        &self,
        _name: &str,
        derive: DeriveTrait,
    ) -> Option<ImplementsTrait> {
        Some(match derive {
            DeriveTrait::Copy | DeriveTrait::Debug => ImplementsTrait::Yes,
            _ => ImplementsTrait::No,
        })
    }

    /// rustdoc reads `[index]` as a link and `<function>` as a tag.
    fn process_comment(&self, comment: &str) -> Option<String> {
        let mut text = comment.to_string();
        for (from, to) in [("[", "\\["), ("]", "\\]"), ("<", "\\<"), (">", "\\>"), ("*", "\\*")] {
            text = text.replace(from, to);
        }
        Some(text)
    }
}

/// Binds `tileops/tileops.h`, found below the first of `include` that has it.
pub fn generate(include: &[PathBuf]) -> Result<String, String> {
    let header = include
        .iter()
        .map(|dir| dir.join("tileops/tileops.h"))
        .find(|path| path.is_file())
        .ok_or_else(|| format!("tileops/tileops.h is in none of {include:?}"))?;
    let mut builder = bindgen::Builder::default()
        .header(header.display().to_string())
        .clang_args(include.iter().map(|dir| format!("-I{}", dir.display())))
        .allowlist_function("tileops_.*")
        .allowlist_type("tileops_.*")
        .allowlist_var("TILEOPS_(VERSION|MAX)(_.*)?")
        .default_macro_constant_type(bindgen::MacroTypeVariation::Unsigned)
        .use_core()
        .generate_cstr(true)
        .clang_arg("-fparse-all-comments")
        .rust_target(bindgen::RustTarget::stable(85, 0).map_err(|e| e.to_string())?)
        .rust_edition(bindgen::RustEdition::Edition2021)
        .formatter(bindgen::Formatter::Prettyplease)
        .disable_header_comment()
        .raw_line("use crate::dlpack::*;")
        .raw_line("use crate::enums::*;")
        .parse_callbacks(Box::new(Callbacks));
    for name in BLOCKED {
        builder = builder.blocklist_type(name);
    }
    builder.generate().map(|bindings| bindings.to_string()).map_err(|e| e.to_string())
}
