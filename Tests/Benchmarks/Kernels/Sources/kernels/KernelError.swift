/// Why a kernel could not be timed.
struct KernelError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
