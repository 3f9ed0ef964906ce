/// An error that knows whether the system caused it: no memory, threads or descriptors left, a full disk, a file server gone.
/// The same command may succeed another time.
package protocol SystemFaultReporting: Error {
    /// Whether the system is at fault, and not what was read or asked for.
    var isSystemFault: Bool { get }
}

extension Error {
    /// Whether the system is at fault, and not what was read or asked for; false where the error does not say.
    package var isSystemFault: Bool { (self as? any SystemFaultReporting)?.isSystemFault ?? false }
}

extension ClipFailure: SystemFaultReporting {}

/// What the operating system answered to a call.
public struct SystemCallError: Hashable, Sendable {
    /// `errno`; 0: a library did not pass it on.
    public let code: Int32
    /// The system's words for it, or a library's that include them.
    public let message: String
    /// Whether the error says nothing of the file, and other files would meet it too.
    public let isFault: Bool

    /// Keeps the values.
    public init(code: Int32, message: String, isFault: Bool) {
        self.code = code
        self.message = message
        self.isFault = isFault
    }
}
