import FeatureModel
import FileIO

extension FeatureFileWriter {
    func writeRoot() throws(StorageError) {
        try hdf5.attribute("format", FeatureFormat.name, of: "/")
        try hdf5.attribute("format_version", FeatureFormat.version, of: "/")
        try hdf5.attribute("generator", VeeryVersion.generator, of: "/")
        try hdf5.attribute("layout", header.shape.layout.rawValue, of: "/")
        try hdf5.attribute("units", header.units, of: "/features")
        try hdf5.attribute("long_name", header.longName, of: "/features")
        try hdf5.attribute("frame_period", header.framePeriod, of: "/features")
        try hdf5.attribute("first_frame_time", header.firstFrameTime, of: "/features")
        if let channels = header.shape.channels {
            try hdf5.attribute(ChannelAxis.attribute, Int64(channels), of: "/features")
        }
        guard let patch = header.shape.patch else { return }
        try hdf5.attribute(PatchTime.length, Int64(patch.length), of: "/features")
        try hdf5.attribute(PatchTime.hop, Int64(patch.hop), of: "/features")
    }

    func writeAxes() throws(StorageError) {
        let axis = header.axis
        try hdf5.create("/" + axis.name, of: Float.self, extents: [axis.values.count])
        try hdf5.write(axis.values, to: "/" + axis.name)
        try hdf5.attribute("units", axis.units, of: "/" + axis.name)
        try hdf5.attribute("long_name", axis.longName(of: header.longName), of: "/" + axis.name)
        try hdf5.makeScale("/" + axis.name, called: axis.name)
        let shape = header.shape
        for (name, length) in (shape.layout == .packed ? [("/row", shape.rows / shape.patchRows)] : []) + [
            ("/clip", shape.clips)
        ] {
            try hdf5.create(name, of: Float.self, extents: [length])
            try hdf5.makeScale(name, called: FeatureFormat.dimensionName(length))
        }
        var scales = ["/row"]
        if shape.layout == .fixed {
            let what = shape.patch == nil ? "frame" : "patch's first frame"
            try makeTimes("/time", header.times, "middle of the \(what), from the beginning of the clip")
            scales = ["/clip", "/time"]
        }
        if let patch = shape.patch {
            try makeTimes(
                PatchTime.dataset, header.patchTimes, "middle of the row, from that of the first one of its patch")
            if !patch.isStacked { scales.append(PatchTime.dataset) }
        }
        if let channels = shape.channels {
            try hdf5.create(ChannelAxis.dataset, of: Int32.self, extents: [channels])
            try hdf5.write((0..<channels).map { Int32($0) }, to: ChannelAxis.dataset)
            try hdf5.attribute("long_name", "channel of the recording, from 0", of: ChannelAxis.dataset)
            try hdf5.makeScale(ChannelAxis.dataset, called: "channel")
            scales.insert(ChannelAxis.dataset, at: 1)
        }
        // A stacked patch has the columns of the axis several times.
        if let patch = shape.patch, patch.isStacked {
            let columns = patch.length * shape.bins
            try hdf5.create(PatchTime.column, of: Float.self, extents: [columns])
            try hdf5.makeScale(PatchTime.column, called: FeatureFormat.dimensionName(columns))
            scales.append(PatchTime.column)
        } else {
            scales.append("/" + axis.name)
        }
        for dimension in scales.indices {
            try hdf5.attachScale(scales[dimension], to: "/features", dimension: dimension)
        }
    }

    private func makeTimes(_ dataset: String, _ times: [Double], _ meaning: String) throws(StorageError) {
        try hdf5.create(dataset, of: Double.self, extents: [times.count])
        try hdf5.write(times, to: dataset)
        try hdf5.attribute("units", "s", of: dataset)
        try hdf5.attribute("long_name", meaning, of: dataset)
        try hdf5.makeScale(dataset, called: String(dataset.dropFirst()))
    }

    func makeColumns() throws(StorageError) {
        try header.table.create(header.shape.clips, widths, in: hdf5)
        if header.normalize.storesClipStatistics {
            try hdf5.group(ClipTable.statistics)
            for name in FeatureFormat.statistics {
                try hdf5.create(
                    "\(ClipTable.statistics)/\(name)", of: Double.self,
                    extents: [header.shape.clips] + header.shape.columnExtents)
            }
        }
        try FailureColumn.create(header.failureCount, widths, in: hdf5)
        try hdf5.create("/labels", textWidth: widths.label, extents: [header.labels.count])
        try hdf5.write(header.labels, width: widths.label, to: "/labels")
        try hdf5.makeScale("/labels", called: "labels")
        guard let names = header.frameLabelNames else { return }
        try FrameLabels.create(names, header.shape, in: hdf5)
    }

    func writeStatistics() throws(StorageError) {
        let statistics = header.statistics
        try hdf5.group("/statistics")
        for (name, values) in FeatureFormat.columns(of: [statistics]) {
            let extents = header.shape.columnExtents
            try hdf5.create("/statistics/" + name, of: Double.self, extents: extents)
            try values.withUnsafeBufferPointer { values throws(StorageError) in
                try hdf5.write(values, to: "/statistics/" + name, start: extents.map { _ in 0 }, count: extents)
            }
        }
        try hdf5.attribute("count", Int64(statistics.count), of: "/statistics")
        for (name, text) in [
            ("fit", header.fit), ("scope", header.normalize.scope.rawValue),
            ("method", header.normalize.method.rawValue),
            ("axis", header.normalize.axis.rawValue), ("source", header.statisticsSource),
        ] {
            try hdf5.attribute(name, text, of: "/statistics")
        }
        // Only where they differ from what files without them mean.
        let normalize = header.normalize
        if normalize.ddof != 0 { try hdf5.attribute("ddof", Int64(normalize.ddof), of: "/statistics") }
        if normalize.epsilon != 0 {
            try hdf5.attribute("epsilon", normalize.epsilon, of: "/statistics")
            try hdf5.attribute("epsilon_in", normalize.epsilonPlacement.rawValue, of: "/statistics")
        }
        if let minimum = normalize.minimum { try hdf5.attribute("minimum", minimum, of: "/statistics") }
        if let (mean, std) = normalize.constants {
            try hdf5.attribute("constant_mean", mean, of: "/statistics")
            try hdf5.attribute("constant_std", std, of: "/statistics")
        } else if let columns = normalize.constantColumns {
            for (name, constants) in [("constant_mean", normalize.mean), ("constant_std", normalize.std)] {
                let values = constants?.values(columns) ?? []
                try hdf5.create("/statistics/" + name, of: Double.self, extents: [values.count])
                try hdf5.write(values, to: "/statistics/" + name)
            }
        }
    }

    func writeProvenance() throws(StorageError) {
        try hdf5.group("/provenance")
        try hdf5.scalar("/provenance/configuration", header.configuration)
        try hdf5.scalar("/provenance/manifest_sha256", header.manifestChecksum)
        try hdf5.scalar("/provenance/software", header.software)
        if !header.correctionsChecksum.isEmpty {
            try hdf5.scalar(FeatureFileHeader.corrections, header.correctionsChecksum)
        }
        if header.frameLabelNames != nil { try hdf5.scalar(FrameLabels.provenance, header.annotationsChecksum) }
        try StoredInputs.write(header.inputs, to: hdf5)
        try StoredRoot.write(header.root, to: hdf5)
    }
}
