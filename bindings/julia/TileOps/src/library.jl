# Finding and opening the C library. It is opened once in a process and never closed: handles and
# arrays whose finalizers run late still call it.

"The shared library cannot be found or opened, or has the wrong version."
struct LibraryError <: Exception
    message::String
end

Base.showerror(io::IO, e::LibraryError) = print(io, "TileOps.LibraryError: ", e.message)

const LIBRARY_NAMES = Sys.isapple() ? ("libtileops.0.1.dylib", "libtileops.dylib") :
    ("libtileops.so.0.1", "libtileops.so")

const LIB = Symbols()
const LIB_PATH = Ref("")
const LIB_LOCK = ReentrantLock()
const LOAD_FAILURE = Ref("TileOps was not initialised")

"The preference `library` of LocalPreferences.toml; Julia 1.6 and newer can have one."
function preferred_library()
    isdefined(Base, :get_preferences) || return ""
    uuid = Base.PkgId(parentmodule(@__MODULE__)).uuid
    uuid === nothing && return ""
    String(get(Base.get_preferences(uuid), "library", ""))
end

# (where the choice comes from, what to open): a file, or a folder that has one.
function candidates()
    for (source, path) in (("environment variable TILEOPS_LIBRARY", get(ENV, "TILEOPS_LIBRARY", "")),
                           ("preference \"library\"", preferred_library()))
        isempty(path) && continue
        isdir(path) && return source, String[joinpath(path, name) for name in LIBRARY_NAMES]
        return source, [String(path)]
    end
    "the system's library path", collect(String, LIBRARY_NAMES)
end

version_text(v) = string(v ÷ 10000, ".", v ÷ 100 % 100, ".", v % 100)

# Before 1.0 another minor version is another interface.
compatible(v) = v ÷ 100 == HEADER_VERSION ÷ 100 && v >= HEADER_VERSION

# Opens `path` and fills LIB; returns "" or what is wrong with it.
function open_library(path)
    handle = try
        Libdl.dlopen(path)
    catch e
        return sprint(showerror, e)
    end
    version = Libdl.dlsym(handle, :tileops_version; throw_error=false)
    if version === nothing
        Libdl.dlclose(handle)
        return "$path: is not libtileops (it has no tileops_version)"
    end
    got = ccall(version, UInt32, ())
    if !compatible(got)
        Libdl.dlclose(handle)
        return "$path: its version does not fit (got $(version_text(got)), need " *
               "$(version_text(HEADER_VERSION)) or a newer 0.$(HEADER_VERSION ÷ 100 % 100))"
    end
    missing_names = [n for n in fieldnames(Symbols) if Libdl.dlsym(handle, n; throw_error=false) === nothing]
    if !isempty(missing_names)
        Libdl.dlclose(handle)
        return "$path: lacks $(join(missing_names, ", "))"
    end
    for name in fieldnames(Symbols)
        setfield!(LIB, name, Libdl.dlsym(handle, name))
    end
    LIB_PATH[] = Libdl.dlpath(handle)
    LOAD_FAILURE[] = ""
    ""
end

# Called when the package is loaded. A missing library is no error until it is needed, so that
# programs can ask `functional()`.
function load()
    source, paths = candidates()
    failures = String[]
    lock(LIB_LOCK) do
        for path in paths
            failure = open_library(path)
            isempty(failure) && return
            push!(failures, "  " * failure)
        end
        LOAD_FAILURE[] = "libtileops cannot be used. Tried, by $source:\n" * join(failures, "\n") *
            "\nSet TILEOPS_LIBRARY to the library's file or folder before Julia starts, " *
            "or call TileOps.set_library!(path)."
    end
    nothing
end

loaded() = LIB.tileops_version != C_NULL

require_library() = loaded() || throw(LibraryError(LOAD_FAILURE[]))

"""
    TileOps.functional()

Is the C library there, with a version that fits? If not, every operator throws
`TileOps.LibraryError`, whose message says what was tried.
"""
functional() = loaded()

"""
    TileOps.set_library!(path)

Opens the C library at `path`, a file or a folder, where none could be opened when the package was
loaded. A process has one library: throws `TileOps.LibraryError` if another one is open.
"""
function set_library!(path::AbstractString)
    lock(LIB_LOCK) do
        file = isdir(path) ? joinpath(path, first(LIBRARY_NAMES)) : String(path)
        if loaded()
            ispath(file) && realpath(file) == realpath(LIB_PATH[]) && return LIB_PATH[]
            throw(LibraryError("$(LIB_PATH[]) is open already; restart Julia to use $file"))
        end
        failure = open_library(file)
        isempty(failure) || throw(LibraryError(failure))
        LIB_PATH[]
    end
end

"""
    TileOps.libpath()

The file that the C library was loaded from.
"""
libpath() = (require_library(); LIB_PATH[])

"""
    TileOps.libversion()

The version of the C library, a `VersionNumber`.
"""
function libversion()
    require_library()
    VersionNumber(unsafe_string(ccall(LIB.tileops_version_string, Cstring, ())))
end

"""
    TileOps.versioninfo(io=stdout)

Prints what a bug report should tell: versions, the library's file and build, devices.
"""
function versioninfo(io::IO=stdout)
    println(io, "TileOps.jl on Julia ", VERSION)
    if !functional()
        println(io, LOAD_FAILURE[])
        return
    end
    println(io, "  library: ", libpath())
    println(io, "  build:   ", unsafe_string(ccall(LIB.tileops_build_info, Cstring, ())))
    for device in devices()
        println(io, "  device:  ", device)
    end
end
