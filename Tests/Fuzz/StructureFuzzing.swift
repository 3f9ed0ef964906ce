@testable import FeatureStorage

/// What an HDF5 file says of its own parts.
enum StructureFuzzing {
    static func take(_ bytes: UnsafeRawBufferPointer) {
        var read = 0
        do throws(StorageError) {
            let structure = try HDF5Structure(path: "bytes", byteCount: bytes.count) { target, offset in
                law(offset >= 0 && target.count <= bytes.count - offset, "nothing beyond the file is read")
                target.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + target.count]))
                read += target.count
            }
            try structure?.check(groups: FeatureFormat.groups)
            for name in ["/features", "/clips/id"] {
                law(try structure?.maximumBytes(of: name) ?? 0 >= 0, "no negative size")
            }
        } catch {}
        // Each part is read once, and its beginning before it.
        law(read <= 64 * (bytes.count + 4096), "\(read) bytes were read of \(bytes.count)")
    }
}
