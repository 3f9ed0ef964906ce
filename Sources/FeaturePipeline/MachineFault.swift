import AudioDecoding
import FeatureModel
import FeatureStorage
import Manifests
import SignalProcessing

/// Tells errors of the machine (no memory, threads, descriptors or room on the disk, a file server gone), after which the same
/// command may succeed another time, from those that will come again.
package enum MachineFault {
    /// Whether the machine is at fault.
    package static func isCause(of error: any Error) -> Bool {
        switch error {
        case is NoThread: true
        case let error as StoppedExtraction: isCause(of: error.cause)
        case let error as ClipFailure: error.isOfMachine
        case let error as StorageError: isCause(of: error)
        case let error as ExtractionError: isCause(of: error)
        case let error as LiveError: isCause(of: error)
        case SignalError.outOfMemory: true
        case FilteringError.recording(_, let failure): failure.isOfMachine
        case ManifestError.systemError(_, _, let reason): isNamed(in: reason)
        case AnnotationError.unreadable(_, let reason): isNamed(in: reason)
        case SoundFileError.failed(_, _, let reason), SoundFileError.damaged(_, let reason): isNamed(in: reason)
        default: false
        }
    }

    /// Whether a reason that a system or a library gave in words is one of them.
    package static func isNamed(in reason: String) -> Bool { MachineError.isNamed(in: reason) }

    private static func isCause(of error: StorageError) -> Bool {
        switch error {
        case .system(_, _, let code): MachineError.codes.contains(code)
        // HDF5 hands on what the system said, among other things.
        case .hdf5(_, _, let detail), .notFeatures(_, let detail): isNamed(in: detail)
        default: false
        }
    }

    private static func isCause(of error: ExtractionError) -> Bool {
        switch error {
        case .unusableMachine: true
        case .unwritableFolder(_, let reason): isNamed(in: reason)
        default: false
        }
    }

    private static func isCause(of error: LiveError) -> Bool {
        switch error {
        case .unreadable(_, let code), .unwritable(let code): MachineError.codes.contains(code)
        case .input(_, let failure): failure.isOfMachine
        case .keptRecording(_, _, let isOfMachine): isOfMachine
        default: false
        }
    }
}
