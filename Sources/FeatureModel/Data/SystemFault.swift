/// An error that knows whether the system caused it: no memory, threads or descriptors left, a full disk, a file server gone.
/// The same command may succeed later.
package protocol SystemFaultReporting: Error {
    /// Whether the system is at fault, not the input.
    var isSystemFault: Bool { get }
}

extension Error {
    /// Whether the system is at fault, not the input; false where the error does not say.
    package var isSystemFault: Bool { (self as? any SystemFaultReporting)?.isSystemFault ?? false }
}

extension ClipFailure: SystemFaultReporting {}

/// An error of the operating system.
public struct SystemCallError: Hashable, Sendable {
    /// `errno`; 0: a library did not pass it on.
    public let code: Int32
    /// The words of the system, or of a library that passes them on.
    public let message: String
    /// Whether the cause is the system, not the file: other files would fail, too.
    public let isFault: Bool

    /// Keeps the values.
    public init(code: Int32, message: String, isFault: Bool) {
        self.code = code
        self.message = message
        self.isFault = isFault
    }
}
