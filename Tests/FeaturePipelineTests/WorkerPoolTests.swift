import AudioDecoding
import FeatureModel
import FeatureStorage
import Foundation
import Manifests
import SignalProcessing
import Synchronization
import Testing

@testable import FeaturePipeline

struct WorkerPoolTests {
    private struct Wrong: Error {}

    @Test func `all threads work, and the first error is thrown once all have ended`() throws {
        let seen = Mutex<Set<Int>>([])
        let isBeside = Mutex(false)
        try WorkerPool.run(5, memory: 0, beside: { isBeside.withLock { $0 = true } }) { number in
            _ = seen.withLock { $0.insert(number) }
        }
        #expect(seen.withLock { $0 } == [0, 1, 2, 3, 4] && isBeside.withLock { $0 })
        let ended = Atomic(0)
        #expect(throws: Wrong.self) {
            try WorkerPool.run(4) { number in
                if number == 1 { throw Wrong() }
                ended.add(1, ordering: .relaxed)
            }
        }
        #expect(ended.load(ordering: .relaxed) == 3)
    }

    @Test func `errors of the machine are told from those that will come again`() {
        let machine: [any Error] = [
            NoThread(code: EAGAIN), SignalError.outOfMemory(bytes: 1),
            StorageError.system(operation: "writing", path: "f", code: ENOSPC),
            StorageError.system(operation: "writing", path: "f", code: EDQUOT),
            StorageError.system(operation: "opening", path: "f", code: EMFILE),
            StorageError.hdf5(
                operation: "opening", path: "f", detail: "errno = 24: \(String(cString: strerror(EMFILE)))"),
            ExtractionError.unusableMachine(path: "a", reason: "x"),
            ExtractionError.unwritableFolder(path: "a", reason: "x", code: ENOSPC),
            ClipFailure.cannotRead(SystemError(ENFILE)), LiveError.unwritable(code: ENOSPC),
            LiveError.keptRecording(output: "o", cause: "x", isOfMachine: true),
            ManifestError.systemError(path: "m", operation: "read it", ENFILE),
            SoundFileError.failed(path: "a", operation: "write it", reason: String(cString: strerror(ENOSPC))),
        ]
        for error in machine {
            #expect(MachineFault.isCause(of: error), "\(error)")
            #expect(MachineFault.isCause(of: StoppedExtraction(cause: error, done: 1, total: 2, folder: "f")))
        }
        let others: [any Error] = [
            ExtractionError.cancelled, ExtractionError.notReplaceable(path: "a"), ClipFailure.cannotRead(SystemError(EACCES)),
            // Only the words are those of a fault.
            ClipFailure.notDecodable(words: String(cString: strerror(ENFILE)), nil),
            ExtractionError.unwritableFolder(path: "a", reason: String(cString: strerror(ENOSPC))),
            StorageError.system(operation: "opening", path: "f", code: EACCES),
            StorageError.system(operation: "making a tensor", path: "f", code: EOVERFLOW),
            StorageError.damaged(path: "f", found: "x"), ManifestError.notFound(path: "m"),
            LiveError.keptRecording(output: "o", cause: "x", isOfMachine: false), SignalError.noPlan(length: 3),
        ]
        for error in others {
            #expect(!MachineFault.isCause(of: error), "\(error)")
            #expect(!MachineFault.isCause(of: StoppedExtraction(cause: error, done: 1, total: 2, folder: "f")))
        }
    }
}
