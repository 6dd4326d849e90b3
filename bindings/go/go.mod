module github.com/libtileops/libtileops/bindings/go

go 1.21
