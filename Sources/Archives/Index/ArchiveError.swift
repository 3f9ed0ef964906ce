import FileIO
import Platform

/// Why an archive, or a member of one, cannot be read: a clause that follows the names of both.
package struct ArchiveError: Error, Hashable, Sendable {
    package enum Cause: Hashable, Sendable {
        /// There is no archive, or no member in it, of this name.
        case missing
        /// The archive or the member is damaged, of another kind than expected, or too large.
        case content
        /// The archive is compressed by what is not read; nothing is known to be wrong with it.
        case unread
        /// The system refused to read the archive.
        case system(SystemError)
        /// The system refused to keep bytes of it in a file for the time of the run.
        case unkept(SystemError)
        /// The caller stopped it.
        case stopped
    }

    package let cause: Cause
    package let words: String

    package init(_ words: String) { (cause, self.words) = (.content, words) }

    init(_ cause: Cause, _ words: String) { (self.cause, self.words) = (cause, words) }

    /// The system refused an operation, a verb with its object.
    init(_ error: SystemError, cannot operation: String) {
        self.init(.system(error), "cannot \(operation): \(error)")
    }

    /// The error of opening an archive.
    init(opening error: SystemError) {
        self =
            error.code == ENOENT || error.code == ENOTDIR
            ? ArchiveError(.missing, "there is no such archive (\(error))")
            : ArchiveError(error, cannot: "open the archive")
    }

    /// The bytes of a stream's recording cannot be kept.
    package static func keeping(_ error: SystemError) -> ArchiveError {
        ArchiveError(keeping: error, cannot: "keep a recording of it")
    }

    /// Unpacked bytes cannot be kept.
    init(keeping error: SystemError, cannot operation: String) {
        self.init(.unkept(error), "cannot \(operation): \(error)")
    }

    /// The fault of the system, if the archive is all that is read, not one of many recordings; nil: the archive itself is at fault.
    package var fault: SystemError? {
        switch cause {
        case .system(let error), .unkept(let error): error.isFault ? error : nil
        case .missing, .content, .unread, .stopped: nil
        }
    }

    /// A decompressor could not be made.
    static func outOfMemory(_ error: CompressionError) -> ArchiveError {
        ArchiveError(.system(SystemError(code: ENOMEM)), "\(error)")
    }

    static let cutOffPacked = ArchiveError("it is cut off: the end of its compressed data is missing")

    package static let zipInStream = ArchiveError("a zip has its list at its end: give it as a file")

    static let neither = ArchiveError("it is neither a tar archive nor a zip")

    static let inDamagedTar = ArchiveError("it starts like a damaged tar, and ends like a zip: unpack it")

    static let notTar = ArchiveError("it is not a tar archive")

    static let stopped = ArchiveError(.stopped, "stopped")

    /// Whether another attempt may succeed although the archive is the same.
    var isTransient: Bool {
        switch cause {
        case .system, .unkept, .stopped: true
        case .missing, .content, .unread: false
        }
    }
}

extension ArchiveError: CustomStringConvertible {
    package var description: String { words }
}
