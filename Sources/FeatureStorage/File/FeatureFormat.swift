import FeatureModel

/// Names and numbers of the feature file's format (`Schemas/features-1.0.md`).
package enum FeatureFormat {
    static let name = "veery-features"
    /// The version of files that are written. All of 1.x are read, with and without the additions of 1.1.
    static let version = "1.1"
    /// Bytes of a stage, of a kind (both in `/failures`) and of a checksum.
    static let (stageWidth, kindWidth, checksumWidth) = (16, 32, 32)
    /// The offset of `/features` is a multiple of this many bytes.
    static let alignment = 4096
    /// Larger objects than this are aligned too; small ones are packed.
    static let alignedSize = 65_536
    /// The name that netCDF-4 gives to a dimension without values; the number is its length, ten characters wide.
    static func dimensionName(_ length: Int) -> String {
        let digits = "\(length)"
        let padding = String(repeating: " ", count: max(0, 10 - digits.count))
        return "This is a netCDF dimension but not a netCDF variable." + padding + digits
    }

    /// A manifest's column as the name of a dataset: `/` would start a group, and `.` is the group itself.
    static func datasetName(ofColumn column: String) -> String {
        // Scalars, not characters: a slash with an accent is another character, but a slash to HDF5. A zero ends a C string.
        var name = ""
        name.unicodeScalars.append(contentsOf: column.unicodeScalars.map { $0 == "/" || $0 == "\0" ? "_" : $0 })
        return name.isEmpty || name == "." ? "_" : name
    }

    /// The manifest's other columns as names of datasets, with a number after those that would be equal.
    static func datasetNames(ofColumns columns: [String]) -> [String] {
        var used: Set<String> = []
        return columns.map { column in
            let name = datasetName(ofColumn: column)
            var candidate = name
            var number = 2
            while !used.insert(candidate).inserted {
                candidate = "\(name)_\(number)"
                number += 1
            }
            return candidate
        }
    }

    /// Everything that the root may hold.
    static let rootNames: Set = [
        "/features", "/frequency", "/coefficient", "/time", PatchTime.dataset, PatchTime.column, ChannelAxis.dataset,
        "/row", "/clip",
        "/labels", "/statistics", "/provenance",
        ClipTable.group, FailureColumn.group, FrameLabels.dataset, FrameLabels.names,
    ]

    /// All groups of a file.
    static let groups: Set = [
        "/", ClipTable.group, ClipTable.extraGroup, ClipTable.statistics, FailureColumn.group, "/statistics",
        "/provenance",
    ]

    /// The datasets of statistics, in this order in checksums too.
    static let statistics = ["mean", "std", "min", "max"]

    /// Statistics as they are stored: for each dataset its values, all statistics one after another.
    package static func columns(of statistics: [BinStatistics]) -> [(name: String, values: [Double])] {
        guard !statistics.isEmpty else { return [] }
        return zip(
            Self.statistics,
            [
                statistics.flatMap(\.mean), statistics.flatMap(\.standardDeviation),
                statistics.flatMap(\.exactMinimum), statistics.flatMap(\.exactMaximum),
            ]
        ).map { (name: $0, values: $1) }
    }
}

extension BinStatistics {
    /// Statistics of the values of the datasets, in their order.
    init(count: Int, columns: [[Double]]) {
        self.init(
            count: count, mean: columns[0], standardDeviation: columns[1], exactMinimum: columns[2],
            exactMaximum: columns[3])
    }
}

extension StoreConfiguration.Element {
    /// How a number lies in the file.
    var number: any HDF5Number.Type { self == .float16 ? Half.self : Float.self }
}

extension FeatureAxis {
    /// Name of the dataset, and of the dimension of `/features` that it scales.
    package var name: String {
        switch self {
        case .frequency: "frequency"
        case .coefficient: "coefficient"
        }
    }

    /// Unit of the values: a number of order has none, which netCDF writes as 1.
    var units: String {
        switch self {
        case .frequency: "Hz"
        case .coefficient: "1"
        }
    }

    /// What the values are, in words.
    ///
    /// - Parameter transform: `TransformConfiguration.longName`, whose samples are numbered by coefficients.
    func longName(of transform: String) -> String {
        switch self {
        case .frequency: "centre frequency of the bin"
        case .coefficient:
            transform == TransformConfiguration.raw.longName
                ? "index of the sample in its frame" : "order of the cepstral coefficient"
        }
    }
}

/// How many clips' statistics are in memory at a time: a clip of 32,769 bins has a megabyte of them.
package enum StatisticsBlock {
    /// Bytes of a block's statistics, as they are stored.
    package static let maximumBytes = 16 << 20

    /// Divides clips into blocks whose statistics fit into `maximumBytes`. A block always has one clip or more.
    ///
    /// - Parameters:
    ///   - indices: The clips.
    ///   - bins: Number of columns of each clip's statistics; 1 or more.
    ///   - maximumBytes: Maximum size of a block's statistics.
    /// - Returns: The blocks in order; none where there are no clips.
    package static func blocks(of indices: Range<Int>, bins: Int, maximumBytes: Int = maximumBytes) -> [Range<Int>] {
        let clipBytes = FeatureFormat.statistics.count * MemoryLayout<Double>.size * bins
        return Array(indices.blocks(of: max(1, maximumBytes / clipBytes)))
    }
}

/// Where a file with an axis of channels says so.
enum ChannelAxis {
    /// The attribute of `/features`: the number of channels.
    static let attribute = "channels"
    /// The numbers of the channels, from 0.
    static let dataset = "/channel"
}

/// Where a file of patches says what they are.
enum PatchTime {
    /// The attributes of `/features`: rows of a patch, and from one patch to the next.
    static let (length, hop) = ("patch_length", "patch_hop")
    /// The time of each row of a patch from the patch's first one, in s.
    static let dataset = "/patch_time"
    /// The dimension of the columns of stacked patches, without values.
    static let column = "/column"

    /// The values of `dataset`.
    static func values(_ patch: PatchShape, framePeriod: Double) -> [Double] {
        (0..<patch.length).map { Double($0) * framePeriod }
    }
}
