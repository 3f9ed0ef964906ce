extension SampleData {
    /// Finds the samples of a recording: WAV, RF64, AIFF, AU, W64, CAF, 8SVX or NIST.
    ///
    /// - Returns: Nil for formats without a size of samples in the header, and where it is not found.
    static func find(_ file: HeaderBytes) -> SampleData? {
        riff(file) ?? iff(file) ?? au(file) ?? w64(file) ?? caf(file) ?? nist(file)
    }

    /// RIFF, RIFX and RF64.
    private static func riff(_ file: HeaderBytes) -> SampleData? {
        guard let header = WaveHeader(file), let data = header.data, let size = header.dataBytes else { return nil }
        let isBig = header.kind.isBigEndian
        let walk = ChunkWalk(file, isBigEndian: isBig)
        var fields = [Field(offset: 4, width: 4, isBigEndian: isBig, meaning: .file(behind: 8))]
        var dataField = Field(offset: data.offset + 4, width: 4, isBigEndian: isBig, meaning: .data(plus: 0))
        if let body = header.longLengths?.chunk.start {
            dataField = Field(offset: body + 8, width: 8, isBigEndian: false, meaning: .data(plus: 0))
            fields = [
                Field(offset: body, width: 8, isBigEndian: false, meaning: .file(behind: 8)),
                Field(offset: body + 16, width: 8, isBigEndian: false, meaning: .frames),
            ]
        }
        return SampleData(
            file, offset: data.start, size: size, alignment: walk.alignment, isWellFormed: walk.isWellFormed,
            fields: fields + [dataField])
    }

    /// AIFF, AIFC, and the IFF of the Amiga.
    private static func iff(_ file: HeaderBytes) -> SampleData? {
        guard file.has("FORM", at: 0) else { return nil }
        let walk = ChunkWalk(file, isBigEndian: true)
        func field(_ offset: Int, _ meaning: Field.Meaning) -> Field {
            Field(offset: offset, width: 4, isBigEndian: true, meaning: meaning)
        }
        var fields = [field(4, .file(behind: 8))]
        if file.has("AIFF", at: 8) || file.has("AIFC", at: 8) {
            guard let data = walk.find("SSND"),
                let gap = file.number(at: data.offset + 8, 4, isBigEndian: true), gap < 1 << 20
            else { return nil }
            // Two numbers precede the samples: bytes to skip, and the size of a block.
            let before = 8 + Int(gap)
            fields.append(field(data.offset + 4, .data(plus: before)))
            if let common = walk.find("COMM") { fields.append(field(common.offset + 10, .frames)) }
            return SampleData(
                file, offset: data.start + before, size: data.size, overhead: before, alignment: walk.alignment,
                isWellFormed: walk.isWellFormed, fields: fields)
        }
        guard let data = walk.find("BODY") else { return nil }
        fields.append(field(data.offset + 4, .data(plus: 0)))
        return SampleData(
            file, offset: data.start, size: data.size, alignment: walk.alignment, isWellFormed: walk.isWellFormed,
            fields: fields)
    }

    /// Sony's Wave64: as RIFF, with names of 16 bytes, sizes of 8 that include both, and chunks at multiples of 8.
    private static func w64(_ file: HeaderBytes) -> SampleData? {
        guard file.has("riff", at: 0), file.has("wave", at: 24) else { return nil }
        let walk = ChunkWalk(file, start: 40, nameWidth: 16, sizeWidth: 8, alignment: 8)
        guard let data = walk.find("data") else { return nil }
        return SampleData(
            file, offset: data.start, size: data.size, overhead: 24, alignment: walk.alignment,
            isWellFormed: walk.isWellFormed,
            fields: [
                Field(offset: 16, width: 8, isBigEndian: false, meaning: .file(behind: 0)),
                Field(offset: data.offset + 16, width: 8, isBigEndian: false, meaning: .data(plus: 24)),
            ])
    }

    /// Sun's and NeXT's format, in either byte order.
    private static func au(_ file: HeaderBytes) -> SampleData? {
        let isBig = file.has(".snd", at: 0)
        guard isBig || file.has("dns.", at: 0), let offset = file.number(at: 4, 4, isBigEndian: isBig),
            let size = file.number(at: 8, 4, isBigEndian: isBig)
        else { return nil }
        return SampleData(
            file, offset: Int(offset), size: size, isWellFormed: { $0 >= file.fileSize },
            fields: [Field(offset: 8, width: 4, isBigEndian: isBig, meaning: .data(plus: 0))])
    }

    /// Apple's Core Audio Format, with −1 for an unknown size.
    private static func caf(_ file: HeaderBytes) -> SampleData? {
        guard file.has("caff", at: 0) else { return nil }
        let walk = ChunkWalk(file, start: 8, isBigEndian: true, sizeWidth: 8, alignment: 1)
        guard let data = walk.find("data") else { return nil }
        // A count of edits precedes the samples.
        return SampleData(
            file, offset: data.offset + 16, size: data.size, overhead: 4, isWellFormed: walk.isWellFormed,
            fields: [Field(offset: data.offset + 4, width: 8, isBigEndian: true, meaning: .data(plus: 4))])
    }

    /// NIST's SPHERE: lines of text, then samples.
    private static func nist(_ file: HeaderBytes) -> SampleData? {
        guard file.has("NIST_1A\n", at: 0), let width = file.bytes(at: 8, 8),
            let offset = Int(String(decoding: width, as: UTF8.self).filter { $0.isNumber }), offset <= 1 << 20,
            let header = file.bytes(at: 0, offset)
        else { return nil }
        var numbers: [Substring: Int] = [:]
        for line in String(decoding: header, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ")
            // Name, type, value; libsndfile writes some numbers as text.
            if words.count == 3 { numbers[words[0]] = Int(words[2]) }
        }
        guard let frames = numbers["sample_count"], let bytes = numbers["sample_n_bytes"] else { return nil }
        let (channels, limit) = (numbers["channel_count"] ?? 1, 1 << 40)
        guard (0..<limit).contains(frames), (1...8).contains(bytes), (1...1024).contains(channels) else { return nil }
        return SampleData(
            file, offset: offset, size: UInt64(frames * bytes * channels), isWellFormed: { $0 >= file.fileSize },
            fields: [])
    }
}
