import DatasetExtraction
import Foundation

/// A line of `--progress json`.
struct ProgressEvent: Codable {
    let phase: String
    let done: Int
    let total: Int
    let failed: Int
    let resumed: Int
    let audioSeconds: Double
    let elapsedSeconds: Double
    let secondsLeft: Double?

    private enum CodingKeys: String, CodingKey {
        case phase, done, total, failed, resumed, audioSeconds = "audio_seconds", elapsedSeconds = "elapsed_seconds"
        case secondsLeft = "seconds_left"
    }

    init(_ snapshot: ExtractionProgress.Snapshot, elapsed: Double, left: Double?) {
        phase = "\(snapshot.phase)"
        done = snapshot.done
        total = snapshot.total
        failed = snapshot.failed
        resumed = snapshot.resumed
        audioSeconds = snapshot.audioSeconds
        elapsedSeconds = elapsed
        secondsLeft = left
    }

    /// The event as one line of JSON.
    var line: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}
