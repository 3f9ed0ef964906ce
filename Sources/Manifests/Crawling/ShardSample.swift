import Archives
import FeatureModel

/// What a WebDataset shard says of a recording, apart from its sound.
struct ShardSample {
    /// Nil: not given.
    var label: String?
    var split: String?
    /// Other columns, in the order of the members.
    var columns: [(name: String, value: String)] = []
    /// The labels of `.cls`, which comes first, and of JSON.
    private var (classLabel, jsonLabel): (String?, String?)

    /// A label of JSON that differs from that of `.cls` is a column.
    private mutating func settleLabel() {
        label = classLabel ?? jsonLabel
        columns.removeAll { $0.name == Self.otherLabel }
        if let jsonLabel, jsonLabel != label { columns.append((Self.otherLabel, jsonLabel)) }
    }

    private static let otherLabel = "json_label"
}

/// What the members of a sample share: the name up to the first dot after the last slash.
struct ShardKey: Hashable {
    let text: [UInt8]
    /// Number of the sample in the archive.
    let index: Int
}

/// The samples of a WebDataset shard: adjacent members with one key.
struct ShardSamples {
    /// Whether a recording has a label, a text or JSON with its key.
    private(set) var isShard = false
    private var samples: [(sidecars: [String], hasRecording: Bool)] = []
    private var last: [UInt8] = []

    /// Extensions of members that say something of a recording: the label, a text, fields.
    private static let extensions = ["cls", "txt", "json"]
    /// Larger ones are not read.
    static let maximumBytes = 1 << 20

    /// Takes the next member of the archive.
    @discardableResult
    mutating func add(_ name: String, isRecording: Bool) -> ShardKey {
        let (key, ending) = Self.divide(name)
        if samples.isEmpty || last != key {
            samples.append(([], false))
            last = key
        }
        let index = samples.count - 1
        if isRecording { samples[index].hasRecording = true }
        if Self.extensions.contains(ending.lowercased()) { samples[index].sidecars.append(name) }
        if samples[index].hasRecording, !samples[index].sidecars.isEmpty { isShard = true }
        return ShardKey(text: key, index: index)
    }

    /// Whether a recording has this key.
    func hasRecording(_ key: ShardKey?) -> Bool { key.map { samples[$0.index].hasRecording } ?? false }

    /// What the other members with the key of a recording say.
    ///
    /// - Returns: Also what is wrong with them, a clause each.
    func sample(_ key: ShardKey?, in archive: Archive) -> (ShardSample, problems: [String]) {
        var (sample, problems) = (ShardSample(), [String]())
        guard let key else { return (sample, []) }
        for name in samples[key.index].sidecars {
            if let problem = sample.read(name, Self.bytes(name, in: archive)) { problems.append(problem) }
        }
        return (sample, problems)
    }

    private static func bytes(_ name: String, in archive: Archive) -> [UInt8]? {
        guard let part = try? archive.part(name), part.count <= maximumBytes,
            let bytes = try? part.file.bytes(at: part.offset, part.count), bytes.count == part.count
        else { return nil }
        return bytes
    }

    /// Whether a member says something of a recording, by its name.
    static func isSidecar(_ name: String) -> Bool { extensions.contains(divide(name).ending.lowercased()) }

    /// The key of a member, and what follows its dot.
    static func divide(_ name: String) -> (key: [UInt8], ending: String) {
        let bytes = Array(name.utf8)
        let base = bytes.lastIndex(of: Byte.slash).map { $0 + 1 } ?? 0
        let dot = bytes[base...].firstIndex(of: Byte.dot) ?? bytes.count
        return (Array(bytes[..<dot]), String(decoding: bytes[dot...].dropFirst(), as: UTF8.self))
    }
}

extension ShardSample {
    /// Reads another member with the key of a recording.
    ///
    /// - Parameter bytes: Nil: it cannot be read, or is too long.
    /// - Returns: What is wrong with it, a clause; nil: nothing.
    mutating func read(_ name: String, _ bytes: [UInt8]?) -> String? {
        guard let text = bytes.flatMap({ String(validating: $0, as: UTF8.self) }) else {
            return "\(quoted(name)) beside it cannot be read, or is not text in UTF-8 of at most 1 MiB"
        }
        switch ShardSamples.divide(name).ending.lowercased() {
        case "cls":
            classLabel = Self.trimmed(text)
            settleLabel()
        case "txt": columns.append(("text", Self.trimmed(text)))
        default: return read(json: text).map { "\(quoted(name)) beside it \($0)" }
        }
        return nil
    }

    /// The text without blanks and line ends at its ends.
    private static func trimmed(_ text: String) -> String {
        let isBlank = { (byte: UInt8) in byte <= Byte.space }
        let bytes = text.utf8.drop(while: isBlank).reversed().drop(while: isBlank).reversed()
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads the fields of a JSON object; returns what is wrong with it.
    fileprivate mutating func read(json: String) -> String? {
        JSONScanner.problem(in: Array(json.utf8)) { scanner throws(JSONScanner.Failure) in
            try scanner.takeObject("at the start of an object", end: "after the object") {
                scanner, name throws(JSONScanner.Failure) in
                var value: [UInt8] = []
                _ = try scanner.takeValue(into: &value)
                take(name, String(decoding: value, as: UTF8.self))
            }
            guard scanner.peek() == nil else { throw JSONScanner.Failure(text: "continues after its object") }
        }
    }

    private mutating func take(_ name: String, _ value: String) {
        switch ManifestColumn(spelled: name) {
        case .label:
            jsonLabel = value
            settleLabel()
        case .split: split = value
        // The others say which part of which file a clip is, which the field does not.
        case .some: columns.append(("json_\(name)", value))
        case nil: if !name.isEmpty { columns.append((name, value)) }
        }
    }
}

/// The columns of several shards: the names of all samples, in the order in which they come.
struct ShardColumns {
    private(set) var names: [String] = []
    private var indices: [String: Int] = [:]

    /// - Parameter others: Names that columns have already; fields of these names are left out.
    init(_ recordings: [FoundRecording], except others: [String]) {
        for recording in recordings {
            for (name, _) in recording.sample?.columns ?? [] where indices[name] == nil && !others.contains(name) {
                guard names.count + others.count < ManifestColumn.extraLimit else { continue }
                indices[name] = names.count
                names.append(name)
            }
        }
    }

    /// The values of a recording; of two of one name the last.
    func values(_ recording: FoundRecording) -> [String] {
        var values = Array(repeating: "", count: names.count)
        for (name, value) in recording.sample?.columns ?? [] {
            if let index = indices[name] { values[index] = value }
        }
        return values
    }
}
