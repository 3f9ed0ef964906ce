import AudioDecoding
import FeatureModel
import FeatureStorage
import Manifests
import SignalProcessing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Tells errors of the machine (no memory, threads, descriptors or room on the disk, a file server gone), after which the same
/// command may succeed later, from those that will recur.
package enum MachineFault {
    /// Whether the machine is at fault.
    package static func isCause(of error: any Error) -> Bool {
        switch error {
        case is NoThread: true
        case let error as StoppedExtraction: isCause(of: error.cause)
        case let error as ClipFailure: error.isSystemFault
        case let error as StorageError: isCause(of: error)
        case let error as ExtractionError: isCause(of: error)
        case let error as LiveError: isCause(of: error)
        case SignalError.outOfMemory: true
        case FilteringError.recording(_, let failure): failure.isSystemFault
        case ManifestError.systemError(_, _, let code): isCode(code)
        case AnnotationError.unreadable(_, let reason): isNamed(in: reason)
        case SoundFileError.failed(_, _, let reason), SoundFileError.damaged(_, let reason): isNamed(in: reason)
        default: false
        }
    }

    /// Whether `errno` is one of them.
    package static func isCode(_ code: Int32) -> Bool { SystemError.faults.contains(code) }

    /// Whether a reason is one of them that a library gives in words alone.
    package static func isNamed(in reason: String) -> Bool {
        SystemError.faults.contains { code in strerror(code).map { reason.contains(String(cString: $0)) } ?? false }
    }

    private static func isCause(of error: StorageError) -> Bool {
        switch error {
        case .system(_, _, let code): isCode(code)
        // HDF5 hands on what the system said, among other things.
        case .hdf5(_, _, let detail), .notFeatures(_, let detail): isNamed(in: detail)
        default: false
        }
    }

    private static func isCause(of error: ExtractionError) -> Bool {
        switch error {
        case .unusableMachine: true
        case .unwritableFolder(_, _, let code?): isCode(code)
        default: false
        }
    }

    private static func isCause(of error: LiveError) -> Bool {
        switch error {
        case .unreadable(_, let code), .unwritable(let code): isCode(code)
        case .input(_, let failure): failure.isSystemFault
        case .keptRecording(_, _, let isOfMachine): isOfMachine
        default: false
        }
    }
}
