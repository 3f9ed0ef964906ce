import FeatureModel
import FileIO
import Synchronization

/// The lengths of recordings that ffmpeg decoded to their end, for all threads.
enum FFmpegLengths {
    private final class Entry: Sendable {
        let result = Mutex<Result<Int, ClipFailure>?>(nil)
    }

    private struct Key: Hashable {
        let path: [UInt8]
        let status: ContentStatus
    }

    private static let entries = Mutex<[Key: Entry]>([:])
    private static let maximumCount = 4096

    /// The number of frames.
    ///
    /// - Parameter decode: Decodes the recording to its end and counts them; called by one thread, while others wait.
    /// - Throws: What `decode` threw, then or before.
    static func length(
        _ path: String, _ status: ContentStatus, decode: () throws(ClipFailure) -> Int
    ) throws(ClipFailure) -> Int {
        let key = Key(path: Array(path.utf8), status: status)
        let entry = entries.withLock { entries in
            if let known = entries[key] { return known }
            if entries.count >= maximumCount { entries = [:] }
            let entry = Entry()
            entries[key] = entry
            return entry
        }
        let result = entry.result.withLock { known in
            if let known { return known }
            let result = Result { () throws(ClipFailure) in try decode() }
            // What the system or a signal ended may succeed later.
            if case .failure(let failure) = result, failure == .stopped || failure.isTransient { return result }
            known = result
            return result
        }
        return try result.get()
    }
}
