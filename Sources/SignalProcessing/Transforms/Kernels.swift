import CKernels

/// The innermost loops, as compiled for this processor: see `kernels.h`.
enum Kernels {
    /// Asking costs less than a loop over eight numbers.
    static var best: UnsafePointer<veery_kernels> { veery_kernels_best() }
}
