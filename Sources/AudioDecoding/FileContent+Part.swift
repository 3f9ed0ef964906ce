import FileIO

extension FileContent {
    /// The bytes from an offset on; nil where that is 0, or the file cannot be opened.
    func dropping(first count: Int) -> FileContent? { count > 0 ? part { count..<max($0, count) } : nil }

    /// The bytes before an offset; nil where there are no others, or the file cannot be opened.
    func dropping(from end: Int) -> FileContent? { part { end < $0 ? 0..<end : nil } }

    /// - Parameter range: The range of bytes to keep; nil: nothing is returned.
    private func part(_ range: (Int) -> Range<Int>?) -> FileContent? {
        switch self {
        case .part(let part):
            range(part.count).map {
                .part(
                    FilePart(part.file, offset: part.offset + $0.lowerBound, count: $0.count, status: part.status))
            }
        case .file(let path):
            if let file = try? SharedFile(path: path), let status = FileStatus(descriptor: file.descriptor),
                let range = range(status.byteCount)
            {
                .part(
                    FilePart(
                        file, offset: range.lowerBound, count: range.count,
                        status: ContentStatus(status, offset: range.lowerBound)))
            } else {
                nil
            }
        }
    }
}
