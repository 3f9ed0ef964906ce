import Checksums

/// Ids for files: the path without its extension, or the whole path where that would not be unique.
struct UniqueStems {
    private var taken = HashSet64()

    /// Looks for stems that several of the files share, or that are the whole path of another.
    ///
    /// Hashes that are equal by accident only make an id longer than it need be.
    init(_ files: [String]) {
        var once = HashSet64()
        for file in files {
            _ = taken.insert(Self.hash(file))
            let stem = DefaultIdentifier.stem(file)
            if !once.insert(Self.hash(stem)) { _ = taken.insert(Self.hash(stem)) }
        }
    }

    /// The id of one of the files.
    func id(of file: String) -> String {
        let stem = DefaultIdentifier.stem(file)
        return taken.contains(Self.hash(stem)) ? file : stem
    }

    private static func hash(_ text: String) -> UInt64 {
        var text = text
        return text.withUTF8 { xxh3(UnsafeRawBufferPointer($0)) }
    }
}
