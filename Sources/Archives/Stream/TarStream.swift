import FileIO

/// The members of a tar that is read once, forward, such as from a pipe. Used by one thread at a time.
///
/// Several tars may follow one another, as `cat` of shards makes them.
package final class TarStream {
    /// A member; its bytes follow.
    package struct Member: Sendable {
        /// As stored, without a leading `./`.
        package let name: [UInt8]
        package let kind: ArchiveMember.Kind
        /// Length in bytes.
        package let size: Int

        /// The name as it can be shown.
        package var shown: String { String(decoding: name, as: UTF8.self) }
        /// Why it cannot be read; nil: it can.
        package var refusal: ArchiveError? { kind.refusal(named: shown) }
    }

    private let bytes: UnpackedStream
    private var headers = TarHeaders()
    /// Bytes of the tar that were handed out or skipped.
    private var offset = 0
    /// Bytes up to the next header, of which the first `unread` belong to the member.
    private var left = 0
    private var unread = 0

    /// Waits for the first bytes of a stream.
    ///
    /// - Parameters:
    ///   - descriptor: Stays open.
    ///   - shouldStop: Is asked several times a second.
    /// - Throws: `ArchiveError` where it is empty, or something that is not read.
    package init(descriptor: Int32, shouldStop: @escaping () -> Bool) throws(ArchiveError) {
        bytes = try UnpackedStream(descriptor: descriptor, shouldStop: shouldStop)
    }

    /// The next member; what is left of the one before is skipped. Nil after the last one: then all bytes were there, and every
    /// checksum of the compression was right.
    package func next() throws(ArchiveError) -> Member? {
        try skip(left)
        (left, unread) = (0, 0)
        while true {
            let start = offset
            let block = try take(TarHeaders.block)
            var taken = 0
            var headers = headers
            let step = try headers.take(block[...], at: start) { size throws(ArchiveError) in
                let content = try take(size)
                taken = content.count
                return content[...]
            }
            self.headers = headers
            switch step {
            case .padding: continue
            case .end(let problem?): throw problem
            case .end(nil):
                while try !bytes.next(1 << 18).isEmpty {}
                return nil
            case .header(.extension(let size)): try skip(TarHeaders.padded(size) - taken)
            case .header(.member(let name, let kind, let size, let hasMap)):
                if hasMap { try skipMap() }
                (left, unread) = (TarHeaders.padded(size), size)
                let stripped = MemberIndex.stripped(name[...])
                guard !stripped.isEmpty else {
                    try skip(left)
                    (left, unread) = (0, 0)
                    continue
                }
                return Member(name: Array(stripped), kind: kind, size: size)
            }
        }
    }

    private func skipMap() throws(ArchiveError) {
        while true {
            let map = try take(TarHeaders.block)
            guard map.count == TarHeaders.block else { throw cutOff }
            if TarHeaders.isLastOfMap(map[...]) { return }
        }
    }

    /// Hands over the bytes of the member, piece by piece.
    ///
    /// - Throws: `ArchiveError` where the stream ends before, or what `receive` throws.
    package func read(_ receive: (UnsafeRawBufferPointer) throws(ArchiveError) -> Void) throws(ArchiveError) {
        while unread > 0 {
            let piece = try bytes.next(unread)
            guard !piece.isEmpty else { throw cutOff }
            offset += piece.count
            left -= piece.count
            unread -= piece.count
            try receive(piece)
        }
    }

    private var cutOff: ArchiveError { TarHeaders.cutOff(at: offset) }

    /// The next bytes; fewer at the end.
    private func take(_ count: Int) throws(ArchiveError) -> [UInt8] {
        var result: [UInt8] = []
        while result.count < count {
            let piece = try bytes.next(count - result.count)
            guard !piece.isEmpty else { break }
            result += piece
        }
        offset += result.count
        return result
    }

    private func skip(_ count: Int) throws(ArchiveError) {
        var left = count
        while left > 0 {
            let piece = try bytes.next(left)
            guard !piece.isEmpty else { throw cutOff }
            left -= piece.count
            offset += piece.count
        }
    }
}
