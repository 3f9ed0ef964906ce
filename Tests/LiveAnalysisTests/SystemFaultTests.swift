import AudioDecoding
import ClipFeatures
import FeatureModel
import FeatureStorage
import FileIO
import Foundation
import Manifests
import SignalProcessing
import Testing

@testable import Concurrency
@testable import DatasetExtraction
@testable import LiveAnalysis

struct SystemFaultTests {
    /// The errors of a call of the system about anything but the bytes of a recording.
    private static func writing(_ code: Int32) -> [any Error] {
        let error = SystemError(code: code)
        let atomic: [AtomicFileError] = [
            .creating(error), .writing(error, offset: 1), .synchronizing(error), .closing(error), .naming(error),
            .displaced(error, kept: "old"),
        ]
        var errors: [any Error] = atomic.map { StorageError($0, path: "f") }
        errors +=
            [
                StorageError.system(operation: "reading", path: "f", code: code),
                StorageError.hdf5(operation: "writing", path: "f", detail: "x", code: code),
                ExtractionError.unwritableFolder(path: "a", reason: "x", code: code), LiveError.unwritable(code: code),
                ManifestError.systemError(path: "m", operation: "read it", code),
                SoundFileError.failed(path: "a", operation: "write it", error),
            ] as [any Error]
        return errors
    }

    @Test func `a recording that cannot be read is not the machine's fault, whatever else cannot be is`() {
        #expect(!ClipFailure.cannotRead(SystemCallError(EIO)).isSystemFault)
        #expect(!LiveError.unreadable(name: "a", code: EIO).isSystemFault)
        #expect(LiveError.unreadable(name: "a", code: EMFILE).isSystemFault)
    }

    @Test func `errors of the machine are told apart from those that will come again`() {
        let machine: [any Error] = [
            NoThread(code: EAGAIN), SignalError.outOfMemory(bytes: 1),
            StorageError.system(operation: "writing", path: "f", code: ENOSPC),
            StorageError.system(operation: "writing", path: "f", code: EDQUOT),
            StorageError.system(operation: "opening", path: "f", code: EMFILE),
            StorageError.hdf5(operation: "opening", path: "f", detail: "x", code: EMFILE),
            InputFault(path: "a", reason: "x"),
            ExtractionError.unwritableFolder(path: "a", reason: "x", code: ENOSPC),
            ClipFailure.cannotRead(SystemCallError(ENFILE)), LiveError.unwritable(code: ENOSPC),
            LiveError.keptRecording(output: "o", cause: "x", isSystemFault: true),
            ManifestError.systemError(path: "m", operation: "read it", ENFILE),
            SoundFileError.failed(path: "a", operation: "write it", SystemError(code: ENOSPC)),
            SoundFileError.damaged(path: "a", reason: "x", isSystemFault: true),
        ]
        for error in machine + [EIO, EROFS, EDQUOT].flatMap(Self.writing) {
            #expect(error.isSystemFault, "\(error)")
            #expect(StoppedExtraction(cause: error, done: 1, total: 2, folder: "f").isSystemFault)
        }
        let others: [any Error] = [
            ExtractionError.cancelled, ExtractionError.notReplaceable(path: "a"),
            ClipFailure.cannotRead(SystemCallError(EACCES)),
            // Only the words are those of a fault.
            ClipFailure.notDecodable(words: String(cString: strerror(ENFILE)), nil),
            ExtractionError.unwritableFolder(path: "a", reason: String(cString: strerror(ENOSPC))),
            StorageError.system(operation: "opening", path: "f", code: EACCES),
            StorageError.system(operation: "making a tensor", path: "f", code: EOVERFLOW),
            StorageError.damaged(path: "f", found: "x"),
            // Only the words are those of a fault.
            StorageError.hdf5(operation: "opening", path: "f", detail: String(cString: strerror(ENOSPC)), code: nil),
            ManifestError.notFound(path: "m"),
            LiveError.keptRecording(output: "o", cause: "x", isSystemFault: false), SignalError.noPlan(length: 3),
        ]
        for error in others {
            #expect(!error.isSystemFault, "\(error)")
            #expect(!StoppedExtraction(cause: error, done: 1, total: 2, folder: "f").isSystemFault)
        }
    }
}
