"""The benchmarks: README.md. Scripts put the root of the repository on sys.path."""
