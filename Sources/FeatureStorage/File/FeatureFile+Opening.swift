import FeatureModel
import FileIO
import Platform

extension FeatureFile {
    /// Opens the file if it is one of features, complete and of a known version.
    static func open(_ path: String) throws(StorageError) -> HDF5File {
        // The operating system's words are clearer than HDF5's for a file that is not there.
        // Without blocking: a pipe without a writer would never open.
        let descriptor = try StorageFile(path: path, flags: O_RDONLY, operation: "opening the file")
        guard let byteCount = descriptor.regularSize else {
            throw .notFeatures(path: path, found: "something that is not a regular file")
        }
        let openFile = OpenFile(descriptor)
        let structure = try structure(openFile, byteCount: byteCount)
        let file: HDF5File
        do {
            file = try HDF5File(path: path, byteCount: byteCount, structure: structure, bytes: openFile)
        } catch .hdf5(let operation, _, let detail, let code) {
            // HDF5 locks what it opens, and is refused at once where another program holds the lock.
            guard code != EAGAIN else { throw .inUse(path: path) }
            if let code, SystemError(code: code).isFault { throw .system(operation: operation, path: path, code: code) }
            throw .notFeatures(path: path, found: Self.unopened(detail, byteCount: byteCount))
        }
        guard try file.text(attribute: "format", of: "/") == FeatureFormat.name else {
            throw .notFeatures(
                path: path, found: "another HDF5 file (without the attribute format=\(FeatureFormat.name))")
        }
        let version = try file.text(attribute: "format_version", of: "/") ?? "none"
        guard version.hasPrefix("1.") else {
            throw .notFeatures(path: path, found: "format version \(version); this program reads 1.x")
        }
        guard try file.number(attribute: "complete", of: "/", as: Int32.self) == 1 else {
            throw .notFeatures(path: path, found: "a file that was never completed")
        }
        // Not before: another program's file may hold a million names.
        try file.check(groups: FeatureFormat.groups)
        return file
    }

    /// What the file says of its own parts; nil where libhdf5 checks it.
    private static func structure(_ file: OpenFile, byteCount: Int) throws(StorageError) -> HDF5Structure? {
        do {
            return try HDF5Structure(path: file.descriptor.path, byteCount: byteCount) {
                bytes, offset throws(StorageError) in try file.descriptor.read(into: bytes, at: offset)
            }
        } catch {
            // What another program is writing need not be whole.
            guard !file.descriptor.isLocked else { throw .inUse(path: file.descriptor.path) }
            throw error
        }
    }

    /// What the file says of itself.
    ///
    /// - Parameter remarks: The texts of `/provenance/remarks`.
    static func header(
        _ file: borrowing HDF5File, remarks: [String]
    ) throws(StorageError) -> FeatureFileHeader {
        let shape = try shape(file)
        let fit = try file.text(attribute: "fit", of: "/statistics") ?? ""
        let extra = file.exists(ClipTable.extraGroup) ? try file.names(in: ClipTable.extraGroup) : []
        return FeatureFileHeader(
            configuration: try file.texts("/provenance/configuration").first ?? "", shape: shape,
            failures: try file.extents(of: FailureColumn.id.dataset).first ?? 0,
            axis: file.exists("/coefficient")
                ? .coefficient(try perBin("/coefficient", of: Float.self, shape.channelBins, file))
                : .frequency(try perBin("/frequency", of: Float.self, shape.channelBins, file)),
            units: try file.text(attribute: "units", of: "/features") ?? "",
            longName: try file.text(attribute: "long_name", of: "/features") ?? "",
            framePeriod: try file.number(attribute: "frame_period", of: "/features", as: Double.self) ?? 0,
            firstFrameTime: try file.number(attribute: "first_frame_time", of: "/features", as: Double.self) ?? 0,
            labels: try file.texts("/labels"), statistics: try statistics(file, bins: shape.bins), fit: fit,
            normalize: try normalization(file, fit: fit),
            statisticsSource: try file.text(attribute: "source", of: "/statistics") ?? "",
            manifestChecksum: try file.texts("/provenance/manifest_sha256").first ?? "",
            correctionsChecksum: file.exists(FeatureFileHeader.corrections)
                ? try file.texts(FeatureFileHeader.corrections).first ?? "" : "",
            software: try file.texts("/provenance/software").first ?? "",
            table: ClipTable(
                datasets: extra, hasLabelMatrix: file.exists(ClipTable.labelMatrix),
                hasFrameLabels: file.exists(ClipColumn.Text.frameLabelChecksum.dataset),
                patchRows: shape.patchRows
            ) { file.exists($0.dataset) },
            frameLabelNames: try frameLabelNames(file, shape),
            annotationsChecksum: file.exists(FrameLabels.provenance)
                ? try file.texts(FrameLabels.provenance).first ?? "" : "",
            root: try StoredRoot.read(file).root, remarks: remarks.compactMap(StoredRemarks.remark),
            inputs: try StoredInputs.read(file).inputs)
    }

    private static func normalization(
        _ file: borrowing HDF5File, fit: String
    ) throws(StorageError) -> NormalizeConfiguration {
        func number(_ name: String) throws(StorageError) -> Double? {
            try file.number(attribute: name, of: "/statistics", as: Double.self)
        }
        let (scope, method, axis):
            (NormalizeConfiguration.Scope, NormalizeConfiguration.Method, NormalizeConfiguration.Axis) =
                (try choice("scope", file), try choice("method", file), try choice("axis", file))
        let ddof = try file.number(attribute: "ddof", of: "/statistics", as: Int64.self) ?? 0
        let placement: NormalizeConfiguration.EpsilonPlacement? =
            try file.text(attribute: "epsilon_in", of: "/statistics") == nil ? nil : try choice("epsilon_in", file)
        let epsilon = try number("epsilon") ?? 0
        func constants(_ name: String) throws(StorageError) -> ColumnConstants? {
            if let value = try number(name) { return .all(value) }
            guard file.exists("/statistics/" + name) else { return nil }
            let values = try file.read("/statistics/" + name, as: Double.self)
            guard !values.isEmpty else { throw .damaged(path: file.path, found: "no value in /statistics/\(name)") }
            return .columns(values)
        }
        let (mean, std) = (try constants("constant_mean"), try constants("constant_std"))
        let minimum = try number("minimum")
        do throws(ConfigurationError) {
            return try NormalizeConfiguration(
                scope: scope, method: method, axis: axis, fit: fit, ddof: Int(ddof), epsilon: epsilon,
                epsilonPlacement: placement ?? .std, mean: mean, std: std,
                minimum: minimum)
        } catch {
            throw .damaged(path: file.path, found: "attributes of /statistics that contradict each other: \(error)")
        }
    }

    /// The names of the labels of frames; nil: frames have none.
    private static func frameLabelNames(
        _ file: borrowing HDF5File, _ shape: TensorShape
    ) throws(StorageError) -> [String]? {
        guard file.exists(FrameLabels.dataset) else { return nil }
        let (expected, found) = (shape.rowExtents, try file.extents(of: FrameLabels.dataset))
        guard found == expected, file.exists(ClipColumn.Text.frameLabelChecksum.dataset) else {
            throw .damaged(
                path: file.path, found: "\(FrameLabels.dataset) has the shape \(found) instead of \(expected)")
        }
        return try file.texts(FrameLabels.names)
    }

    /// Layout, type and extents of the tensor.
    static func shape(_ file: borrowing HDF5File) throws(StorageError) -> TensorShape {
        let name = try file.text(attribute: "layout", of: "/") ?? ""
        guard let layout = StoreConfiguration.Layout(rawValue: name) else {
            throw .notFeatures(path: file.path, found: "the layout '\(name)'")
        }
        let extents = try file.extents(of: "/features")
        let patch = try patch(file, layout, extents)
        let (group, isStacked) = (patch?.length ?? 1, patch?.isStacked ?? false)
        let channels = try file.number(attribute: ChannelAxis.attribute, of: "/features", as: Int64.self).map(Int.init)
        guard channels == nil || patch == nil else {
            throw .damaged(path: file.path, found: "/features has both channels and patches")
        }
        let rank = (layout == .packed ? 2 : 3) + (patch == nil || isStacked ? 0 : 1) + (channels == nil ? 0 : 1)
        guard extents.count == rank, let width = extents.last, width > 0, !isStacked || width % group == 0,
            channels == nil || channels == extents[1] && extents[1] > 0 && width <= Int(Int32.max)
        else {
            let expected =
                (layout == .packed ? [] : ["clips"]) + (channels != nil && layout == .fixed ? ["channels"] : [])
                + (patch == nil ? [layout == .packed ? "rows" : "frames"] : ["patches"])
                + (isStacked
                    ? ["\(group) x bins"]
                    : (patch == nil ? [] : ["\(group)"]) + (channels != nil && layout == .packed ? ["channels"] : [])
                        + ["bins"])
            throw .damaged(
                path: file.path,
                found: "/features has the shape \(extents) instead of [\(expected.joined(separator: ", "))]")
        }
        let bins = isStacked ? width / group : width * (channels ?? 1)
        let frameDimension = layout == .packed ? 0 : channels == nil ? 1 : 2
        let (units, overflow) = extents[frameDimension].multipliedReportingOverflow(by: group)
        guard !overflow else { throw .damaged(path: file.path, found: "/features has the shape \(extents)") }
        let element: StoreConfiguration.Element
        switch try file.floatSize(of: "/features") {
        case 4: element = .float32
        case 2: element = .float16
        default: throw .damaged(path: file.path, found: "/features holds neither float32 nor float16")
        }
        let clips = try clipCount(file)
        var chunkRows: Int?
        if let chunk = try file.chunkExtents(of: "/features") {
            let whole = extents.suffix(rank - frameDimension - 1)
            guard chunk.count == rank, chunk.suffix(whole.count) == whole, chunk[rank - whole.count - 1] > 0,
                layout == .packed || chunk[0] == 1 && (channels == nil || chunk[1] == channels),
                chunk[rank - whole.count - 1] <= Int(Int32.max)
            else { throw .damaged(path: file.path, found: "/features has chunks of \(chunk)") }
            chunkRows = chunk[rank - whole.count - 1] * group
        }
        if layout == .packed {
            return .packed(
                rows: units, clips: clips, bins: bins, element: element, chunkRows: chunkRows, patch: patch,
                channels: channels)
        }
        guard extents[0] == clips, units > 0,
            let shape = TensorShape.fixed(
                frames: units, clips: clips, bins: bins, element: element, chunkRows: chunkRows, patch: patch,
                channels: channels)
        else {
            throw .damaged(path: file.path, found: "/features has the shape \(extents) for \(clips) clips")
        }
        return shape
    }

    /// The number of clips, which two columns have to confirm: a shorter one would hide the last clips.
    private static func clipCount(_ file: borrowing HDF5File) throws(StorageError) -> Int {
        let (ids, counts) = (ClipColumn.Text.id.dataset, ClipColumn.Integer.frameCount.dataset)
        let (found, expected) = (try file.extents(of: ids), try file.extents(of: counts))
        guard found.count == 1, found == expected else {
            throw .damaged(path: file.path, found: "\(ids) has the shape \(found), but \(counts) has \(expected)")
        }
        return found[0]
    }

    /// The patches that rows are grouped into, by the attributes of `/features`; nil: there are none.
    private static func patch(
        _ file: borrowing HDF5File, _ layout: StoreConfiguration.Layout, _ extents: [Int]
    ) throws(StorageError) -> PatchShape? {
        func number(_ name: String) throws(StorageError) -> Int? {
            try file.number(attribute: name, of: "/features", as: Int64.self).map(Int.init)
        }
        guard let length = try number(PatchTime.length) else { return nil }
        let hop = try number(PatchTime.hop) ?? length
        let isStacked = extents.count == (layout == .packed ? 2 : 3)
        guard PatchesConfiguration.lengths.contains(length), (1...length).contains(hop),
            isStacked || extents.count > 2 && extents[extents.count - 2] == length
        else {
            throw .damaged(
                path: file.path,
                found: "/features has the shape \(extents), \(PatchTime.length) \(length) and \(PatchTime.hop) \(hop)")
        }
        return PatchShape(length: length, hop: hop, isStacked: isStacked)
    }

    /// What a file is that HDF5 cannot open, by HDF5's words; of a file that is cut off, in plain ones.
    private static func unopened(_ detail: String, byteCount: Int) -> String {
        // "truncated file: eof = 20000, sblock->base_addr = 0, stored_eof = 61016"
        guard detail.hasPrefix("truncated file"), let whole = detail.split(separator: " ").last.flatMap({ Int($0) })
        else { return "a file that HDF5 cannot open (\(detail))" }
        return "a file that is cut off, with \(byteCount) of its \(whole) bytes: copy it again, or extract it again"
    }

    static func choice<Choice: RawRepresentable>(
        _ name: String, _ file: borrowing HDF5File
    ) throws(StorageError) -> Choice where Choice.RawValue == String {
        let text = try file.text(attribute: name, of: "/statistics") ?? ""
        guard let choice = Choice(rawValue: text) else {
            throw .damaged(path: file.path, found: "/statistics has the unknown \(name) '\(text)'")
        }
        return choice
    }

    static func perBin<Number: HDF5Number>(
        _ name: String, of type: Number.Type, _ bins: Int, _ file: borrowing HDF5File
    ) throws(StorageError) -> [Number] {
        let values = try file.read(name, as: Number.self)
        guard values.count == bins else {
            throw .damaged(path: file.path, found: "\(name) has \(values.count) entries for \(bins) bins")
        }
        return values
    }

    static func statistics(_ file: borrowing HDF5File, bins: Int) throws(StorageError) -> BinStatistics {
        let count = Int(try file.number(attribute: "count", of: "/statistics", as: Int64.self) ?? 0)
        var columns: [[Double]] = []
        for name in FeatureFormat.statistics {
            columns.append(try perBin("/statistics/" + name, of: Double.self, bins, file))
        }
        return BinStatistics(count: count, columns: columns)
    }
}
