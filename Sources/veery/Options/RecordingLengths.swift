import Annotations
import AudioDecoding
import Concurrency
import FeatureModel
import Synchronization

extension RecordingLengths {
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
                        length: header.duration, sampleRate: header.sampleRate,
                        channels: header.channels, remarks: header.remarks, cut: cut))
            } catch {
                guard !error.isSystemFault else { throw FileRefusal(path: location, error) }
                result = .failure(error)
            }
            found.withLock { $0[location] = result }
        }
        return RecordingLengths(found.withLock { $0 })
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
