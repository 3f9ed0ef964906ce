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
        /// That it is cut off, as other commands say it: the length is that of what can be read. Nil: it is whole.
        let cut: String?

        var isCut: Bool { cut != nil }
    }

    /// By location: what the header says, or why it cannot be read.
    private(set) var recordings: [String: Result<Recording, ClipFailure>] = [:]

    /// Opens every recording once.
    ///
    /// - Throws: `FileRefusal` where the system is at fault.
    static func read(_ locations: [String], workers: WorkerRange) throws -> RecordingLengths {
        let found = Mutex<[String: Result<Recording, ClipFailure>]>([:])
        let audio = try AudioConfiguration(sampleRate: nil)
        try WorkerPool.each(locations.count, workers) {
            (
                decoder: ClipDecoder(audio, policy: RecordingPolicy(truncated: .keep)),
                strict: ClipDecoder(audio, policy: RecordingPolicy())
            )
        } _: { worker, index in
            let location = locations[index]
            let result: Result<Recording, ClipFailure>
            do throws(ClipFailure) {
                let clip = Clip(index: index, id: "", path: location)
                let header = try worker.decoder.survey(clip, path: location)
                let cut = header.isTruncated ? Self.failure(of: clip, worker.strict) ?? "it is cut off" : nil
                result = .success(
                    Recording(
                        length: Nanoseconds.of(header.duration), sampleRate: header.sampleRate,
                        channels: header.channels, remarks: header.remarks, cut: cut))
            } catch {
                guard !error.isSystemFault else { throw FileRefusal(path: location, error) }
                result = .failure(error)
            }
            found.withLock { $0[location] = result }
        }
        return RecordingLengths(recordings: found.withLock { $0 })
    }

    private static func failure(of clip: Clip, _ decoder: ClipDecoder) -> String? {
        do throws(ClipFailure) {
            _ = try decoder.survey(clip, path: clip.path)
            return nil
        } catch {
            return error.reason
        }
    }
}
