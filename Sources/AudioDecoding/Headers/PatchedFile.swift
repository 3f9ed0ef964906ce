import FileIO
import Platform

/// Bytes that libsndfile does not read from a file of their own: those of a member of an archive, or parts of a file, some of them
/// replaced, such as the length of the recording in a header that a program wrote into a pipe.
final class PatchedFile: VirtualFile {
    private let file: RegularFile
    private let layout: SourceLayout
    /// The system's error of a read that failed; nil: none did. libsndfile takes that for the end.
    private(set) var error: SystemError?

    /// Opens bytes; nil where they are a file that cannot be opened.
    ///
    /// - Parameter layout: What of them is read; nil: all.
    init?(_ content: FileContent, _ layout: SourceLayout? = nil) {
        guard let file = RegularFile(content) else { return nil }
        self.layout = layout ?? SourceLayout(size: file.size)
        self.file = file
    }

    override var size: Int { layout.size }

    override func read(into bytes: UnsafeMutableRawPointer, _ wanted: Int) -> Int {
        var done = 0
        while done < wanted, position < layout.inserted.count {
            bytes.storeBytes(of: layout.inserted[position], toByteOffset: done, as: UInt8.self)
            position += 1
            done += 1
        }
        while done < wanted {
            guard let piece = layout.piece(at: position) else { break }
            let offset = piece.source.lowerBound + position - piece.start
            let count = min(wanted - done, piece.end - position)
            guard let found = file.read(into: bytes + done, at: offset, minimum: count, maximum: count) else {
                error = .last
                break
            }
            for patch in layout.patches {
                for (index, byte) in patch.bytes.enumerated()
                where (offset..<offset + found).contains(patch.offset + index) {
                    bytes.storeBytes(of: byte, toByteOffset: done + patch.offset + index - offset, as: UInt8.self)
                }
            }
            position += found
            done += found
            guard found == count else { break }
        }
        let rest = layout.size - position
        guard done == 0, layout.piece(at: position) == nil, (1...SourceLayout.trailerBytes).contains(rest) else {
            return done
        }
        let count = min(wanted, rest)
        memset(bytes, 0, count)
        position += count
        return count
    }
}
