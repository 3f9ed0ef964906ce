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
    /// - Throws: `OpeningFailure` with libsndfile's words.
    static func open(_ content: FileContent) throws(OpeningFailure) -> SoundHandle {
        switch content {
        case .file(let path):
            // By that name, libsndfile takes any bytes for MPEG, and mpg123 writes of each search for a frame to standard error.
            if path.suffix(4).lowercased() == ".mp3", ForeignContent.isText(content) {
                throw OpeningFailure(words: ClipFailure.unknownFormat, system: nil)
            }
            return try open(nil) { sf_open(path, Int32(SFM_READ), &$0) }
        case .part:
            guard let source = PatchedFile(content) else { throw OpeningFailure(words: "", system: nil) }
            do throws(OpeningFailure) {
                return try open(source) { source.handle(SFM_READ, &$0) }
            } catch {
                guard let code = source.error?.code else { throw error }
                throw OpeningFailure(words: error.words, system: SystemCallError(code))
            }
        }
    }

    /// The message of libsndfile for a file named `.mp3` in which it finds no frame, although the file exists.
    private static let misleadingWords = "File does not exist or is not a regular file"

    private static func open(
        _ source: PatchedFile?, _ call: (inout SF_INFO) -> OpaquePointer?
    ) throws(OpeningFailure) -> SoundHandle {
        var (opened, info) = attempt(call)
        if let opened { return SoundHandle(opened, info, source) }

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
                    words: words.hasPrefix(misleadingWords) ? ClipFailure.unknownFormat : words,
                    system: SystemCallError(ofSoundFile: nil, code: code, words: words))
            }
            isReserved.store(false, ordering: .sequentiallyConsistent)
        }
        guard let second else { throw failure }
        return SoundHandle(second, info, source)
    }

    /// Opens a file with a corrected header for reading; nil where libsndfile does not.
    static func open(_ file: PatchedFile) -> SoundHandle? {
        let (opened, info) = attempt { file.handle(SFM_READ, &$0) }
        return opened.map { SoundHandle($0, info, file) }
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

/// libsndfile's handle of a recording that is open for reading; it is closed with this value.
final class SoundHandle {
    let file: OpaquePointer
    let info: SF_INFO
    /// What it reads from, where that is not a file of its own.
    let source: PatchedFile?

    fileprivate init(_ file: OpaquePointer, _ info: SF_INFO, _ source: PatchedFile?) {
        (self.file, self.info, self.source) = (file, info, source)
    }

    deinit { sf_close(file) }
}

struct OpeningFailure: Error {
    let words: String
    /// The system's error; nil: the file is at fault.
    let system: SystemCallError?
}
