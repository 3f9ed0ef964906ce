import CSndfile
import FileIO
import Platform

/// Bytes that libsndfile does not read from a file of their own: those of a member of an archive, or of a file with some bytes
/// replaced. These are the length of the recording in its header, which a program that writes into a pipe cannot know.
final class PatchedFile {
    private let file: RegularFile
    private let patches: [(offset: Int, bytes: [UInt8])]
    private var position = 0
    /// The system's error of a read that failed; nil: none did. libsndfile takes that for the end.
    private(set) var error: SystemError?

    /// Opens bytes; nil where they are a file that cannot be opened.
    init?(_ content: FileContent, patches: [(offset: Int, bytes: [UInt8])] = []) {
        guard let file = RegularFile(content) else { return nil }
        self.file = file
        self.patches = patches
    }

    /// Opens it with libsndfile; nil on failure. The file has to outlive the handle.
    func handle(_ info: inout SF_INFO) -> OpaquePointer? {
        // An attempt before has read from it.
        position = 0
        var calls = SF_VIRTUAL_IO(
            get_filelen: { user in PatchedFile.of(user).map { sf_count_t($0.file.size) } ?? -1 },
            seek: { offset, whence, user in PatchedFile.of(user)?.seek(Int(offset), whence) ?? -1 },
            read: { bytes, count, user in
                guard let bytes, let file = PatchedFile.of(user) else { return 0 }
                return sf_count_t(file.read(into: bytes, Int(count)))
            },
            write: { _, _, _ in 0 },
            tell: { user in PatchedFile.of(user).map { sf_count_t($0.position) } ?? -1 })
        return sf_open_virtual(&calls, Int32(SFM_READ), &info, Unmanaged.passUnretained(self).toOpaque())
    }

    private static func of(_ user: UnsafeMutableRawPointer?) -> PatchedFile? {
        user.map { Unmanaged<PatchedFile>.fromOpaque($0).takeUnretainedValue() }
    }

    private func seek(_ offset: Int, _ whence: Int32) -> sf_count_t {
        let base =
            switch whence {
            case SEEK_CUR: position
            case SEEK_END: file.size
            default: 0
            }
        let (sum, isTooMuch) = base.addingReportingOverflow(offset)
        guard !isTooMuch, sum >= 0 else { return -1 }
        position = sum
        return sf_count_t(position)
    }

    private func read(into bytes: UnsafeMutableRawPointer, _ wanted: Int) -> Int {
        let found = file.read(into: bytes, at: position, minimum: wanted, maximum: wanted)
        if found == nil { error = .last }
        let done = found ?? 0
        for (offset, patch) in patches {
            for (index, byte) in patch.enumerated() where (position..<position + done).contains(offset + index) {
                bytes.storeBytes(of: byte, toByteOffset: offset + index - position, as: UInt8.self)
            }
        }
        position += done
        return done
    }
}
