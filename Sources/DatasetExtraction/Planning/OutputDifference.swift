import FeatureStorage
import Manifests

/// In what a feature file differs from the one that a run would write: the one answer to whether a file is a run's own.
struct OutputDifference {
    /// What is compared. Some uses forgive some of it.
    enum Part {
        case configuration, manifest, labels, statistics, policy, machines, software
    }

    let part: Part
    /// The difference as the rest of a sentence whose subject is the file.
    let words: String

    private init(_ part: Part, _ words: String) { (self.part, self.words) = (part, words) }

    /// The first difference; nil: there is none.
    ///
    /// - Parameters:
    ///   - mixed: What the file would say of other machines; nil: nothing.
    ///   - forgiven: What is not compared.
    static func first(
        of file: FeatureReader, from extraction: Extraction, mixed: String? = nil, forgiving forgiven: Set<Part> = []
    ) throws -> OutputDifference? {
        func find(_ part: Part, _ words: () throws -> String?) rethrows -> OutputDifference? {
            try forgiven.contains(part) ? nil : words().map { OutputDifference(part, $0) }
        }
        let (source, options) = (extraction.source, extraction.options)
        return try find(.configuration) {
            let changes = extraction.changedSettings(since: file)
            guard !changes.isEmpty else { return nil }
            // Of two presets, nearly every setting differs.
            let found = changes.count > 3 ? "see 'veery inspect'" : changes.joined(separator: "; ")
            return "was made with another configuration (\(found))"
        }
            ?? find(.manifest) {
                file.manifestChecksum == source.sha256
                    ? try ManifestReading.difference(file, source)
                    : "was made from another manifest (--sync brings it to this one)"
            }
            ?? find(.labels) { labels(file, options) }
            ?? find(.statistics) { statistics(file, options) }
            ?? find(.policy) {
                options.policy.differences(from: file.policy).first.map { "was made with other options: \($0)" }
            }
            ?? find(.machines) { machines(file, options, mixed) }
            ?? find(.software) {
                let software = SoftwareVersions.json(
                    extraction.plan, ffmpeg: options.ffmpegVersion, mixed: SoftwareVersions.mixture(in: file.software))
                guard file.software != software else { return nil }
                return "was made by other versions of the software"
                    + (SoftwareVersions.transformDifference(from: file.software, to: software).map { ": \($0)" } ?? "")
            }
    }

    private static func labels(_ file: FeatureReader, _ options: ExtractionOptions) -> String? {
        guard file.annotationsChecksum != options.frameAnnotations?.sha256 ?? "" else { return nil }
        guard options.frameAnnotations != nil else { return "has labels of frames, and --frame-labels is not given" }
        return file.annotationsChecksum.isEmpty
            ? "has no labels of frames (--sync adds them)"
            : "was made with other annotations (--sync renews the labels of frames)"
    }

    private static func statistics(_ file: FeatureReader, _ options: ExtractionOptions) -> String? {
        guard let given = options.statistics else {
            guard !file.statisticsSource.isEmpty else { return nil }
            return "is normalised by the statistics of another: clips were appended to it (see --append), "
                + "it follows its manifest (see --sync), or --stats-from was given"
        }
        return file.statisticsSource == given.source ? nil : "was normalised by other statistics"
    }

    private static func machines(_ file: FeatureReader, _ options: ExtractionOptions, _ mixed: String?) -> String? {
        let found = SoftwareVersions.mixture(in: file.software)
        guard found != mixed, !(mixed == nil && options.allowsMixed) else { return nil }
        guard let found else { return "was made on one kind of machine, and these shards were not" }
        return "has clips of several kinds of machine (\(found)), which cannot be compared with recordings here "
            + "(--allow-mixed leaves it as it is)"
    }
}

extension Extraction {
    /// How a file differs from one that was made from this manifest, read as now, with this configuration and policy and these
    /// statistics; the machines may differ.
    func sourceDifference(_ file: FeatureReader) throws -> OutputDifference? {
        var forgiven: Set<OutputDifference.Part> = [.machines, .software]
        // A file that grows or follows its manifest keeps the statistics that it has, unless others are given.
        if options.update != .none, options.statistics == nil { forgiven.insert(.statistics) }
        return try OutputDifference.first(of: file, from: self, forgiving: forgiven)
    }

    /// Whether there is no such difference.
    func hasEqualSource(_ file: FeatureReader) throws -> Bool { try sourceDifference(file) == nil }
}

/// A TSV can be read in two ways: the same bytes, with the same checksum, as different labels.
enum ManifestReading {
    /// How a feature file differs from its manifest as it is read now, in words; nil: it does not.
    ///
    /// Only a TSV is read again and compared with the file's columns.
    ///
    /// - Precondition: the manifest has the checksum that the file names.
    static func difference(_ file: FeatureReader, _ source: any ClipSource) throws -> String? {
        guard source.ambiguousQuoting != nil else { return nil }
        let clips = try source.reader()
        var cursor = FeatureFileCursor(file, findsFailures: false)
        while !cursor.hasFoundAll, let clip = try clips.next() {
            guard case .stored(let known)? = try cursor.find(clip) else { continue }
            guard known.label.utf8.elementsEqual(clip.label.utf8), known.split.utf8.elementsEqual(clip.split.utf8),
                bytes(known.extra) == bytes(clip.extra)
            else { return found }
        }
        return cursor.hasFoundAll ? nil : found
    }

    private static let found = "was made from this manifest with another meaning of its quotation marks (see --quoting)"

    /// The values in one order: a file has its columns in that of their names.
    private static func bytes(_ values: [String]) -> [[UInt8]] {
        values.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
    }
}
