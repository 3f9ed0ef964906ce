import FeatureModel

/// Which bytes of a file a decoder is given, and which of them are replaced.
struct SourceLayout: Sendable {
    /// Bytes that replace others.
    struct Patch: Equatable, Sendable {
        /// Offset in the file.
        let offset: Int
        let bytes: [UInt8]
    }

    /// A part of the file, and where the decoder finds it.
    struct Piece: Sendable {
        let start: Int
        let source: Range<Int>
        var end: Int { start + source.count }
    }

    /// Bytes before the first piece, which the file does not have.
    let inserted: [UInt8]
    /// In rising order, none of them empty.
    let pieces: [Piece]
    /// The length that the decoder is given.
    let size: Int
    let patches: [Patch]

    /// Bytes of a tag of ID3's first version, at the very end of a file: the decoder of MP3 looks for it there.
    static let trailerBytes = 128

    /// The whole file.
    init(size: Int, patches: [Patch] = []) {
        pieces = size > 0 ? [Piece(start: 0, source: 0..<size)] : []
        (inserted, self.size, self.patches) = ([], size, patches)
    }

    /// A part of the file, after other bytes.
    init(inserting inserted: [UInt8], before part: Range<Int>, patches: [Patch]) {
        pieces = part.isEmpty ? [] : [Piece(start: inserted.count, source: part)]
        size = inserted.count + part.count
        (self.inserted, self.patches) = (inserted, patches)
    }

    /// Parts of the file, one after another.
    ///
    /// - Parameters:
    ///   - parts: Offsets in the file.
    ///   - trailer: A part at the very end.
    ///   - slack: Bytes that the decoder believes to be before the trailer: there it finds the end.
    init(_ parts: [Range<Int>], trailer: Range<Int>, slack: Int, patches: [Patch]) {
        var pieces: [Piece] = []
        var end = 0
        func add(_ source: Range<Int>) {
            guard !source.isEmpty else { return }
            pieces.append(Piece(start: end, source: source))
            end += source.count
        }
        for part in parts { add(part) }
        if slack > 0 {
            end += slack
            // What is read of them is zeros.
            if trailer.isEmpty { end += Self.trailerBytes }
        }
        add(trailer)
        (inserted, self.pieces, size, self.patches) = ([], pieces, end, patches)
    }

    /// The piece at an offset; nil: none.
    func piece(at position: Int) -> Piece? {
        let index = pieces.partitioningIndex { $0.end > position }
        return index < pieces.count && pieces[index].start <= position ? pieces[index] : nil
    }
}
