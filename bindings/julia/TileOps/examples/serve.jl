# A server's step: one plan for any batch. Requests come and go, the number of rows is another one with each step, and nothing is
# planned then; tasks share the plan.
using TileOps

const MOST, COLUMNS = 512, 1024

# A row of the library is a column of Julia. Columns are open, up to as many as the memory has; that those of x, r and the
# results are as many, the text says.
rows = TileOps.TensorSpec(Float32, (COLUMNS, TileOps.UpTo(MOST)))
w = TileOps.TensorSpec(Float32, (COLUMNS,))
plan = Plan(Expression("(x[.., n], r[.., n], w[n]) -> { y = x + r;  y, rms_norm(y, w) }"), (rows, rows), rows, rows, w)

# Has memory once, and says how many rows it computed, and the last batch.
function serve(plan, worker)
    x, r, w = [Float32(i % 5) for i in 1:COLUMNS, _ in 1:MOST], ones(Float32, COLUMNS, MOST), fill(2f0, COLUMNS)
    sum, y = similar(x), similar(x)
    done, batch = 0, worker
    for step in 0:99
        batch = (37batch + step) % (MOST + 1)  # requests that came and went; there may be none
        part(A) = view(A, :, 1:batch)
        execute!(plan, (part(sum), part(y)), part(x), part(r), w)
        done += batch
    end
    view(sum, :, 1:batch) == view(x, :, 1:batch) .+ 1 || error("wrong results")
    "worker $worker: $done rows by one plan, $batch of them last"
end

tasks = [Threads.@spawn(serve(plan, worker)) for worker in 1:4]
foreach(println ∘ fetch, tasks)
println("a result of 7 rows: ", TileOps.plan_result(plan, 2, 7)[2], ", ", TileOps.plan_at(plan, 7).bytes_moved, " bytes moved")
