import CSndfile
import FeatureModel
import FileIO
import Platform
import Synchronization

/// Opens recordings so that the reason of a failure is that of this recording.
///
/// libsndfile keeps the error of a recording that it could not open in one variable for all threads, which every other
/// open overwrites. Any number of threads may open at a time; one whose open has failed waits until it is alone, opens
/// again, and asks.
enum SoundFileOpening {
    /// Threads that are opening now.
    private static let active = Atomic(0)
    /// Whether a thread wants to be alone.
    private static let isReserved = Atomic(false)
    /// Held by the thread that is, or is about to be, alone.
    private static let alone = Mutex<Void>(())

    /// Opens a recording for reading.
    ///
    /// - Returns: The handle, and its source where that is not a file of its own.
    /// - Throws: `OpeningFailure` with libsndfile's words.
    static func open(
        _ content: FileContent
    ) throws(OpeningFailure) -> (file: OpaquePointer, info: SF_INFO, source: PatchedFile?) {
        switch content {
        case .file(let path):
            let (file, info) = try open { sf_open(path, Int32(SFM_READ), &$0) }
            return (file, info, nil)
        case .part:
            guard let source = PatchedFile(content) else { throw OpeningFailure(words: "", system: nil) }
            do throws(OpeningFailure) {
                let (file, info) = try open { source.handle(&$0) }
                return (file, info, source)
            } catch {
                guard let code = source.error?.code else { throw error }
                throw OpeningFailure(words: error.words, system: SystemCallError(code))
            }
        }
    }

    /// What libsndfile says of a file named `.mp3` in which it finds no frame, although the file exists.
    private static let misleadingWords = "File does not exist or is not a regular file"

    private static func open(
        _ call: (inout SF_INFO) -> OpaquePointer?
    ) throws(OpeningFailure) -> (file: OpaquePointer, info: SF_INFO) {
        var (opened, info) = attempt(call)
        if let opened { return (opened, info) }

        var second: OpaquePointer?
        var failure = OpeningFailure(words: "", system: nil)
        info = SF_INFO()
        alone.withLock { _ in
            isReserved.store(true, ordering: .sequentiallyConsistent)
            while active.load(ordering: .sequentiallyConsistent) > 0 { sched_yield() }
            second = call(&info)
            let code = errno
            if second == nil {
                var words = sf_strerror(nil).map { String(cString: $0) } ?? "unknown error"
                // Some of its sentences have a full stop, and others none.
                if words.hasSuffix(".") { words.removeLast() }
                failure = OpeningFailure(
                    words: words.hasPrefix(misleadingWords) ? "Format not recognised" : words,
                    system: SystemCallError(ofSoundFile: nil, code: code, words: words))
            }
            isReserved.store(false, ordering: .sequentiallyConsistent)
        }
        guard let second else { throw failure }
        return (second, info)
    }

    /// Opens a file with a corrected header for reading; nil where libsndfile does not.
    static func open(_ file: PatchedFile) -> (file: OpaquePointer, info: SF_INFO)? {
        let (opened, info) = attempt { file.handle(&$0) }
        return opened.map { ($0, info) }
    }

    /// Opens once, concurrently with other threads.
    private static func attempt(_ open: (inout SF_INFO) -> OpaquePointer?) -> (OpaquePointer?, SF_INFO) {
        var info = SF_INFO()
        enter()
        let opened = open(&info)
        active.subtract(1, ordering: .sequentiallyConsistent)
        return (opened, info)
    }

    /// Adds this thread to the number that are opening files, after waiting for a thread that has to open one alone.
    private static func enter() {
        while true {
            active.add(1, ordering: .sequentiallyConsistent)
            guard isReserved.load(ordering: .sequentiallyConsistent) else { return }
            active.subtract(1, ordering: .sequentiallyConsistent)
            // Sleeps until the one that is alone has asked.
            alone.withLock { _ in }
        }
    }
}

struct OpeningFailure: Error {
    let words: String
    /// The system's error; nil: the file is at fault.
    let system: SystemCallError?
}
