/// A row of a manifest: a recording, or a part of one.
public struct Clip: Hashable, Sendable {
    /// Position in the manifest, from 0.
    public let index: Int
    /// Unique name.
    public let id: String
    /// Path of the recording, as the manifest gives it.
    public let path: String
    /// Label; empty: none.
    public let label: String
    /// Split, such as `train`; empty: none.
    public let split: String
    /// The part of the recording; nil: all of it.
    public let segment: Segment?
    /// The channel, from 0, that overrides the configuration's; nil: as configured.
    public let channel: Int?
    /// The values of the manifest's other columns, in the order of its `extraColumns`.
    public let extra: [String]

    /// Keeps the values.
    public init(
        index: Int, id: String, path: String, label: String = "", split: String = "", segment: Segment? = nil,
        channel: Int? = nil, extra: [String] = []
    ) {
        self.index = index
        self.id = id
        self.path = path
        self.label = label
        self.split = split
        self.segment = segment
        self.channel = channel
        self.extra = extra
    }

    /// The path of a recording with the manifest's `path`: relative paths start at the folder `root`.
    package static func location(of path: String, root: String) -> String {
        path.hasPrefix("/") || root.isEmpty ? path : root + "/" + path
    }
}

/// A part of a recording, in seconds from its start.
public struct Segment: Hashable, Sendable {
    /// Its start; 0 or more.
    public let start: Double
    /// Its end, past `start`; nil: the end of the recording.
    public let end: Double?

    /// Nil where the times are not finite, `start` is negative, or `end` does not lie past `start`.
    public init?(start: Double, end: Double?) {
        guard start.isFinite, start >= 0 else { return nil }
        if let end, !(end.isFinite && end > start) { return nil }
        self.start = start
        self.end = end
    }
}

/// Maximum lengths of texts that belong to clips, in bytes of UTF-8.
package struct TextWidths: Hashable, Sendable {
    /// Of ids, paths, labels, splits, and of each other column of a manifest.
    package var id, path, label, split: Int
    package var extra: [Int]
    /// Of the reasons of failures; a source of clips has none.
    package var reason = 0

    /// Keeps the values.
    package init(id: Int, path: Int, label: Int, split: Int, extra: [Int]) {
        (self.id, self.path, self.label, self.split, self.extra) = (id, path, label, split, extra)
    }
}
