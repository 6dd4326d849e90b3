// The part of <cutlass/array.h> that cutlass_functor.h uses, for where CUTLASS is not at hand.
namespace cutlass {

template <class T, int N>
struct Array {
  T storage[N];
  __host__ __device__ T* raw_data() { return storage; }
  __host__ __device__ T& operator[](int i) { return storage[i]; }
  __host__ __device__ const T& operator[](int i) const { return storage[i]; }
};

}  // namespace cutlass
