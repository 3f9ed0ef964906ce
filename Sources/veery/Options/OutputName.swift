import FileIO

/// The name of a file or folder that a command writes.
enum OutputName {
    /// Throws if a name is a symbolic link to nothing: its target may be on a disk that is not mounted, and a file of this name
    /// would replace the link.
    static func refuseLinkToNothing(_ path: String) throws {
        guard FileStatus(path: path, followingLink: false)?.kind == .symbolicLink, FileStatus(path: path) == nil else {
            return
        }
        throw FileRefusal(
            path: path, reason: "this symbolic link leads to nothing: delete it, or choose another name for the output")
    }
}
