# How the library is found, each in a process of its own.
package = dirname(@__DIR__)
library = TileOps.libpath()

# Runs code with TILEOPS_LIBRARY set to `path`; what it prints.
function run_julia(code, path)
    command = `$(Base.julia_cmd()) --startup-file=no --project=$package -e "using TileOps; $code"`
    read(setenv(command, "TILEOPS_LIBRARY" => path, (k => v for (k, v) in ENV if k != "TILEOPS_LIBRARY")...), String)
end

describe_failure = "print(TileOps.functional(), ' '); try TileOps.neg([1.0]) catch e; showerror(stdout, e) end; TileOps.versioninfo()"

@test run_julia("print(TileOps.libpath())", library) == library
@test run_julia("print(TileOps.functional())", dirname(library)) == "true"

missing_file = run_julia(describe_failure, "/nowhere/libtileops.so")
@test startswith(missing_file, "false TileOps.LibraryError: ")
@test occursin("/nowhere/libtileops.so", missing_file) && occursin("TILEOPS_LIBRARY", missing_file)
for code in ("Context()", "Plan(:neg, [1.0], [1.0])", "TileOps.libpath()", "TileOps.devices()", "TileOps.call(:neg, 1.0)",
             "TileOps.libversion()", "TileOps.log_level!(:off)", "TileOps.cache_stats()", "TileOps.neg.([1.0])",
             "TileOps.set_library!(\\\"/nowhere\\\")")
    code = replace(code, "\\" => "")
    @test run_julia("try $code catch e; print(typeof(e)) end", "/nowhere") == "TileOps.Runtime.LibraryError"
end

# Named later, where none was found; a second one is refused.
@test run_julia("TileOps.set_library!($(repr(library))); print(TileOps.neg(1.0))", "/nowhere") == "-1.0"
@test run_julia("TileOps.set_library!($(repr(library))); print(TileOps.functional())", library) == "true"
@test run_julia("try TileOps.set_library!(\"/other.so\") catch e; print(e.message) end", library) ==
    "$library is open already; restart Julia to use /other.so"

# Libraries of another version, and one that is none.
compiler = Sys.which(get(ENV, "CC", "cc"))
if compiler === nothing
    println("library: no C compiler, so libraries of another version are not tried")
else
    mktempdir() do dir
        function build(name, source)
            file = joinpath(dir, name)
            write(file * ".c", source)
            run(`$compiler -shared -fPIC -o $file $file.c`)
            file
        end
        version(v) = "unsigned tileops_version(void) { return $v; }"
        for (name, source, text) in (("old.so", version(99), "got 0.0.99, need 0.1.0"),
                                     ("new.so", version(200), "got 0.2.0, need 0.1.0"),
                                     ("other.so", "int other;", "is not libtileops"),
                                     ("part.so", version(100), "lacks tileops_status_name"))
            shown = run_julia(describe_failure, build(name, source))
            @test startswith(shown, "false TileOps.LibraryError: ") && occursin(text, shown)
        end
        text_file = joinpath(dir, "text.so")
        write(text_file, "no library")
        @test startswith(run_julia(describe_failure, text_file), "false TileOps.LibraryError: ")
    end
end
@test R.preferred_library() == ""
