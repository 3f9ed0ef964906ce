import ClipSpool
import FeatureModel

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
    }

    func writeAxes() throws(StorageError) {
        let axis = header.axis
        try hdf5.create("/" + axis.name, of: Float.self, extents: [axis.values.count])
        try hdf5.write(axis.values, to: "/" + axis.name)
        try hdf5.attribute("units", axis.units, of: "/" + axis.name)
        try hdf5.attribute("long_name", axis.longName, of: "/" + axis.name)
        try hdf5.makeScale("/" + axis.name, called: axis.name)
        let shape = header.shape
        for (name, length) in (shape.layout == .packed ? [("/row", shape.rows)] : []) + [("/clip", shape.clips)] {
            try hdf5.create(name, of: Float.self, extents: [length])
            try hdf5.makeScale(name, called: FeatureFormat.dimensionName(length))
        }
        guard shape.layout == .fixed else {
            try hdf5.attachScale("/row", to: "/features", dimension: 0)
            try hdf5.attachScale("/" + axis.name, to: "/features", dimension: 1)
            return
        }
        try hdf5.create("/time", of: Double.self, extents: [shape.frames])
        try hdf5.write(header.times, to: "/time")
        try hdf5.attribute("units", "s", of: "/time")
        try hdf5.attribute("long_name", "middle of the frame, from the beginning of the clip", of: "/time")
        try hdf5.makeScale("/time", called: "time")
        try hdf5.attachScale("/clip", to: "/features", dimension: 0)
        try hdf5.attachScale("/time", to: "/features", dimension: 1)
        try hdf5.attachScale("/" + axis.name, to: "/features", dimension: 2)
    }

    func makeColumns() throws(StorageError) {
        try header.table.create(header.shape.clips, widths, in: hdf5)
        if header.normalize.storesClipStatistics {
            try hdf5.group(ClipTable.statistics)
            for name in FeatureFormat.statistics {
                try hdf5.create(
                    "\(ClipTable.statistics)/\(name)", of: Double.self,
                    extents: [header.shape.clips, header.shape.bins])
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
            try hdf5.create("/statistics/" + name, of: Double.self, extents: [statistics.bins])
            try hdf5.write(values, to: "/statistics/" + name)
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
        if let mean = normalize.mean, let std = normalize.std {
            try hdf5.attribute("constant_mean", mean, of: "/statistics")
            try hdf5.attribute("constant_std", std, of: "/statistics")
        }
    }

    func writeProvenance() throws(StorageError) {
        try hdf5.group("/provenance")
        try hdf5.scalar("/provenance/configuration", header.configuration)
        try hdf5.scalar("/provenance/manifest_sha256", header.manifestChecksum)
        try hdf5.scalar("/provenance/software", header.software)
        if header.frameLabelNames != nil { try hdf5.scalar(FrameLabels.provenance, header.annotationsChecksum) }
    }
}
