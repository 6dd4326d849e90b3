# A step of AdamW over all parameters of a model by one call: on a GPU one launch for some hundreds of them.
using TileOps

const ADAMW = Expression("""
    (p, g, m, v; lr = 1e-3, b1 = 0.9, b2 = 0.999, eps = 1e-8, wd = 0.01, t = 1) -> {
      n = lerp(m, g, 1 - b1);  q = v * b2 + g * g * (1 - b2);
      p * (1 - lr * wd) - lr / (1 - b1 ** t) * n / (sqrt(q / (1 - b2 ** t)) + eps), n, q }""")

# Parameters of many lengths, one of which is empty, each with its gradient and its moments.
function model()
    sizes = (96, 1, 7, 0, 64, 65, 1000, 3, 96, 96, 17, 31, 4096, 5, 128, 2, 33, 12, 70000, 8)
    [(p=Float32[i % 7 - 3 for i in 1:n], g=Float32[i % 5 - 2 for i in 1:n], m=zeros(Float32, n), v=zeros(Float32, n)) for n in sizes]
end

# The same step as a loop.
function plain_step!(x, lr, t)
    for i in eachindex(x.p)
        m, v = 0.9 * x.m[i] + 0.1 * x.g[i], 0.999 * x.v[i] + 0.001 * x.g[i]^2
        x.p[i] = x.p[i] * (1 - lr * 0.01) - lr * m / (1 - 0.9^t) / (sqrt(v / (1 - 0.999^t)) + 1e-8)
        x.m[i], x.v[i] = m, v
    end
end

# One plan for parameters of any length.
any_length = TileOps.TensorSpec(Float32, (:,))
plan = Plan(ADAMW, (any_length, any_length, any_length), any_length, any_length, any_length, any_length; list=true)

trained, plain = model(), model()
items = [((x.p, x.m, x.v), x.p, x.g, x.m, x.v) for x in trained]  # p, m and v are written where they are
for t in 1:10
    lr = 0.01 * (11 - t)
    TileOps.execute_list!(plan, items; lr=lr, t=t)
    foreach(x -> plain_step!(x, lr, t), plain)
end
all(all(abs.(x.p .- y.p) .< 1e-5) for (x, y) in zip(trained, plain)) || error("wrong results")
println(length(items), " tensors by one call a step, as a plain loop has them")
