import CSndfile
import FeatureModel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

extension SystemError {
    /// Codes that say nothing of a recording, and that any other would meet too: no descriptors, memory or threads, a full
    /// disk (or a file at its limit), a disk or a file server gone. `EIO` is not among them: a bad sector is that of one
    /// recording, unless not even the file's name can be looked up.
    package static let faults: Set<Int32> = {
        var codes: Set<Int32> = [
            EMFILE, ENFILE, ENOMEM, EAGAIN, ESTALE, ENOTCONN, ENODEV, ENXIO, ETIMEDOUT, EHOSTDOWN, EHOSTUNREACH,
            ENETDOWN, ENOSPC, EDQUOT, EFBIG,
            ENETUNREACH, ECONNABORTED, ECONNRESET, ECONNREFUSED, ESHUTDOWN, ENOLCK,
        ]
        #if canImport(Glibc)
            codes.formUnion([EREMOTEIO, ENOMEDIUM])
        #endif
        return codes
    }()

    /// The error of a code.
    ///
    /// - Parameter words: A library's, in place of the system's.
    package init(_ code: Int32, words: String? = nil) {
        let message = words ?? strerror(code).map { String(cString: $0) } ?? "error \(code)"
        self.init(code: code, message: message, isFault: Self.faults.contains(code))
    }

    /// The error of a call that only looks the file's name up.
    init(lookingUp code: Int32) {
        let error = SystemError(code)
        self.init(code: code, message: error.message, isFault: error.isFault || code == EIO)
    }

    /// The system's error that libsndfile passes on; nil: the file is at fault.
    ///
    /// - Parameters:
    ///   - file: The handle whose last call failed; nil: opening one failed.
    ///   - code: `errno` right after that call: libsndfile keeps the words alone.
    ///   - words: libsndfile's.
    init?(ofSoundFile file: OpaquePointer?, code: Int32, words: String) {
        guard sf_error(file) == SF_ERR_SYSTEM else { return nil }
        self.init(code, words: words)
    }
}
