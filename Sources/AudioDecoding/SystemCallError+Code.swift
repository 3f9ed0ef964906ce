import CSndfile
import FeatureModel
import FileIO
import Platform

extension SystemCallError {
    /// The error of a code.
    ///
    /// - Parameter words: The message of a library, in place of the system's.
    package init(_ code: Int32, words: String? = nil) {
        let message = words ?? strerror(code).map { String(cString: $0) } ?? "error \(code)"
        self.init(code: code, message: message, isFault: SystemError(code: code).isFault)
    }

    /// The error of a call that only looks up the file's name.
    init(lookingUp code: Int32) {
        let error = SystemCallError(code)
        self.init(code: code, message: error.message, isFault: error.isFault || code == EIO)
    }

    /// The system's error behind a libsndfile error; nil: the file is at fault.
    ///
    /// - Parameters:
    ///   - file: The handle whose last call failed; nil: opening one failed.
    ///   - code: `errno` right after that call: libsndfile keeps only the words.
    ///   - words: libsndfile's.
    init?(ofSoundFile file: OpaquePointer?, code: Int32, words: String) {
        guard sf_error(file) == SF_ERR_SYSTEM else { return nil }
        self.init(code, words: words)
    }
}
