import Platform
import Synchronization

/// The installed `ffmpeg` and `ffprobe`.
package struct FFmpegPrograms: Sendable {
    package let ffmpeg: String
    package let ffprobe: String

    private static let isTurnedOff = Atomic(false)
    private static let found = FFmpegPrograms(searching: getenv("PATH").map { String(cString: $0) } ?? "")

    /// Both programs, looked for in PATH once; nil: one of them is missing, or `--no-ffmpeg` was given.
    package static var installed: FFmpegPrograms? { isOff ? nil : found }

    /// Whether `--no-ffmpeg` was given.
    package static var isOff: Bool { isTurnedOff.load(ordering: .relaxed) }

    /// Neither program is started from now on.
    package static func turnOff() { isTurnedOff.store(true, ordering: .relaxed) }

    /// Looks for both programs in the folders of a PATH. Relative folders are passed over: they depend on the current one.
    init?(searching path: String) {
        let folders = path.split(separator: ":").map(String.init).filter { $0.utf8.first == UInt8(ascii: "/") }
        func find(_ name: String, in folders: [String]) -> String? {
            folders.lazy.map { "\($0)/\(name)" }.first { path in
                FileStatus(path: path)?.isRegular == true && access(path, X_OK) == 0
            }
        }
        guard let ffmpeg = find("ffmpeg", in: folders),
            let ffprobe = find("ffprobe", in: [Folder.containing(ffmpeg)] + folders)
        else { return nil }
        (self.ffmpeg, self.ffprobe) = (ffmpeg, ffprobe)
    }
}
