import FileIO

/// Which lines of a file of corrections have been applied, by the checksum that a feature file keeps of them: lines are only added, so
/// that the file as it was then is its start now.
package enum AppliedCorrections {
    /// The number of the last line of the start with a checksum; nil: no start has it.
    ///
    /// - Parameter sha256: 64 hexadecimal digits.
    /// - Throws: `CorrectionError` where the file cannot be read.
    /// - Complexity: Reads the whole file, and finishes a hash at each line end.
    package static func lastLine(of path: String, sha256: String) throws(CorrectionError) -> Int? {
        let bytes = try CorrectionBytes(path: path).all()
        var hash = SHA256Hash()
        var (start, line) = (0, 0)
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.count
            bytes[start..<end].withUnsafeBytes { hash.update($0) }
            (start, line) = (end, line + 1)
            if hash.finish() == sha256 { return line }
        }
        return nil
    }
}
