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
    /// Whether a recording of one channel is meant by any `channel`, as after the sides of a call were written to files of their
    /// own.
    package let acceptsMono: Bool
    /// What the manifest says of the recording, and the recording has to have; nil: nothing.
    package let declared: DeclaredRecording?
    /// The checksum that the samples of the clip have to have, as `audio_xxh3` of a feature file; nil: they may be any.
    package let expectedAudio: String?
    /// The values of the manifest's other columns, in the order of its `extraColumns`.
    public let extra: [String]

    /// Keeps the values.
    public init(
        index: Int, id: String, path: String, label: String = "", split: String = "", segment: Segment? = nil,
        channel: Int? = nil, extra: [String] = []
    ) {
        self.init(
            index: index, id: id, path: path, label: label, split: split, segment: segment, channel: channel,
            acceptsMono: false, declared: nil, extra: extra)
    }

    package init(
        index: Int, id: String, path: String, label: String, split: String, segment: Segment?, channel: Int?,
        acceptsMono: Bool, declared: DeclaredRecording?, expectedAudio: String? = nil, extra: [String]
    ) {
        self.index = index
        self.id = id
        self.path = path
        self.label = label
        self.split = split
        self.segment = segment
        self.channel = channel
        self.acceptsMono = acceptsMono
        self.declared = declared
        self.expectedAudio = expectedAudio
        self.extra = extra
    }

    /// The same part of the same recording with other texts; nil keeps a value.
    package func with(
        index: Int? = nil, id: String? = nil, path: String? = nil, label: String? = nil, split: String? = nil,
        expectedAudio: String? = nil, extra: [String]? = nil
    ) -> Clip {
        Clip(
            index: index ?? self.index, id: id ?? self.id, path: path ?? self.path, label: label ?? self.label,
            split: split ?? self.split, segment: segment, channel: channel, acceptsMono: acceptsMono,
            declared: declared, expectedAudio: expectedAudio ?? self.expectedAudio, extra: extra ?? self.extra)
    }

    /// Makes sure that its samples are those that they have to be.
    ///
    /// - Parameter found: The checksum of the samples.
    /// - Throws: `ClipFailure.otherSamples`.
    package func checkAudio(_ found: @autoclosure () -> String) throws(ClipFailure) {
        guard let expectedAudio else { return }
        let found = found()
        if found != expectedAudio { throw .otherSamples(expected: expectedAudio, found: found) }
    }

    /// The channel of a recording with this number of channels; nil: as configured.
    package func channel(ofChannels count: Int) -> Int? { acceptsMono && count == 1 ? nil : channel }

    /// The path of a recording with the manifest's `path`: relative paths start at the folder `root`.
    package static func location(of path: String, root: String) -> String {
        path.hasPrefix("/") || root.isEmpty ? path : root + "/" + path
    }
}

/// Maximum lengths of texts that belong to clips, in bytes of UTF-8.
package struct TextWidths: Hashable, Sendable {
    /// The maximum length of ids, paths, labels, splits, and of each other column of a manifest.
    package var id, path, label, split: Int
    package var extra: [Int]
    /// The maximum length of the reasons of failures; a source of clips has none.
    package var reason = 0

    /// Keeps the values.
    package init(id: Int, path: Int, label: Int, split: Int, extra: [Int]) {
        (self.id, self.path, self.label, self.split, self.extra) = (id, path, label, split, extra)
    }
}
