import AudioDecoding
import DatasetExtraction
import FeatureModel
import FileIO
import Platform

/// Why a live analysis cannot start or has ended, apart from errors of configuration and storage.
package enum LiveError: Error, Hashable, Sendable {
    /// It was cancelled before it started.
    case cancelled
    /// The input ended, or could not be read, before a sample came.
    case empty(name: String)
    /// The bytes are not a WAV file, and no format was given.
    case unknownFormat(name: String, found: String)
    /// The bytes are those of a recording that is not read as a stream.
    case recording(name: String, kind: String)
    /// A WAV header that cannot be used.
    case header(name: String, reason: String)
    /// A WAV header says something else than was given.
    case otherFormat(name: String, LiveSetting, given: String, found: String)
    /// The operating system refused to open or read.
    case unreadable(name: String, code: Int32)
    /// The operating system refused to write the filtered samples.
    case unwritable(code: Int32)
    /// What comes in cannot be analysed.
    case input(name: String, failure: ClipFailure)
    /// A stream has ended before what its header promised.
    case cutOff(name: String, CutOff)
    /// The configuration needs the whole clip first.
    case needsWholeClip(key: String, found: String, instead: String)
    /// The configuration resizes rows or columns, which is done of whole clips.
    case resizedRows(key: String)
    /// An interrupted extraction has left clips where the recording would be kept.
    case interruptedRun(folder: String)
    /// The feature file could not be written, and what was recorded is kept.
    case keptRecording(output: String, cause: String, isSystemFault: Bool)
    /// There is no interrupted recording.
    case nothingToRecover(output: String)
    /// Rows of an interrupted recording are damaged.
    case lostRows(name: String, found: Int, folder: String)
    /// Nothing was long enough for a frame, so there is nothing to store.
    case nothingRecorded(output: String)
}

/// The properties of samples that options give for raw ones, and the header of a WAV for its own.
package enum LiveSetting: Sendable {
    case sampleRate, encoding, channels
}

extension LiveError: SystemFaultReporting {
    package var isSystemFault: Bool {
        switch self {
        // What is read is a recording.
        case .unreadable(_, let code): SystemError(code: code).isFaultBehindRecording
        case .unwritable(let code): SystemError(code: code).isFault
        case .input(_, let failure): failure.isSystemFault
        case .keptRecording(_, _, let isSystemFault): isSystemFault
        default: false
        }
    }
}
