cpu = TileOps.devices()[1]
@test cpu.type === :cpu && cpu.id == 0 && cpu.units >= 1 && cpu.memory_bytes > 0 && !isempty(cpu.name)
@test occursin("cpu:0", string(cpu))
@test TileOps.functional() && isfile(TileOps.libpath()) && TileOps.libversion() >= v"0.1"
shown = sprint(TileOps.versioninfo)
@test occursin(TileOps.libpath(), shown) && occursin("cpu:0", shown)

@test R.dl_device(cpu) == R.dl_device(:cpu) == R.CPU && R.dl_device((:cuda, 1)) == R.DLDevice(2, 1)
@test TileOps.create_stream(:cpu) == C_NULL
@test TileOps.destroy_stream(:cpu, C_NULL) === nothing && TileOps.synchronize_stream(:cpu, C_NULL) === nothing

# Without a GPU asking for one is an error; with one, memory and a plan go there and back.
if any(d -> d.type === :cuda, TileOps.devices())
    stream = TileOps.create_stream(:cuda)
    x = rand(Float32, 3, 4)
    xd, yd = TileOps.undefined_tensor(Float32, (3, 4); device=:cuda), TileOps.undefined_tensor(Float32, (3, 4); device=:cuda)
    TileOps.copy_tensor!(xd, x; stream=stream)
    execute!(Plan(:neg, yd, xd), yd, xd; stream=stream)
    y = TileOps.copy_tensor!(similar(x), yd; stream=stream)
    TileOps.synchronize_stream(:cuda, stream)
    @test y == -x
    @test_throws TileOpsError yd[1]
    # A plan that needs a workspace keeps one for the stream.
    shares = Plan(Expression("(x) -> x / sum(x) / sum(x, axis = -2)"), yd, xd)
    for _ in 1:3
        execute!(shares, yd, xd; stream=stream)
    end
    @test [kept.stream for kept in shares.workspaces.free] == [stream]
    y = TileOps.copy_tensor!(similar(x), yd; stream=stream)
    TileOps.synchronize_stream(:cuda, stream)
    @test y ≈ x ./ sum(x; dims=1) ./ sum(x; dims=2)
    execute!(shares, yd, xd; stream=stream, workspace=TileOps.workspace(shares))
    TileOps.synchronize_stream(:cuda, stream)
    close(shares)
    TileOps.destroy_stream(:cuda, stream)
else
    println("devices: no CUDA device here, so its path is tried for its errors alone")
    @test_throws TileOpsError TileOps.undefined_tensor(Float32, (3,); device=:cuda)
    @test_throws TileOpsError TileOps.create_stream(:cuda)
    spec = TileOps.TensorSpec(Float32, (3,); device=:cuda)
    @test_throws TileOpsError Plan(:neg, spec, spec)
end

context = Context()
TileOps.exp([1.0]; context=context)
@test TileOps.cache_stats(context).plan_entries == 1
TileOps.clear_cache!(context)
@test TileOps.cache_stats(context).plan_entries == 0
close(context)
for level in (:debug, :off, :warn)
    @test TileOps.log_level!(level) === nothing
end
