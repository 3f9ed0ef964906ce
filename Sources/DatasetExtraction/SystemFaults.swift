import AudioDecoding
import ClipSpool
import Concurrency
import FeatureModel
import FeatureStorage
import Manifests
import SignalProcessing

extension StorageError: SystemFaultReporting {
    package var isSystemFault: Bool {
        switch self {
        case .system(_, _, let code): MachineError.codes.contains(code)
        // HDF5 passes the system's words on, among other things.
        case .hdf5(_, _, let detail), .notFeatures(_, let detail): MachineError.isNamed(in: detail)
        default: false
        }
    }
}

extension ManifestError: SystemFaultReporting {
    package var isSystemFault: Bool {
        guard case .systemError(_, _, let reason) = self else { return false }
        return MachineError.isNamed(in: reason)
    }
}

extension AnnotationError: SystemFaultReporting {
    package var isSystemFault: Bool {
        guard case .unreadable(_, let reason) = self else { return false }
        return MachineError.isNamed(in: reason)
    }
}

extension SoundFileError: SystemFaultReporting {
    package var isSystemFault: Bool {
        switch self {
        case .failed(_, _, let reason), .damaged(_, let reason): MachineError.isNamed(in: reason)
        default: false
        }
    }
}

extension SignalError: SystemFaultReporting {
    package var isSystemFault: Bool {
        guard case .outOfMemory = self else { return false }
        return true
    }
}
