/// The names that people and programs give to the columns of annotation tables, likelier ones first.
///
/// They are compared as `ColumnName.base` has them: without capitals, blanks, marks and units, so that `Start Time (s)`,
/// `start_time` and `StartTime` are one name.
enum ColumnNames {
    static let starts = [
        "onset", "start", "begin", "start time", "begin time", "onset time", "time start", "t start", "t min", "min t",
        "from", "xmin",
    ]
    static let ends = [
        "offset", "end", "stop", "end time", "stop time", "offset time", "time end", "time stop", "t end", "t stop",
        "t max", "max t", "to", "xmax",
    ]
    static let durations = ["duration", "dur", "length", "len"]
    static let paths = [
        "path", "file", "file name", "file path", "notated path", "audio", "audio path", "audio file path",
        "audio file", "audio file name", "wav", "wav path", "wav file", "wav file name", "sound file", "recording",
        "begin path", "begin file", "input",
    ]
    static let labels = [
        "label", "event label", "annotation", "species", "species code", "species ebird code", "ebird code",
        "primary label", "common name", "species name", "scientific name", "class", "class name", "call type",
        "category", "type", "tag", "tags", "name", "syllable", "word", "phone", "text", "notes",
    ]
    /// Those of them that are nothing but labels.
    static let sureLabels = ["label", "event label", "annotation", "species", "common name", "class", "call type"]
    static let lows = [
        "low frequency", "low freq", "low", "freq min", "freq low", "min freq", "min frequency", "fmin", "f low",
        "low f",
    ]
    static let highs = [
        "high frequency", "high freq", "high", "freq max", "freq high", "max freq", "max frequency", "fmax", "f high",
        "high f",
    ]
    static let annotators = [
        "annotator", "annotators", "annotator id", "annotator name", "annotated by", "observer", "analyst", "reviewer",
        "rater", "labeler", "labeller", "labelled by", "labeled by", "user", "user name",
    ]
    static let channels = ["channel", "chan"]
    static let confidences = ["confidence", "score", "probability", "conf"]
    /// Columns that say nothing of a clip.
    static let dropped = ["", "annot path", "unnamed 0", "index"]
}

/// The name of a column, apart from the unit at its end.
struct ColumnName {
    /// Letters and digits, in lower case.
    let plain: String
    /// The same without the unit.
    let base: String
    let unit: AnnotationOptions.TimeUnit?
    /// Hz in the unit of a frequency.
    let hertz: Double

    private static let units: [(String, AnnotationOptions.TimeUnit)] = [
        ("s", .seconds), ("sec", .seconds), ("secs", .seconds), ("second", .seconds), ("seconds", .seconds),
        ("ms", .milliseconds), ("msec", .milliseconds), ("millisecond", .milliseconds), ("milliseconds", .milliseconds),
        ("sample", .samples), ("samples", .samples), ("ind", .samples), ("inds", .samples),
    ]

    init(_ name: String) {
        let words = name.lowercased().split { !$0.isLetter && !$0.isNumber }
        plain = words.joined()
        let last = words.last.map(String.init) ?? ""
        hertz = last == "khz" ? 1000 : 1
        unit = words.count > 1 ? Self.units.first { $0.0 == last }?.1 : nil
        base = unit != nil || words.count > 1 && (last == "hz" || last == "khz") ? words.dropLast().joined() : plain
    }

    /// Whether a column of this name says nothing of a clip.
    var isDropped: Bool { ColumnNames.dropped.contains { Self.equals($0, plain) } }

    /// Whether it is one of some names of `ColumnNames`.
    func isOne(of names: [String]) -> Bool { names.contains { Self.equals($0, base) } }

    /// Whether a name of `ColumnNames` is this base.
    static func equals(_ name: String, _ base: String) -> Bool {
        name.utf8.lazy.filter { $0 != UInt8(ascii: " ") }.elementsEqual(base.utf8)
    }
}

extension DelimitedTable {
    /// The first column that has one of some names of `ColumnNames`, likelier ones first; nil: there is none.
    func usualColumn(_ names: [String]) -> Int? {
        let found = header.map(ColumnName.init)
        return names.lazy.compactMap { name in found.firstIndex { ColumnName.equals(name, $0.base) } }.first
    }
}
