/// What was read and not used: a remark for each kind and source.
///
/// A million files cost a counter and three names. Accounts of parts are merged in any order, and the result is that of the whole:
/// the names that are kept are the first by their positions, then by their bytes.
package struct Account: Sendable, Hashable {
    private struct Key: Hashable {
        let kind: Remark.Kind
        let source: String
    }

    private struct Name: Hashable, Comparable {
        let position: Int
        let note: Note

        /// Without what settings are called.
        var text: String { note.text { _, _ in "" } }

        static func < (one: Name, other: Name) -> Bool {
            one.position == other.position
                ? one.text.utf8.lexicographicallyPrecedes(other.text.utf8) : one.position < other.position
        }
    }

    private struct Entry: Hashable {
        var count = 0
        /// Sorted.
        var first: [Name] = []

        mutating func add(_ count: Int, at position: Int, _ name: () -> Note) {
            self.count += count
            if first.count < Remark.maximumNames || position <= first[first.count - 1].position {
                keep(Name(position: position, note: name()))
            }
        }

        mutating func merge(_ other: Entry) {
            count += other.count
            for name in other.first { keep(name) }
        }

        private mutating func keep(_ name: Name) {
            let index = first.firstIndex { name <= $0 } ?? first.count
            guard index < Remark.maximumNames, index == first.count || first[index] != name else { return }
            if first.count == Remark.maximumNames { first.removeLast() }
            first.insert(name, at: index)
        }
    }

    private var entries: [Key: Entry] = [:]
    /// How many clips there are of each sample rate, in Hz, among those with `bandsAbove` and those with `annotationsAbove`, where known.
    private var ratesAbove: [Remark.Kind: [Int: Int]] = [:]

    package init() {}

    package var isEmpty: Bool { entries.isEmpty }

    /// Adds something that has a name.
    ///
    /// - Parameters:
    ///   - source: The file, folder or table that it is about.
    ///   - position: Where it is in the source, such as the index of a clip or the number of a line; names of one position are
    ///     in the order of their bytes.
    ///   - name: Its name, which is made only if it may be among the first.
    ///   - count: How many things have the name.
    package mutating func add(
        _ kind: Remark.Kind, source: String, at position: Int = 0, _ name: @autoclosure () -> String, count: Int = 1
    ) {
        add(kind, source: source, at: position, note: Note(name()), count: count)
    }

    /// The same with a name that mentions settings.
    package mutating func add(
        _ kind: Remark.Kind, source: String, at position: Int = 0, note name: @autoclosure () -> Note, count: Int = 1
    ) {
        guard count > 0 else { return }
        entries[Key(kind: kind, source: source), default: Entry()].add(count, at: position, name)
    }

    /// Adds things that have no names.
    package mutating func add(_ kind: Remark.Kind, source: String, count: Int) {
        guard count > 0 else { return }
        entries[Key(kind: kind, source: source), default: Entry()].count += count
    }

    /// Adds a remark of a part, such as a file of a set.
    ///
    /// - Parameter part: The number of the part, from 0: its names come after those of parts before it.
    package mutating func add(_ remark: Remark, ofPart part: Int = 0) {
        add(remark.kind, source: remark.source, count: remark.count)
        let key = Key(kind: remark.kind, source: remark.source)
        for (index, name) in remark.first.prefix(Remark.maximumNames).enumerated() {
            entries[key]?.add(0, at: part * Remark.maximumNames + index) { Note(name) }
        }
    }

    /// Adds the remarks of a clip.
    ///
    /// - Parameters:
    ///   - limits: Those that they follow from; nil: there are none.
    ///   - rate: Sample rate of the recording in Hz; nil: unknown.
    package mutating func add(
        _ remarks: RecordingRemarks, ofClip id: @autoclosure () -> String, at position: Int,
        _ limits: FeatureLimits? = nil, rate: Int? = nil
    ) {
        guard !remarks.isEmpty else { return }
        if let rate {
            for kind in remarks.intersection([.bandsAbove, .annotationsAbove]).kinds {
                ratesAbove[kind, default: [:]][rate, default: 0] += 1
            }
        }
        for kind in remarks.kinds {
            add(kind, source: limits?.source(of: kind) ?? RecordingRemarks.source, at: position, id())
        }
    }

    /// All remarks but those of some kinds.
    package func without(_ kinds: Remark.Kind...) -> Account {
        var rest = self
        rest.entries = entries.filter { !kinds.contains($0.key.kind) }
        return rest
    }

    /// The same remarks.
    ///
    /// - Parameter words: The text of a name, with what settings are called.
    package func naming(_ words: (Note) -> String) -> Account {
        var named = self
        named.entries = entries.mapValues { entry in
            var entry = entry
            entry.first = entry.first.map { Name(position: $0.position, note: Note(words($0.note))) }
            return entry
        }
        return named
    }

    /// Subtracts things without names that turned out to be used.
    package mutating func remove(_ kind: Remark.Kind, source: String, count: Int) {
        let key = Key(kind: kind, source: source)
        guard let known = entries[key]?.count else { return }
        if known > count { entries[key]?.count -= count } else { entries[key] = nil }
    }

    /// How many things the remarks of a kind are about.
    package func count(of kind: Remark.Kind) -> Int {
        entries.reduce(0) { $1.key.kind == kind ? $0 + $1.value.count : $0 }
    }

    /// Adds all that another account has.
    package mutating func merge(_ other: Account) {
        for (key, added) in other.entries {
            entries[key, default: Entry()].merge(added)
        }
        ratesAbove.merge(other.ratesAbove) { $0.merging($1, uniquingKeysWith: +) }
    }

    /// Adds all that another account has, as remarks about one source.
    package mutating func merge(_ other: Account, as source: String) {
        for (key, added) in other.entries {
            entries[Key(kind: key.kind, source: source), default: Entry()].merge(added)
        }
        ratesAbove.merge(other.ratesAbove) { $0.merging($1, uniquingKeysWith: +) }
    }

    /// Both accounts as one.
    package func merging(_ other: Account) -> Account {
        var merged = self
        merged.merge(other)
        return merged
    }

    /// The remarks: losses first, then by kind, then by source. Names lack the settings that they mention: see `naming`.
    package var remarks: [Remark] {
        entries.map { Remark(kind: $0.kind, source: $0.source, count: $1.count, first: $1.first.map(\.text)) }.sorted()
    }

    /// The most frequent sample rate, in Hz, of the recordings of clips with a remark of a kind, of equally frequent ones the highest, and
    /// whether all have it; nil: unknown.
    package func rateAbove(of kind: Remark.Kind) -> (rate: Int, isOnly: Bool)? {
        let rates = ratesAbove[kind] ?? [:]
        return rates.max { ($0.value, $0.key) < ($1.value, $1.key) }.map { ($0.key, rates.count == 1) }
    }

    /// Files among which no recording is, in words: `no files at all`, `none among 3 other files, of which 2 may be recordings
    /// that are not read, such as 'a.spx'`.
    package var filesWithoutRecording: String {
        let likely = remarks.filter { $0.kind == .recordingsPassedOver }
        let count = likely.reduce(0) { $0 + $1.count }
        let others = entries.filter { Self.filesOfFolders.contains($0.key.kind) }.reduce(0) { $0 + $1.value.count }
        guard others > 0 else { return "no files at all" }
        let found = "none among \(others) other \(others == 1 ? "file" : "files")"
        guard let first = likely.lazy.compactMap(\.first.first).first else {
            let unread = remarks.first { $0.kind == .metadataUnread }?.first.first
            return found + (unread.map { ", such as \($0)" } ?? "")
        }
        return found
            + ", of which \(count) may be \(count == 1 ? "a recording that is" : "recordings that are") not read, "
            + "such as \(first)"
    }

    private static let filesOfFolders: Set<Remark.Kind> = [
        .recordingsPassedOver, .tablesUnclaimed, .metadataUnread, .othersSkipped,
    ]

    /// Whether a remark is of a loss.
    package var hasLoss: Bool { entries.keys.contains { $0.kind.isLoss } }
}
