/// The speakers of a Kaldi directory: `spk2utt`, and `spk2gender` where clips have a gender.
struct KaldiSpeakers {
    private var numbers: [[UInt8]: Int32] = [:]
    private var speakers: [(name: [UInt8], gender: [UInt8])] = []
    /// The number of each clip's speaker.
    private var owners: [Int32] = []
    private let hasGender: Bool
    private var contradicted: Set<Int32> = []

    init(hasGender: Bool) { self.hasGender = hasGender }

    /// Appends the speaker of the next clip. The gender is the first that a clip of the speaker has; empty: none.
    mutating func append(_ name: [UInt8], gender: [UInt8]) {
        let number = numbers[name] ?? Int32(clamping: speakers.count)
        owners.append(number)
        if numbers.updateValue(number, forKey: name) == nil { speakers.append((name, gender)) }
        let known = speakers[Int(number)].gender
        if known.isEmpty { speakers[Int(number)].gender = gender }
        if !known.isEmpty, !gender.isEmpty, gender != known { contradicted.insert(number) }
    }

    var notes: [ExportNote] {
        let names = contradicted.sorted().map { String(decoding: speakers[Int($0)].name, as: UTF8.self) }
        return names.isEmpty ? [] : [.gendersDisagree(speakers: names)]
    }

    /// Writes the tables.
    ///
    /// - Parameters:
    ///   - order: The clips in the order of their ids.
    ///   - id: The id of a clip.
    func write(to folder: ExportFolder, order: [Int], id: (Int) -> ArraySlice<UInt8>) throws {
        var clips = [[Int32]](repeating: [], count: speakers.count)
        for clip in order { clips[Int(owners[clip])].append(Int32(clamping: clip)) }
        let sorted = speakers.indices.sorted { speakers[$0].name.lexicographicallyPrecedes(speakers[$1].name) }
        let table = try folder.region("spk2utt", capacity: 1 << 18)
        for number in sorted {
            try table.write(speakers[number].name)
            for clip in clips[number] { try table.write([UInt8(ascii: " ")] + id(Int(clip))) }
            try table.write([UInt8(ascii: "\n")])
        }
        try folder.finish(table)
        guard hasGender else { return }
        let genders = try folder.region("spk2gender", capacity: 1 << 18)
        for number in sorted where !speakers[number].gender.isEmpty {
            try genders.write(
                speakers[number].name + [UInt8(ascii: " ")] + speakers[number].gender + [UInt8(ascii: "\n")])
        }
        try folder.finish(genders)
    }
}
