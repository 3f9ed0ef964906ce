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

    /// Looks for both programs in the folders of a PATH.
    init?(searching path: String) {
        let folders = InstalledProgram.folders(path)
        guard let ffmpeg = InstalledProgram.path("ffmpeg", in: folders),
            let ffprobe = InstalledProgram.path("ffprobe", in: [Folder.containing(ffmpeg)] + folders)
        else { return nil }
        (self.ffmpeg, self.ffprobe) = (ffmpeg, ffprobe)
    }
}
