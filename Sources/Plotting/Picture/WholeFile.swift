#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Writes a file so that, under its name, there is never half of it.
package enum WholeFile {
    /// Writes `bytes` to a temporary name in the same folder, then gives the file its name. A regular file of that name
    /// is replaced; anything else, such as a folder or a device, is an error.
    package static func write(_ bytes: [UInt8], to path: String) throws(PlotError) {
        try refuseSpecialFile(path)
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        let temporary = folder + ".veery-\(String(UInt64.random(in: .min ... .max), radix: 16)).partial"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw failure(path, "creating a file in its folder") }
        do throws(PlotError) {
            try write(bytes, to: descriptor, path: path)
            guard rename(temporary, path) == 0 else { throw failure(path, "giving the finished file its name") }
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// Writes all bytes and closes the descriptor, whether or not it succeeds.
    private static func write(_ bytes: [UInt8], to descriptor: Int32, path: String) throws(PlotError) {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let error = failure(path, "writing byte \(written) of \(bytes.count)")
                close(descriptor)
                throw error
            }
            written += count
        }
        guard close(descriptor) == 0 else { throw failure(path, "closing the file") }
    }

    private static func refuseSpecialFile(_ path: String) throws(PlotError) {
        var information = stat()
        guard stat(path, &information) == 0, information.st_mode & S_IFMT != S_IFREG else { return }
        throw .file(path: path, operation: "replacing it", reason: "not a regular file")
    }

    /// The system's last error.
    private static func failure(_ path: String, _ operation: String) -> PlotError {
        .file(path: path, operation: operation, reason: String(cString: strerror(errno)))
    }
}

/// The system's `write`, which the type's own name would hide.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
