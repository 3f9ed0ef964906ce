import FileIO

@testable import Archives

/// Lists of archives, and what they are compressed by. zlib and libzstd are asked, too: damage has to become an error of theirs.
enum ArchiveFuzzing {
    /// Where the first byte is even, the checksums of a tar's headers are made right first.
    static func take(_ bytes: UnsafeRawBufferPointer) {
        let (choice, rest) = bytes.split
        let path = ScratchFile.write(choice % 2 == 0 ? summed(Array(rest)) : Array(rest), "archive")
        let run = Unpacking.use(Unpacking.Settings(folder: ScratchFile.folder))
        defer { Unpacking.end(run) }
        readStream(path, count: bytes.count)
        guard let archive = try? Archive(path: path) else { return }
        var (names, refused): ([String], Int) = ([], 0)
        archive.forEach { name, _, member, refusal in
            law(member.size >= 0, "no negative length")
            if refusal != nil { refused += 1 }
            if let name { names.append(name) }
        }
        law(names.count <= archive.count && refused <= archive.count, "no more names than members")
        for name in names.prefix(20) {
            guard let part = try? archive.part(name) else { continue }
            law(part.offset >= 0 && part.count >= 0 && archive.location(of: name) != nil, "a part is of a member")
            let found = try? part.file.bytes(at: part.offset, part.count)
            law(found?.count == part.count, "all bytes of a part are there")
            law(!MemberPath.isUnsafe(name), "an unsafe name is refused")
        }
    }

    /// The same bytes, read as a stream.
    private static func readStream(_ path: String, count: Int) {
        guard let file = try? SharedFile(streamAt: path) else { return }
        do throws(ArchiveError) {
            let stream = try TarStream(descriptor: file.descriptor, shouldStop: { false })
            var members = 0
            while let member = try stream.next() {
                members += 1
                law(member.size >= 0 && !member.name.isEmpty, "no negative length, and a name")
                guard members % 3 > 0 else { continue }
                var found = 0
                try stream.read { found += $0.count }
                law(found == member.size, "all bytes of a member are handed out")
            }
        } catch {
            law(!error.words.isEmpty, "an error says something")
        }
    }

    private static func summed(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for start in stride(from: 0, through: bytes.count - 512, by: 512) where bytes[start + 257] == UInt8(ascii: "u")
        {
            bytes.replaceSubrange(start + 148..<start + 156, with: Array("        ".utf8))
            let digits = String(bytes[start..<start + 512].reduce(0) { $0 + Int($1) }, radix: 8)
            let field = String(repeating: "0", count: max(6 - digits.count, 0)) + digits + "\0 "
            bytes.replaceSubrange(start + 148..<start + 156, with: Array(field.utf8))
        }
        return bytes
    }
}
