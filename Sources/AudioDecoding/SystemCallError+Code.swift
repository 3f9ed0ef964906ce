import CSndfile
import FeatureModel
import FileIO
import Platform

extension SystemCallError {
    /// The error of reading a recording.
    ///
    /// - Parameter words: The message of a library, in place of the system's.
    package init(_ code: Int32, words: String? = nil) {
        let error = SystemError(code: code)
        self.init(code: code, message: words ?? error.words, isFault: error.isFaultBehindRecording)
    }

    /// The error of a call that only looks up the recording's name.
    init(lookingUp code: Int32) {
        let error = SystemError(code: code)
        self.init(code: code, message: error.words, isFault: error.isFault)
    }

    /// The error of writing a file for the time of the run.
    init(writing error: SystemError) {
        self.init(code: error.code, message: error.description, isFault: error.isFault)
    }

    /// The system's error that a libsndfile error comes from; nil: the file is at fault.
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
