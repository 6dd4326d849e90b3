//! Contexts: options, caches and worker threads shared by plans.

use crate::counters::{Counter, CONTEXTS};
use crate::error::check;
use crate::{version, Error, Result};
use std::ffi::CString;
use std::path::{Path, PathBuf};
use std::ptr::NonNull;
use tileops_sys as sys;

/// Options, caches and worker threads shared by plans.
///
/// [`Context::default`] is the default context of the process, which is made on first use from the
/// environment and never destroyed. Plans stay usable when their context is gone.
#[derive(Debug)]
pub struct Context(Option<Own>);

#[derive(Debug)]
struct Own {
    raw: NonNull<sys::tileops_context>,
    _counter: Counter,
}

// SAFETY: any function may be called from any thread at any time (tileops.h, THREADS 1).
unsafe impl Send for Context {}
// SAFETY: as above; destroying, which must not run beside another use of the handle, needs `&mut`.
unsafe impl Sync for Context {}

/// Use of the kernel cache on disk.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CacheMode {
    /// `TILEOPS_CACHE`, else [`CacheMode::ReadWrite`].
    #[default]
    Default,
    /// No cache on disk.
    Off,
    /// Read it, never write.
    ReadOnly,
    /// Read and write it.
    ReadWrite,
}

/// Options of [`Context::new`]; what is not set asks the environment, then the default.
///
/// ```
/// use tileops::{Context, ContextOptions};
/// let context = Context::new(&ContextOptions::new().num_threads(1))?;
/// assert_eq!(context.cache_stats()?.plan_entries, 0);
/// # Ok::<(), tileops::Error>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Debug, Default)]
pub struct ContextOptions {
    /// Kernel cache on disk; environment: `TILEOPS_CACHE`.
    pub cache_mode: CacheMode,
    /// Its directory; environment: `TILEOPS_CACHE_DIR`.
    pub cache_dir: Option<PathBuf>,
    /// Its size cap in bytes; environment: `TILEOPS_CACHE_MAX_MB`; default: 512 MiB.
    pub cache_max_bytes: Option<u64>,
    /// Most plans kept for reuse; environment: `TILEOPS_PLAN_CAPACITY`; default: 1024.
    pub plan_capacity: Option<u32>,
    /// Most CPU threads of one execute; environment: `TILEOPS_NUM_THREADS`; default: all cores.
    pub num_threads: Option<u32>,
    /// Best CPU instruction set to use: `baseline`, `avx2`, `avx512`, `avx512vbmi` or `auto`; environment:
    /// `TILEOPS_CPU_ISA`.
    pub cpu_isa: Option<String>,
    /// Folders of prebuilt packs (`kernels-sm_90.pack`), which are looked in before the one beside the
    /// library; environment: `TILEOPS_PACK_DIRS`, with `:` between them.
    pub pack_dirs: Vec<PathBuf>,
    /// The file of the run-time compiler NVRTC, of which a process opens one: a context that names another
    /// one than is open is refused; environment: `TILEOPS_NVRTC`.
    pub nvrtc_path: Option<PathBuf>,
}

impl ContextOptions {
    /// No option set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Kernel cache on disk.
    #[must_use]
    pub fn cache_mode(mut self, mode: CacheMode) -> Self {
        self.cache_mode = mode;
        self
    }

    /// Its directory.
    #[must_use]
    pub fn cache_dir(mut self, dir: impl Into<PathBuf>) -> Self {
        self.cache_dir = Some(dir.into());
        self
    }

    /// Its size cap in bytes.
    #[must_use]
    pub fn cache_max_bytes(mut self, bytes: u64) -> Self {
        self.cache_max_bytes = Some(bytes);
        self
    }

    /// Most plans kept for reuse.
    #[must_use]
    pub fn plan_capacity(mut self, plans: u32) -> Self {
        self.plan_capacity = Some(plans);
        self
    }

    /// Most CPU threads of one execute.
    #[must_use]
    pub fn num_threads(mut self, threads: u32) -> Self {
        self.num_threads = Some(threads);
        self
    }

    /// Best CPU instruction set to use.
    #[must_use]
    pub fn cpu_isa(mut self, isa: impl Into<String>) -> Self {
        self.cpu_isa = Some(isa.into());
        self
    }

    /// Folders of prebuilt packs.
    #[must_use]
    pub fn pack_dirs(mut self, dirs: impl IntoIterator<Item = impl Into<PathBuf>>) -> Self {
        self.pack_dirs = dirs.into_iter().map(Into::into).collect();
        self
    }

    /// The file of the run-time compiler NVRTC.
    #[must_use]
    pub fn nvrtc_path(mut self, path: impl Into<PathBuf>) -> Self {
        self.nvrtc_path = Some(path.into());
        self
    }
}

/// Counters of a context since its creation.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)] // the names say it
pub struct CacheStats {
    pub plan_hits: u64,
    pub plan_misses: u64,
    pub plan_evictions: u64,
    pub plan_entries: u64,
    pub kernel_memory_hits: u64,
    pub kernel_pack_hits: u64,
    pub kernel_disk_hits: u64,
    pub kernel_compiles: u64,
    /// Entries on disk that were found damaged and made anew.
    pub disk_bad_entries: u64,
    /// Tables of results on CUDA devices, and plans that do without one since the device is full.
    pub tables_made: u64,
    pub tables_refused: u64,
    /// Memory of CUDA devices that the library holds now, for all contexts: tables, constants, machine code.
    pub device_bytes: u64,
}

impl Default for Context {
    /// The default context of the process.
    fn default() -> Self {
        Context(None)
    }
}

impl Context {
    /// Makes a context. The environment is read here, once.
    ///
    /// Errors: `Version` (the loaded library is too old), `InvalidArgument` (unknown ISA, a string
    /// with a NUL, a pack's folder with a `:`), `Unsupported` (an ISA that this CPU lacks), `OutOfMemory`.
    pub fn new(options: &ContextOptions) -> Result<Self> {
        version::ensure()?;
        let dir = options.cache_dir.as_deref().map(|dir| c_string("cache_dir", bytes(dir)));
        let isa = options.cpu_isa.as_deref().map(|isa| c_string("cpu_isa", isa.as_bytes()));
        let nvrtc = options.nvrtc_path.as_deref().map(|path| c_string("nvrtc_path", bytes(path)));
        let (dir, isa, nvrtc) = (dir.transpose()?, isa.transpose()?, nvrtc.transpose()?);
        let packs = joined(&options.pack_dirs)?;
        let pointer =
            |text: &Option<CString>| text.as_ref().map_or(std::ptr::null(), |t| t.as_ptr());
        let num_threads = i32::try_from(options.num_threads.unwrap_or(0))
            .map_err(|_| Error::invalid("Context: num_threads: too large"))?;
        let raw_options = sys::tileops_context_options {
            struct_size: size_of::<sys::tileops_context_options>() as u32,
            cache_mode: match options.cache_mode {
                CacheMode::Default => sys::tileops_cache_mode::DEFAULT,
                CacheMode::Off => sys::tileops_cache_mode::OFF,
                CacheMode::ReadOnly => sys::tileops_cache_mode::READ_ONLY,
                CacheMode::ReadWrite => sys::tileops_cache_mode::READ_WRITE,
            },
            cache_dir: pointer(&dir),
            cache_max_bytes: options.cache_max_bytes.unwrap_or(0),
            plan_capacity: options.plan_capacity.unwrap_or(0),
            num_threads,
            cpu_isa: pointer(&isa),
            keep_workspace: 0,
            reserved: 0,
            pack_dirs: pointer(&packs),
            nvrtc_path: pointer(&nvrtc),
        };
        let mut raw = std::ptr::null_mut();
        // SAFETY: the options and their strings live during the call.
        check(unsafe { sys::tileops_context_create(&raw_options, &mut raw) })?;
        let raw = NonNull::new(raw).ok_or_else(|| Error::invalid("Context: out: NULL"))?;
        Ok(Context(Some(Own { raw, _counter: Counter::new(&CONTEXTS) })))
    }

    /// NULL for the default context.
    pub(crate) fn as_ptr(&self) -> *mut sys::tileops_context {
        self.0.as_ref().map_or(std::ptr::null_mut(), |own| own.raw.as_ptr())
    }

    /// Counters since the creation.
    pub fn cache_stats(&self) -> Result<CacheStats> {
        version::ensure()?;
        // SAFETY: zeros are values of all its fields.
        let mut raw: sys::tileops_cache_stats = unsafe { std::mem::zeroed() };
        raw.struct_size = size_of::<sys::tileops_cache_stats>() as u32;
        // SAFETY: the struct says its size; the context is alive.
        check(unsafe { sys::tileops_cache_stats_get(self.as_ptr(), &mut raw) })?;
        Ok(CacheStats {
            plan_hits: raw.plan_hits,
            plan_misses: raw.plan_misses,
            plan_evictions: raw.plan_evictions,
            plan_entries: raw.plan_entries,
            kernel_memory_hits: raw.kernel_memory_hits,
            kernel_pack_hits: raw.kernel_pack_hits,
            kernel_disk_hits: raw.kernel_disk_hits,
            kernel_compiles: raw.kernel_compiles,
            disk_bad_entries: raw.disk_bad_entries,
            tables_made: raw.tables_made,
            tables_refused: raw.tables_refused,
            device_bytes: raw.device_bytes,
        })
    }

    /// Forgets the plans kept for reuse; those in use stay valid.
    pub fn clear_plans(&self) -> Result<()> {
        // SAFETY: the context is alive.
        check(unsafe { sys::tileops_cache_clear(self.as_ptr(), sys::TILEOPS_CACHE_PLANS) })
    }

    /// Empties the kernel cache on disk. Errors: `Io`.
    pub fn clear_disk_cache(&self) -> Result<()> {
        // SAFETY: the context is alive.
        check(unsafe { sys::tileops_cache_clear(self.as_ptr(), sys::TILEOPS_CACHE_DISK) })
    }

    /// Directory of the kernel cache; None if there is none.
    pub fn cache_dir(&self) -> Result<Option<PathBuf>> {
        let mut size = 0;
        // SAFETY: a NULL buffer asks for the size.
        check(unsafe { sys::tileops_cache_dir(self.as_ptr(), std::ptr::null_mut(), &mut size) })?;
        let mut buffer = vec![0u8; size];
        // SAFETY: the buffer has that many bytes.
        check(unsafe {
            sys::tileops_cache_dir(self.as_ptr(), buffer.as_mut_ptr().cast(), &mut size)
        })?;
        buffer.truncate(size.saturating_sub(1));
        let text = String::from_utf8_lossy(&buffer).into_owned();
        Ok((!text.is_empty()).then(|| text.into()))
    }
}

impl Drop for Own {
    fn drop(&mut self) {
        // SAFETY: owned, so that no other thread passes the handle to the library now.
        unsafe { sys::tileops_context_destroy(self.raw.as_ptr()) };
    }
}

fn c_string(argument: &str, text: &[u8]) -> Result<CString> {
    CString::new(text).map_err(|_| Error::invalid(format!("Context: {argument}: holds a NUL")))
}

/// Folders as the library takes them, with `:` between them. None: none is given.
fn joined(dirs: &[PathBuf]) -> Result<Option<CString>> {
    let dirs: Vec<&[u8]> = dirs.iter().map(|dir| bytes(dir)).collect();
    if dirs.iter().any(|dir| dir.contains(&b':')) {
        return Err(Error::invalid(
            "Context: pack_dirs: holds a ':', which stands between folders",
        ));
    }
    let text = dirs.join(&b':');
    (!dirs.is_empty()).then(|| c_string("pack_dirs", &text)).transpose()
}

#[cfg(unix)]
fn bytes(path: &Path) -> &[u8] {
    use std::os::unix::ffi::OsStrExt;
    path.as_os_str().as_bytes()
}

#[cfg(not(unix))]
fn bytes(path: &Path) -> &[u8] {
    path.to_str().unwrap_or("\0").as_bytes()
}
