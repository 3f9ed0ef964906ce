import CSndfile
import Platform

/// Bytes that libsndfile reads and writes by the functions of this type, not in a file that it opens itself.
class VirtualFile {
    /// Offset of the next byte.
    final var position = 0
    /// Length in bytes.
    var size: Int { 0 }

    /// Reads at `position`, which moves on; returns the number of bytes.
    func read(into bytes: UnsafeMutableRawPointer, _ count: Int) -> Int { 0 }

    /// Writes at `position`, which moves on; returns the number of bytes.
    func write(_ bytes: UnsafeRawBufferPointer) -> Int { 0 }

    /// Opens it with libsndfile, from its first byte on; nil on failure. The value has to outlive the handle.
    final func handle(_ mode: Int, _ info: inout SF_INFO) -> OpaquePointer? {
        // An attempt before has read from it.
        position = 0
        var calls = SF_VIRTUAL_IO(
            get_filelen: { user in VirtualFile.of(user).map { sf_count_t($0.size) } ?? -1 },
            seek: { offset, whence, user in VirtualFile.of(user)?.seek(Int(offset), whence) ?? -1 },
            read: { bytes, count, user in
                guard let bytes, let file = VirtualFile.of(user) else { return 0 }
                return sf_count_t(file.read(into: bytes, Int(count)))
            },
            write: { bytes, count, user in
                guard let bytes, let file = VirtualFile.of(user) else { return 0 }
                return sf_count_t(file.write(UnsafeRawBufferPointer(start: bytes, count: Int(count))))
            },
            tell: { user in VirtualFile.of(user).map { sf_count_t($0.position) } ?? -1 })
        return sf_open_virtual(&calls, Int32(mode), &info, Unmanaged.passUnretained(self).toOpaque())
    }

    private static func of(_ user: UnsafeMutableRawPointer?) -> VirtualFile? {
        user.map { Unmanaged<VirtualFile>.fromOpaque($0).takeUnretainedValue() }
    }

    private func seek(_ offset: Int, _ whence: Int32) -> sf_count_t {
        let base =
            switch whence {
            case SEEK_CUR: position
            case SEEK_END: size
            default: 0
            }
        let (sum, isTooMuch) = base.addingReportingOverflow(offset)
        guard !isTooMuch, sum >= 0 else { return -1 }
        position = sum
        return sf_count_t(sum)
    }
}
