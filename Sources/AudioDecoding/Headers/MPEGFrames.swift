import FeatureModel
import FileIO
import Platform

/// The frames of an MPEG audio stream (MP3 and older layers), counted by their headers: nothing is decoded.
///
/// Costs one read of the file: 2 to 4 GB/s where the system has it in memory, otherwise the speed of the disk; 128 KiB of memory.
struct MPEGFrames {
    /// What all frames have in common.
    let kind: MPEGFrameHeader.Kind
    /// The tag in the first frame; nil: that has sound.
    let tag: MPEGTag?
    /// Offset after the leading tags, where the search for the first frame begins.
    let tagsEnd: Int
    /// Offset of the first frame.
    let start: Int
    /// Bytes of the first frame.
    private(set) var firstFrameBytes = 0
    /// Whole frames, that of the tag included.
    private(set) var count = 0
    /// The bytes of whole frames, in order; what is between them is tags and other bytes.
    private(set) var runs: [Range<Int>] = []

    /// Missing frames of later parts: their tags count more than exist, or the file ends within a first frame.
    private(set) var missing = 0

    /// Frames in a row that prove a stream, where other bytes were expected.
    private static let proof = 8
    /// Frames in a row that show that the same stream continues after other bytes.
    private static let continuation = 2
    /// Bytes before the first frame that are searched, after tags.
    private static let longestStart = 1 << 16
    /// A file of more pieces is refused: no stream has as many interruptions.
    private static let maximumRuns = 1 << 16

    private let reader: Reader

    /// Finds the first frame, and reads the tag in it.
    ///
    /// - Parameter range: The bytes of the stream, with tags; nil: all.
    /// - Returns: Nil where there is no frame, or the file cannot be read.
    init?(_ content: FileContent, in range: Range<Int>? = nil) {
        guard let reader = Reader(content, in: range) else { return nil }
        var offset = reader.range.lowerBound
        while let size = reader.tagSize(at: offset) { offset += size }
        guard let (start, header) = reader.firstFrame(from: offset, before: offset + Self.longestStart) else {
            return nil
        }
        self.reader = reader
        tagsEnd = offset
        self.start = start
        kind = header.kind
        firstFrameBytes = reader.size(of: header) ?? 0
        tag = reader.bytes(at: start, min(MPEGTag.searchedBytes, firstFrameBytes)).flatMap {
            MPEGTag($0[...], header.kind)
        }
    }

    /// The tag in a frame; nil: that has sound.
    private func tag(at offset: Int, _ size: Int) -> MPEGTag? {
        reader.bytes(at: offset, min(MPEGTag.searchedBytes, size)).flatMap { MPEGTag($0[...], kind) }
    }

    /// The end of the stream: of the file without the tags at its end.
    var streamEnd: Int { reader.streamEnd }

    /// The tag at the very end of the file, of ID3's first version; empty: none.
    var trailer: Range<Int> { reader.trailer }

    /// The offset where the stream ends by its tag; nil: not given.
    var statedEnd: Int? { tag?.bytes.flatMap { $0.value > 0 ? start + $0.value : nil } }

    /// Counts all frames.
    ///
    /// - Throws: `ClipFailure` where a stream of another rate, another number of channels or another layer follows, or the file
    ///   cannot be read.
    mutating func scan() throws(ClipFailure) {
        reader.readsAhead = true
        var offset = start
        // The tag of a part gives its end, which is the start of the next part unless other bytes follow.
        var partEnd = statedEnd
        var part: (frames: Int, counted: Int)?
        defer { if let part { missing += max(0, part.frames - (count - part.counted)) } }
        while offset < reader.range.upperBound {
            if let header = reader.header(at: offset), header.kind == kind, let size = reader.size(of: header) {
                // A frame that the file ends in is not decoded.
                guard offset + size <= reader.range.upperBound else {
                    // After what a tag says, it is the start of a later part.
                    if part == nil, let end = statedEnd, offset >= end { missing += 1 }
                    break
                }
                let isAtStart = offset == partEnd || runs.last.map { $0.upperBound != offset } ?? false
                add(offset..<offset + size)
                if isAtStart, let tag = tag(at: offset, size), let frames = tag.frames?.value {
                    if let part { missing += max(0, part.frames - (count - 1 - part.counted)) }
                    // Without bytes, it may count its own frame.
                    (part, partEnd) = (
                        (frames - (tag.bytes == nil ? 1 : 0), count), tag.bytes.map { offset + $0.value }
                    )
                }
                offset += size
                continue
            }
            if let size = reader.tagSize(at: offset) {
                offset += size
                continue
            }
            guard let next = try continuation(from: offset) else { break }
            offset = next
        }
        if let code = reader.error { throw .cannotRead(SystemCallError(code)) }
        guard runs.count <= Self.maximumRuns else {
            throw .damaged(frame: 0, .decoder("other bytes between most of its frames"))
        }
    }

    private mutating func add(_ frame: Range<Int>) {
        count += 1
        if let last = runs.last, last.upperBound == frame.lowerBound {
            runs[runs.count - 1] = last.lowerBound..<frame.upperBound
        } else {
            runs.append(frame)
        }
    }

    /// The offset at which the stream continues; nil: it has ended.
    private func continuation(from offset: Int) throws(ClipFailure) -> Int? {
        var offset = offset
        while let found = reader.sync(from: offset) {
            offset = found
            if let header = reader.header(at: offset) {
                if header.kind == kind {
                    if reader.hasFrames(Self.continuation, at: offset) { return offset }
                } else if reader.hasFrames(Self.proof, at: offset) {
                    throw .otherStreamFollows(
                        frame: count * kind.frameSamples, ClipFailure.StreamFormat(kind),
                        ClipFailure.StreamFormat(header.kind))
                }
            }
            offset += 1
        }
        return nil
    }
}

extension ClipFailure.StreamFormat {
    fileprivate init(_ kind: MPEGFrameHeader.Kind) {
        self.init(sampleRate: kind.sampleRate, channels: kind.channels, layer: kind.layer)
    }
}

/// Reads headers of frames at any offset.
private final class Reader {
    let range: Range<Int>
    /// The system's error; nil: none.
    private(set) var error: Int32?
    /// Bytes of a frame of a free format, without padding; nil: unknown.
    private var freeBytes: Int?
    /// Whether all bytes will be read.
    var readsAhead = false
    private let file: RegularFile
    /// The first bytes: mostly all that is needed.
    private let head: UnsafeMutableRawBufferPointer
    private let headCount: Int
    private lazy var buffer = ReadBuffer()

    private static let headSize = 4096

    init?(_ content: FileContent, in range: Range<Int>?) {
        guard let file = RegularFile(content) else { return nil }
        self.range = (range ?? 0..<file.size).clamped(to: 0..<file.size)
        head = .allocate(byteCount: Self.headSize, alignment: 1)
        headCount =
            head.baseAddress.flatMap { file.read(into: $0, at: 0, minimum: Self.headSize, maximum: Self.headSize) } ?? 0
        self.file = file
    }

    deinit { head.deallocate() }

    /// Up to `count` bytes, fewer at the end; nil: the system refuses.
    private func window(at offset: Int, _ count: Int) -> UnsafeRawBufferPointer? {
        let count = min(count, range.upperBound - offset)
        guard error == nil, offset >= range.lowerBound, count > 0 else { return nil }
        if !readsAhead, offset + count <= headCount {
            return UnsafeRawBufferPointer(rebasing: head[offset..<offset + count])
        }
        guard let bytes = buffer.bytes(at: offset, count: count, of: file, ahead: readsAhead) else {
            error = errno
            return nil
        }
        return bytes
    }

    func bytes(at offset: Int, _ count: Int) -> [UInt8]? { window(at: offset, count).map(Array.init) }

    func header(at offset: Int) -> MPEGFrameHeader? {
        guard let bytes = window(at: offset, MPEGFrameHeader.byteCount), bytes.count == MPEGFrameHeader.byteCount else {
            return nil
        }
        return MPEGFrameHeader(bytes[0], bytes[1], bytes[2], bytes[3])
    }

    /// Bytes of a frame; nil: of an unknown free format.
    func size(of header: MPEGFrameHeader) -> Int? { header.frameBytes ?? freeBytes.map { $0 + header.padding } }

    /// The first frame of the stream.
    func firstFrame(from offset: Int, before limit: Int) -> (Int, MPEGFrameHeader)? {
        var offset = offset
        while let found = sync(from: offset), found < limit {
            offset = found
            if let header = header(at: offset) {
                if header.frameBytes == nil { freeBytes = freeFormatBytes(at: offset, header) }
                if hasFrames(4, at: offset) { return (offset, header) }
            }
            offset += 1
        }
        return nil
    }

    /// Bytes of a frame of a free format: the distance to the next one, after which another one follows at the same distance.
    private func freeFormatBytes(at offset: Int, _ header: MPEGFrameHeader) -> Int? {
        // Before the search, so that all of it is in the buffer.
        _ = window(at: offset, 3 * MPEGFrameHeader.maximumFrameBytes)
        func isSame(_ offset: Int) -> MPEGFrameHeader? {
            self.header(at: offset).flatMap { $0.kind == header.kind && $0.frameBytes == nil ? $0 : nil }
        }
        for distance in 32..<MPEGFrameHeader.maximumFrameBytes {
            guard let next = isSame(offset + distance) else { continue }
            let bytes = distance - header.padding
            if isSame(offset + distance + bytes + next.padding) != nil { return bytes }
        }
        return nil
    }

    /// Whether so many frames of one kind follow one another, or as many as there are before the end.
    func hasFrames(_ wanted: Int, at offset: Int) -> Bool {
        // So that the search returns to bytes that are in the buffer.
        if readsAhead { _ = window(at: offset, (wanted + 1) * MPEGFrameHeader.maximumFrameBytes) }
        var (offset, kind) = (offset, MPEGFrameHeader.Kind?.none)
        for index in 0..<wanted {
            guard let header = header(at: offset), kind == nil || header.kind == kind, let size = size(of: header)
            else {
                return index > 0 && (offset >= streamEnd || tagSize(at: offset) != nil)
            }
            kind = header.kind
            offset += size
        }
        return true
    }

    /// The offset of the next byte that may start a frame.
    func sync(from offset: Int) -> Int? {
        var offset = offset
        while offset + 1 < range.upperBound, let bytes = window(at: offset, 1 << 11), bytes.count > 1 {
            for index in 0..<bytes.count - 1 where bytes[index] == 0xFF && bytes[index + 1] & 0xE0 == 0xE0 {
                return offset + index
            }
            offset += bytes.count - 1
        }
        return nil
    }

    /// Bytes of a tag at an offset; nil: there is none.
    func tagSize(at offset: Int) -> Int? {
        guard let head = window(at: offset, SoundTag.headBytes), let tag = SoundTag(head) else { return nil }
        return offset + tag.size <= range.upperBound ? tag.size : nil
    }

    private(set) lazy var trailer: Range<Int> = {
        let (end, size) = (range.upperBound, SourceLayout.trailerBytes)
        return bytes(at: end - size, 3)?.elementsEqual("TAG".utf8) ?? false ? end - size..<end : end..<end
    }()

    /// The end of the range without the tags at its end: ID3 of the first version, and APE before it.
    private(set) lazy var streamEnd: Int = {
        var end = range.upperBound
        end -= trailer.count
        if let footer = bytes(at: end - 32, 32), footer.count == 32, footer.starts(with: "APETAGEX".utf8) {
            let size = Self.littleEndian(footer[12..<16]) + (footer[23] & 0x80 != 0 ? 32 : 0)
            if size <= end - range.lowerBound { end -= size }
        }
        return end
    }()

    private static func littleEndian(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
