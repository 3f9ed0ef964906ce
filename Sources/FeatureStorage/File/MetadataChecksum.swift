import FeatureModel
import FileIO

/// The value of the root attribute `metadata_xxh3`: XXH3-128 of everything in the file that does not belong to a stored clip.
///
/// Numbers are hashed in little-endian order, a text as its number of bytes (32-bit integer) and its UTF-8, a list as its number of
/// entries (64-bit integer) and the entries. In this order: `generator`, `layout`; the list of the extents of `/features`, 64-bit integers; its `units`,
/// `long_name`, `frame_period`, `first_frame_time`; the name of the axis, the list of its values as float32; the list of
/// `/time`, empty without it; where rows are grouped `patch_length`, `patch_hop` and the list of `/patch_time`; where there is an
/// axis of channels the list of `/channel`, 64-bit integers; the list of labels; of `/statistics` `count`, `fit`, `scope`,
/// `method`, `axis`, `source`, then those of the following that the file has, each after its name: `ddof`, `epsilon`, `epsilon_in`,
/// `minimum`, `constant_mean`, `constant_std`, the last two as lists where they are datasets; the lists mean, std, min, max; the configuration, the manifest's digest, the software; the list
/// of the names in `/clips/extra` by their bytes; where there is `/frame_label`, the list of its names and the digest of the
/// annotations; where there are corrections, the text `corrections_sha256` and their digest; then id, path, stage, kind, reason of each failure, without the kind where the file has no `/failures/kind`.
package struct MetadataChecksum: ~Copyable {
    private var hash = XXH3Hash128()

    /// Hashes everything but the failures, which `add` hashes.
    package init(_ header: FeatureFileHeader) {
        self.init(
            header, generator: VeeryVersion.generator, times: header.shape.layout == .fixed ? header.times : [],
            patchTimes: header.shape.patch == nil ? nil : header.patchTimes,
            channels: header.shape.channels.map { (0..<$0).map { Int32($0) } },
            statistics: FeatureFormat.columns(of: [header.statistics]).map(\.values))
    }

    /// The same, with those values as they were read from a file, in which they may be wrong.
    init(
        _ header: FeatureFileHeader, generator: String, times: [Double], patchTimes: [Double]?, channels: [Int32]?,
        statistics: [[Double]]
    ) {
        var bytes = ByteBuffer(capacity: 4096)
        bytes.append(stored: generator)
        bytes.append(stored: header.shape.layout.rawValue)
        bytes.append(list: header.shape.extents) { $0.append(Int64($1)) }
        bytes.append(stored: header.units)
        bytes.append(stored: header.longName)
        bytes.append(header.framePeriod)
        bytes.append(header.firstFrameTime)
        bytes.append(stored: header.axis.name)
        bytes.append(list: header.axis.values) { $0.append($1.bitPattern) }
        bytes.append(list: times) { $0.append($1) }
        if let patch = header.shape.patch, let patchTimes {
            bytes.append(Int64(patch.length))
            bytes.append(Int64(patch.hop))
            bytes.append(list: patchTimes) { $0.append($1) }
        }
        if let channels { bytes.append(list: channels) { $0.append(Int64($1)) } }
        bytes.append(list: header.labels) { $0.append(stored: $1) }
        bytes.append(Int64(header.statistics.count))
        for text in [
            header.fit, header.normalize.scope.rawValue, header.normalize.method.rawValue,
            header.normalize.axis.rawValue, header.statisticsSource,
        ] { bytes.append(stored: text) }
        Self.append(header.normalize, to: &bytes)
        for values in statistics { bytes.append(list: values) { $0.append($1) } }
        for text in [header.configuration, header.manifestChecksum, header.software] { bytes.append(stored: text) }
        let names = header.extraColumns.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        bytes.append(list: names) { $0.append(stored: $1) }
        if let names = header.frameLabelNames {
            bytes.append(list: names) { $0.append(stored: $1) }
            bytes.append(stored: header.annotationsChecksum)
        }
        if !header.correctionsChecksum.isEmpty {
            bytes.append(stored: "corrections_sha256")
            bytes.append(stored: header.correctionsChecksum)
        }
        hash.update(bytes.bytes)
    }

    /// The attributes that a file has only if they differ from their defaults.
    private static func append(_ normalize: NormalizeConfiguration, to bytes: inout ByteBuffer) {
        if normalize.ddof != 0 {
            bytes.append(stored: "ddof")
            bytes.append(Int64(normalize.ddof))
        }
        if normalize.epsilon != 0 {
            bytes.append(stored: "epsilon")
            bytes.append(normalize.epsilon)
            bytes.append(stored: "epsilon_in")
            bytes.append(stored: normalize.epsilonPlacement.rawValue)
        }
        if let minimum = normalize.minimum {
            bytes.append(stored: "minimum")
            bytes.append(minimum)
        }
        if let (mean, std) = normalize.constants {
            bytes.append(stored: "constant_mean")
            bytes.append(mean)
            bytes.append(stored: "constant_std")
            bytes.append(std)
        } else if let columns = normalize.constantColumns {
            for (name, constants) in [("constant_mean", normalize.mean), ("constant_std", normalize.std)] {
                bytes.append(stored: name)
                bytes.append(list: constants?.values(columns) ?? []) { $0.append($1) }
            }
        }
    }

    /// Hashes the next failure.
    package mutating func add(_ failure: StoredFailure) {
        var bytes = ByteBuffer(capacity: 1024)
        for column in FailureColumn.allCases { column.value(failure).map { bytes.append(stored: $0) } }
        hash.update(bytes.bytes)
    }

    /// Hashes `count` failures, read in blocks.
    mutating func add(
        _ count: Int, failures: (Range<Int>) throws(StorageError) -> [StoredFailure]
    ) throws(StorageError) {
        for range in (0..<count).blocks(of: 1024) {
            for failure in try failures(range) { add(failure) }
        }
    }

    /// A finding if the stored checksum differs, otherwise none.
    func findings(expected: String) -> [FeatureFinding] {
        let found = hex
        guard found != expected else { return [] }
        return [
            FeatureFinding(
                clip: nil,
                description:
                    "what belongs to no clip (labels, axes, statistics, failures, provenance) has the checksum "
                    + "\(found), but metadata_xxh3 is \(expected)")
        ]
    }

    /// The checksum as 32 hexadecimal digits.
    package var hex: String { hash.finish().hex }
}

extension ByteBuffer {
    fileprivate mutating func append<Element>(list: [Element], _ each: (inout ByteBuffer, Element) -> Void) {
        append(Int64(list.count))
        for element in list { each(&self, element) }
    }
}
