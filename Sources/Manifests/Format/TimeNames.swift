/// The names under which tables give the times of clips and of annotations, without their unit, likelier ones first. They are compared
/// by `UnitName`.
///
/// `offset` and `offset_time` are ends in a table with starts, and starts otherwise, as in the manifests of NeMo and lhotse.
package enum TimeNames {
    package static let starts = [
        "onset", "start", "begin", "start_time", "begin_time", "onset_time", "time_start", "t_start", "t_min", "min_t",
        "from", "xmin", "beginning", "start_offset", "segment_start", "clip_start", "t0",
    ]
    package static let ends = [
        "offset", "end", "stop", "end_time", "stop_time", "offset_time", "time_end", "time_stop", "t_end", "t_stop",
        "t_max", "max_t", "to", "xmax", "end_offset", "segment_end", "clip_end", "t1",
    ]
    package static let durations = ["duration", "dur", "length", "len", "segment_duration", "clip_duration"]

    /// What a column may be by the words of its name, where it is none of these: `StartSecond`, `call_end`; nil: no time of a clip.
    static func role(byWordsOf name: String) -> ManifestColumn? {
        let words = Set(UnitName.words(name))
        guard words.isDisjoint(with: otherWords) else { return nil }
        let isStart = !words.isDisjoint(with: ["start", "begin", "beginning", "onset"])
        let isEnd = !words.isDisjoint(with: ["end", "stop", "offset", "finish"])
        if isStart != isEnd { return isStart ? .start : .end }
        if isStart { return nil }
        return words.isDisjoint(with: ["duration", "dur", "length"]) ? nil : .duration
    }

    /// Words of names that are of other things: frequencies, days, places.
    private static let otherWords: Set<String> = [
        "freq", "frequency", "hz", "khz", "date", "year", "month", "day", "hour", "minute", "lat", "lon", "latitude",
        "longitude",
        "page", "line", "row", "depth", "recording",
    ]

    /// Whether a name says that a time is a number of frames, whose length no table says.
    static func isOfFrames(_ name: String) -> Bool { !Set(UnitName.words(name)).isDisjoint(with: ["frame", "frames"]) }

    /// Whether a name of an end is that of a start where there is no other start.
    package static func isStartAlone(_ name: UnitName) -> Bool { name.isOne(of: ["offset", "offset_time"]) }
}

/// The unit of times in a table.
package enum TimeUnit: String, CaseIterable, Sendable {
    case seconds = "s"
    case milliseconds = "ms"
    case samples
}

/// The name of a column, apart from the unit at its end. Capitals, blanks and marks do not count, so that `Start Time (s)`,
/// `start_time` and `StartTime` are one name.
package struct UnitName {
    /// Letters and digits, in lower case.
    let plain: String
    /// The same without the unit.
    let base: String
    package let unit: TimeUnit?
    /// Hz in the unit of a frequency.
    package let hertz: Double

    private static let units: [(String, TimeUnit)] = [
        ("s", .seconds), ("sec", .seconds), ("secs", .seconds), ("second", .seconds), ("seconds", .seconds),
        ("ms", .milliseconds), ("msec", .milliseconds), ("millisecond", .milliseconds), ("milliseconds", .milliseconds),
        ("sample", .samples), ("samples", .samples), ("ind", .samples), ("inds", .samples),
    ]

    package init(_ name: String) {
        let words = name.lowercased().split { !$0.isLetter && !$0.isNumber }
        plain = words.joined()
        let last = words.last.map(String.init) ?? ""
        hertz = last == "khz" ? 1000 : 1
        unit = words.count > 1 ? Self.units.first { $0.0 == last }?.1 : nil
        base = unit != nil || words.count > 1 && (last == "hz" || last == "khz") ? words.dropLast().joined() : plain
    }

    /// The words of a name in lower case: letters between other characters, and from a capital after a small letter.
    static func words(_ name: String) -> [String] {
        var words: [String] = []
        var last: Character = " "
        for character in name {
            if character.isLetter {
                if !last.isLetter || last.isLowercase && character.isUppercase { words.append("") }
                words[words.count - 1] += character.lowercased()
            }
            last = character
        }
        return words
    }

    /// Whether it is one of some names, apart from its unit. They are in lower case, with `_` between words.
    package func isOne(of names: [String]) -> Bool { names.contains(where: equals) }

    /// The same of one name.
    package func equals(_ name: String) -> Bool { Self.equals(name, base) }

    /// Whether it is one of some names, with its unit, if it has one.
    package func isWhollyOne(of names: [String]) -> Bool { names.contains { Self.equals($0, plain) } }

    private static func equals(_ name: String, _ plain: String) -> Bool {
        name.utf8.lazy.filter { $0 != UInt8(ascii: "_") }.elementsEqual(plain.utf8)
    }
}
