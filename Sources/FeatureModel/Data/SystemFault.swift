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
