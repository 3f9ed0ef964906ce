import Archives
import FeatureModel
import FileIO
import Platform

extension ClipFailure {
    /// The bytes of a recording by its path, that of a file or of a member of an archive, and their status; nil: there is no such
    /// file.
    ///
    /// - Throws: `ClipFailure` where the archive or the member cannot be read.
    static func content(_ path: String) throws(ClipFailure) -> (FileContent, ContentStatus?) {
        do throws(ArchiveError) { return try RecordingPath.content(path) } catch {
            guard error.cause != .stopped, let member = MemberPath(path) else { throw .stopped }
            let name = member.archive.split(separator: "/").last.map(String.init) ?? member.archive
            var system: SystemCallError?
            if case .system(let found) = error.cause { system = SystemCallError(found.code) }
            throw .cannotOpenMember(member.member, archive: name, words: error.words, system)
        }
    }
}
