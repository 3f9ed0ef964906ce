import AudioDecoding
import DatasetExtraction
import FeatureModel
import FileIO
import Platform
import Presentation

/// Why a live analysis cannot start or has ended, apart from errors of configuration and storage.
package enum LiveError: Error, Hashable, Sendable {
    /// It was cancelled before it started.
    case cancelled
    /// The input ended, or could not be read, before a sample came.
    case empty(name: String)
    /// The bytes are no WAV file, and no format was given.
    case unknownFormat(name: String, found: String)
    /// The bytes are those of a recording that is not read as a stream.
    case recording(name: String, kind: String)
    /// A WAV header that cannot be used.
    case header(name: String, reason: String)
    /// A WAV header says something else than was given.
    case otherFormat(name: String, option: String, given: String, found: String)
    /// The operating system refused to open or read.
    case unreadable(name: String, code: Int32)
    /// The operating system refused to write the filtered samples.
    case unwritable(code: Int32)
    /// What comes in cannot be analysed.
    case input(name: String, failure: ClipFailure)
    /// The configuration needs the whole clip first.
    case needsWholeClip(key: String, found: String, instead: String)
    /// An interrupted extraction has left clips where the recording would be kept.
    case interruptedRun(folder: String)
    /// The feature file could not be written, and what was recorded is kept.
    case keptRecording(output: String, cause: String, isSystemFault: Bool)
    /// There is no interrupted recording.
    case nothingToRecover(output: String)
    /// Of an interrupted recording rows are damaged.
    case lostRows(name: String, found: Int, folder: String)
    /// Nothing was long enough for a frame, so there is nothing to store.
    case nothingRecorded(output: String)
}

extension LiveError: CustomStringConvertible {
    /// The error as one sentence for a person.
    package var description: String {
        switch self {
        case .cancelled: "stopped before there was anything to show"
        case .empty(let name): "\(name): expected samples, found none: the input has ended"
        case .unknownFormat(let name, let found):
            "\(name): expected a WAV header, found \(found): for raw samples give --rate, and --format and --channels "
                + "where they are not s16le and 1"
        case .recording(let name, let kind):
            "\(name): expected WAV or raw samples, found \(kind): give its file with --file, or decode it first, such as by sox or "
                + "ffmpeg"
        case .header(let name, let reason): "\(name): \(reason)"
        case .otherFormat(let name, let option, let given, let found):
            "\(name): the WAV header says \(found), but \(option) \(given) was given: leave \(option) out"
        case .unreadable(let name, let code): "\(name): cannot be read: \(SystemError(code: code))"
        case .unwritable(let code):
            "the filtered samples cannot be written to standard output: \(SystemError(code: code))"
        case .input(let name, let failure): "\(name): \(failure.reason)"
        case .needsWholeClip(let key, let found, let instead):
            "\(key) is \(found), which needs to know the whole recording first: give --set \(key)=\(instead) for a display; 'veery extract' computes it "
                + "of a folder of recordings"
        case .interruptedRun(let folder):
            "\(folder): an interrupted 'veery extract' of this output has left clips here: finish it, or give "
                + "--record another name"
        case .keptRecording(let output, let cause, _):
            "\(cause)\nWhat was recorded is kept in \(output).spool. Once that is mended, complete it: "
                + ExtractionError.recovery(of: output)
        case .nothingToRecover(let output):
            "\(output): expected what an interrupted recording has left in \(output).spool, found none"
        case .lostRows(let name, let found, let folder):
            "\(name): what follows frame \(found) of the interrupted recording is damaged, and stays in \(folder)"
        case .nothingRecorded(let output):
            "\(output): not written, since no frame, or no patch of frames, was complete: the input was too short"
        }
    }
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
