/// The names under which tables give the times of clips and of annotations, without their unit, as `UnitName.base` has them;
/// likelier ones first.
///
/// `offset` and `offset_time` are ends beside a start, and starts otherwise, as in the manifests of NeMo and lhotse.
package enum TimeNames {
    package static let starts = [
        "onset", "start", "begin", "start_time", "begin_time", "onset_time", "time_start", "t_start", "tmin", "min_t",
        "from", "xmin", "beginning", "start_offset", "segment_start", "clip_start", "tstart", "t_min", "t0",
    ]
    package static let ends = [
        "offset", "end", "stop", "end_time", "stop_time", "offset_time", "time_end", "time_stop", "t_end", "t_stop",
        "tmax", "max_t", "to", "xmax", "end_offset", "segment_end", "clip_end", "tend", "t_max", "t1",
    ]
    package static let durations = ["duration", "dur", "length", "len", "segment_duration", "clip_duration"]

    /// Whether a name of an end is that of a start where there is no other start.
    package static func isStartAlone(_ name: String) -> Bool { name == "offset" || name == "offset_time" }
}

/// The unit of times in a table.
package enum TimeUnit: String, CaseIterable, Sendable {
    case seconds = "s"
    case milliseconds = "ms"
    case samples
}

/// The name of a column, apart from the unit at its end.
package struct UnitName {
    /// In lower case, with `_` for what is neither a letter nor a digit.
    package let plain: String
    /// The same without the unit.
    package let base: String
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
        plain = words.joined(separator: "_")
        let last = words.last.map(String.init) ?? ""
        let start = words.dropLast().joined(separator: "_")
        hertz = last == "khz" ? 1000 : 1
        unit = words.count > 1 ? Self.units.first { $0.0 == last }?.1 : nil
        base = unit != nil || words.count > 1 && (last == "hz" || last == "khz") ? start : plain
    }
}
