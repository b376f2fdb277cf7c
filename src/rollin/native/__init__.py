"""numba, made pleasant: kernels kept by content, structs passed by reference, one hash function."""
