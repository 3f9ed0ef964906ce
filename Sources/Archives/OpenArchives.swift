import FileIO
import Platform
import Synchronization

/// The archives that the program has open: each is listed, and unpacked, once for all threads.
package enum OpenArchives {
    /// What is known of an archive; a thread that opens it holds the lock.
    private final class Entry: Sendable {
        let status: FileStatus
        let opened = Mutex<Result<Archive, ArchiveError>?>(nil)
        /// Whether it has to be unpacked as a whole; nil: not known yet.
        let isCompressed = Mutex<Bool?>(nil)

        init(_ status: FileStatus) { self.status = status }
    }

    private struct State {
        var entries: [[UInt8]: (entry: Entry, used: Int)] = [:]
        var clock = 0
    }

    private static let state = Mutex(State())
    /// If there are more archives, the one that was not used for the longest time is closed, and its unpacked bytes are gone.
    private static let maximumCount = 128

    /// An open archive.
    package static func archive(_ path: String) throws(ArchiveError) -> Archive {
        guard let status = FileStatus(path: path) else { throw ArchiveError(opening: .last) }
        let result = entry(Array(path.utf8), status).opened.withLock { opened in
            if let opened { return opened }
            let result = Result { () throws(ArchiveError) in try Archive(path: path) }
            if case .failure(let error) = result, error.isTransient { return result }
            opened = result
            return result
        }
        return try result.get()
    }

    /// The bytes of a member.
    package static func part(_ path: MemberPath) throws(ArchiveError) -> FilePart {
        try archive(path.archive).part(path.member)
    }

    /// Where a member starts in an archive that is read in place, and its length; nil: there is no such member.
    ///
    /// - Throws: `ArchiveError` where the archive cannot be read, or would have to be unpacked.
    static func location(of path: MemberPath, _ status: FileStatus) throws(ArchiveError) -> (offset: Int, count: Int)? {
        let isCompressed = try entry(Array(path.archive.utf8), status).isCompressed.withLock {
            known throws(ArchiveError) in
            if let known { return known }
            let found: Bool
            do throws(SystemError) { found = try Archive.isCompressed(path.archive) } catch {
                throw ArchiveError(opening: error)
            }
            known = found
            return found
        }
        guard !isCompressed else { throw ArchiveError("it would have to be unpacked") }
        return try archive(path.archive).location(of: path.member)
    }

    private static func entry(_ path: [UInt8], _ status: FileStatus) -> Entry {
        state.withLock { state in
            state.clock += 1
            if let known = state.entries[path]?.entry, known.status == status {
                state.entries[path]?.used = state.clock
                return known
            }
            if state.entries.count >= maximumCount, state.entries[path] == nil,
                let oldest = state.entries.min(by: { $0.value.used < $1.value.used })?.key
            {
                state.entries[oldest] = nil
            }
            let entry = Entry(status)
            state.entries[path] = (entry, state.clock)
            return entry
        }
    }
}
