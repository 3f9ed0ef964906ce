/// What a preset is: its text, the source of its numbers, and its settings: a block of `presets.txt`, one for each case of
/// `Preset`.
///
/// A block is the preset's name, then lines `name: text` (see `take`), then the settings with which it differs from a
/// configuration that says nothing, in the words of `--set`. A setting drops those before it that its kind or scope does not have,
/// so kinds and scopes come first. A line that begins with `#` is a comment.
struct PresetEntry: Sendable {
    private(set) var group = PresetGroup.models
    /// The preset in a line.
    private(set) var summary = ""
    private var noteLines: [String] = []
    /// Where the numbers are written: a program with its version, file and lines, or a page of this documentation.
    private(set) var source = ""
    /// The rate in Hz that the original reads by default, where the preset has none of its own: 44.1 kHz where that is the rate of the
    /// sound card.
    private(set) var usualRate = 44_100.0
    /// What the model takes at a time, in seconds, where the preset takes clips of any length and each window has a maximum, a mean or
    /// ends of its own, so that its features are not rows of those of a longer clip; nil: it is not so.
    private(set) var window: Double?
    /// The transform of another kind for a user who changes the preset's `transform.kind`.
    private(set) var variants: [TransformConfiguration.Kind: TransformConfiguration] = [:]
    /// Names of models that take the same, or nearly.
    private(set) var aliases: [PresetAlias] = []
    private var settings: [ConfigurationValue.Entry] = []

    /// Reads the block of a name; everything is empty if there is none.
    ///
    /// A line that `take` does not know is taken for a setting; `definition` refuses it if it is not one.
    ///
    /// - Complexity: O(bytes before the block's end), without an allocation before its start.
    init(named name: String, in text: [UInt8] = PackageResources.presets_txt) {
        var isOwn = false
        Self.readLines(of: text) { line, isName in
            guard !isName else {
                if isOwn { return false }
                isOwn = line.elementsEqual(name.utf8)
                return true
            }
            if isOwn { read(String(decoding: line, as: UTF8.self)) }
            return true
        }
    }

    /// The names of the blocks that have a line `window: …`, and after it a sample rate in Hz.
    ///
    /// - Complexity: O(bytes), with an allocation for each such block.
    static func namesWithWindow(at sampleRate: Int, in text: [UInt8] = PackageResources.presets_txt) -> [String] {
        let (key, rate) = (Array("audio.sample_rate=".utf8), Array("\(sampleRate)".utf8))
        let isStandard = sampleRate == AudioConfiguration.standard.sampleRate
        var names: [(name: String, hasRate: Bool)] = []
        var (name, hasWindow): (Line?, Bool) = (nil, false)
        readLines(of: text) { line, isName in
            if isName {
                (name, hasWindow) = (line, false)
            } else if let own = name, line.first == UInt8(ascii: "w"), line.starts(with: "window: ".utf8) {
                hasWindow = true
                names.append((String(decoding: own, as: UTF8.self), isStandard))
            } else if hasWindow, !line.starts(with: "note: ".utf8),
                let word = line.split(separator: UInt8(ascii: " ")).first(where: { $0.starts(with: key) })
            {
                names[names.endIndex - 1].hasRate = word.dropFirst(key.count).elementsEqual(rate)
            }
            return true
        }
        return names.filter(\.hasRate).map(\.name)
    }

    private typealias Line = Slice<UnsafeBufferPointer<UInt8>>

    /// Calls `read` with each line that is no comment and not empty, and whether it is the first of a block, until it returns false.
    private static func readLines(of text: [UInt8], _ read: (_ line: Line, _ isName: Bool) -> Bool) {
        text.withUnsafeBufferPointer { text in
            var (isFirst, start) = (true, text.startIndex)
            while start < text.endIndex {
                var end = start
                while end < text.endIndex, text[end] != UInt8(ascii: "\n") { end += 1 }
                let line = text[start..<end]
                start = end + 1
                if line.isEmpty {
                    isFirst = true
                } else if line.first != UInt8(ascii: "#") {
                    guard read(line, isFirst) else { return }
                    isFirst = false
                }
            }
        }
    }

    private mutating func read(_ line: String) {
        if let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) {
            let text = line[line.utf8.index(after: colon)...]
            if text.utf8.first == UInt8(ascii: " "), take(String(text.dropFirst()), as: line[..<colon]) { return }
        }
        settings += ConfigurationValue.entries(line)
    }

    /// - Returns: Whether there is a line of this name, and it has such a text.
    private mutating func take(_ text: String, as name: Substring) -> Bool {
        switch name {
        case "group":
            guard let group = PresetGroup(rawValue: text) else { return false }
            self.group = group
        case "summary": summary = text
        case "source": source = text
        case "note": noteLines.append(text)
        case "alias":
            guard let alias = PresetAlias(text) else { return false }
            aliases.append(alias)
        case "rate":
            guard let rate = Double(text) else { return false }
            usualRate = rate
        case "window":
            guard let seconds = Double(text), seconds > 0, seconds.isFinite else { return false }
            window = seconds
        case "transform":
            // The keys of the section alone.
            guard let variant = try? TransformConfiguration.table.read(.mapping(ConfigurationValue.entries(text)))
            else { return false }
            variants[variant.kind] = variant
        default: return false
        }
        return true
    }

    /// Differences from the original, what is assumed where that is ambiguous, and related settings; nil: nothing to say.
    var notes: Note? {
        noteLines.reduce(nil) { notes, line in (notes.map { $0 + "\n" } ?? "") + Self.note(line) }
    }

    /// A line of notes; what a user can set is `<set key=value>`, `<preset name>`, `<range low:high>` or `<colors>`.
    private static func note(_ line: String) -> Note {
        let settings: [Substring: Note.Setting] = ["set": .key, "preset": .preset, "range": .range, "colors": .colors]
        let parts = line.split(separator: "<", omittingEmptySubsequences: false)
        return parts.dropFirst().reduce(into: Note(String(parts[0]))) { note, part in
            let ends = part.split(separator: ">", maxSplits: 1, omittingEmptySubsequences: false)
            let words = ends[0].split(separator: " ", maxSplits: 1)
            guard ends.count == 2, let name = words.first, let setting = settings[name] else {
                return note += Note("<\(part)")
            }
            note += "\(setting: setting, words.count == 2 ? String(words[1]) : nil)\(String(ends[1]))"
        }
    }

    /// The configuration as printed and changed: with times, and edges of half the rate, where the original defines them so.
    func definition() throws(ConfigurationError) -> FeatureConfiguration {
        var tree = ConfigurationTree(.mapping([]))
        for setting in settings {
            try tree.set(setting.path, setting.value)
        }
        return try FeatureConfiguration(tree.root, isResolved: false)
    }
}

extension Preset {
    /// The name's definition, read anew each time; a test holds the names to those of the blocks.
    var entry: PresetEntry { PresetEntry(named: rawValue) }
}
