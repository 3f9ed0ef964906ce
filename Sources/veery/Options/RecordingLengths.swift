import Annotations
import AudioDecoding
import Concurrency
import FeatureModel
import Synchronization

/// Lengths and sample rates of recordings, by their headers.
struct RecordingLengths {
    struct Recording {
        /// In nanoseconds.
        let length: Int
        let sampleRate: Int
        let channels: Int
        /// In what it is not what its own header says.
        let remarks: RecordingRemarks
        /// Whether it is cut off: the length is that of what can be read.
        let isCut: Bool
    }

    /// By location: what the header says, or why it cannot be read.
    private(set) var recordings: [String: Result<Recording, ClipFailure>] = [:]

    /// Opens every recording once.
    ///
    /// - Throws: `FileRefusal` where the system is at fault.
    static func read(_ locations: [String], workers: WorkerRange) throws -> RecordingLengths {
        let found = Mutex<[String: Result<Recording, ClipFailure>]>([:])
        let next = Atomic(0)
        let audio = try AudioConfiguration(sampleRate: nil)
        try WorkerPool.run(workers.limited(to: locations.count)) { number, turns in
            let decoder = ClipDecoder(audio, policy: RecordingPolicy(truncated: .keep))
            while true {
                turns.next(number)
                let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard index < locations.count else { return }
                let location = locations[index]
                let result: Result<Recording, ClipFailure>
                do throws(ClipFailure) {
                    let header = try decoder.survey(Clip(index: index, id: "", path: location), path: location)
                    result = .success(
                        Recording(
                            length: Nanoseconds.of(header.duration), sampleRate: header.sampleRate,
                            channels: header.channels, remarks: header.remarks, isCut: header.isTruncated))
                } catch {
                    guard !error.isSystemFault else { throw FileRefusal(path: location, error) }
                    result = .failure(error)
                }
                found.withLock { $0[location] = result }
            }
        }
        return RecordingLengths(recordings: found.withLock { $0 })
    }
}
