import Concurrency
import Platform

/// Why a server did not start.
package enum PageServerError: Error, Hashable, Sendable {
    /// Another program listens on the port.
    case portInUse(Int)
    /// The system refused the port, with an error number.
    case cannotListen(port: Int, code: Int32)
    case noThread(NoThread)
}

extension PageServerError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .portInUse(let port): "port \(port) is in use"
        case .cannotListen(let port, let code): "cannot listen on port \(port): \(String(cString: strerror(code)))"
        case .noThread(let error): error.description
        }
    }
}
