import Platform

/// An error of the operating system, by its `errno`.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The number.
    package let code: Int32

    /// Keeps the number.
    package init(code: Int32) { self.code = code }

    /// That of the call before.
    package static var last: SystemError { SystemError(code: errno) }

    /// The system's own text.
    package var description: String { String(cString: strerror(code)) }
}
