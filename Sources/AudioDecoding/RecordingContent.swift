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
            let system: SystemCallError? =
                switch error.cause {
                case .system(let found): SystemCallError(found.code)
                case .unkept(let found): SystemCallError(writing: found)
                case .missing, .content, .unread, .stopped: nil
                }
            throw .cannotOpenMember(member.member, archive: name, words: error.words, system)
        }
    }
}
