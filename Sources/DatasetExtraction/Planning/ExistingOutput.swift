import Archives
import AudioDecoding
import ClipFeatures
import Concurrency
import Essentials
import FeatureModel
import FeatureStorage
import FileIO
import Manifests
import SignalProcessing

/// A file under the output's name.
package enum ExistingOutput {
    /// Decides what happens to it, as far as that can be known without the recordings.
    ///
    /// - Parameters:
    ///   - options: Those of the extraction, which may be allowed to replace the file nevertheless.
    ///   - mixed: What the file would say of other machines; nil: nothing.
    /// - Throws: `ExtractionError.outputExists` if it differs and may not be replaced, `.notReplaceable`; `ManifestError`.
    /// - Complexity: Reads all of a file that is not replaced.
    static func decide(
        _ extraction: Extraction, _ options: ExtractionOptions, mixed: String?
    ) throws -> RunPlan.Output {
        guard FileManager.default.fileExists(atPath: options.result) else {
            try checkFiles(extraction, options, mixed)
            return .absent
        }
        let found = try difference(at: options.result) { file in
            try OutputDifference(
                extraction.differences(ofOutput: file, mixed: mixed), follows: options.files == nil)
                ?? numberOfFiles(options.result, options)
                ?? damage(file).map { .damaged($0) }
        }
        guard let found else { return .comparable }
        try checkReplaceable(options.result, overwriting: options.overwrite, difference: found)
        try checkFiles(extraction, options, mixed)
        return .replaced
    }

    /// How a file differs from one that this run would write, as far as it can be read; nil: `compare` finds no difference.
    ///
    /// - Parameter unreadable: Makes the difference from an error that is the file's fault, not the system's, and from whether
    ///   the file could be opened.
    /// - Throws: `StorageError` where the system is at fault, and what the closures throw.
    static func difference(
        at path: String, unreadable: (StorageError, Bool) throws -> OutputDifference = Self.unreadable,
        compare: (FeatureReader) throws -> OutputDifference?
    ) throws -> OutputDifference? {
        var isOpen = false
        do {
            let file = try FeatureReader(path: path)
            isOpen = true
            return try compare(file)
        } catch let error as StorageError where !error.isSystemFault {
            return try unreadable(error, isOpen)
        }
    }

    private static func unreadable(_ error: StorageError, isOpen: Bool) throws(StorageError) -> OutputDifference {
        switch error {
        case .inUse where !isOpen: throw error
        case .missingFileOfSet, .changedFileOfSet: .unreadable(error)
        default: isOpen ? .unreadable(error) : .incomplete
        }
    }

    /// How the set that an index names differs in the number of its files; nil: it does not, or is not a set.
    static func numberOfFiles(_ path: String, _ options: ExtractionOptions) -> OutputDifference? {
        guard let wanted = options.files, let found = (try? FeatureSetIndex(path: path))?.files.count,
            found != wanted
        else { return nil }
        return .numberOfFiles(found, wanted: wanted)
    }

    /// Makes sure that existing files with the names of a set's files may be replaced. Those that an interrupted run has
    /// written may be.
    private static func checkFiles(_ extraction: Extraction, _ options: ExtractionOptions, _ mixed: String?) throws {
        guard let count = options.files else { return }
        let paths = FeatureSetPaths(output: options.output)
        for number in 1...count { try checkFile(paths.file(number, of: count), extraction, options, mixed) }
    }

    /// The same of one file.
    static func checkFile(
        _ path: String, _ extraction: Extraction, _ options: ExtractionOptions, _ mixed: String?
    ) throws {
        guard FileManager.default.fileExists(atPath: path) else { return }
        let found = try difference(at: path, unreadable: { _, _ in .incomplete }) { file in
            OutputDifference(try extraction.differences(ofOutput: file, mixed: mixed), follows: false)
        }
        if let found { try checkReplaceable(path, overwriting: options.overwrite, difference: found) }
    }

    /// Makes sure that a file may be replaced whose recordings have changed.
    ///
    /// - Parameter recording: The path of one.
    /// - Throws: As `checkReplaceable`.
    static func checkReplaceable(
        _ file: FeatureReader, _ options: ExtractionOptions, overwriting: Bool? = nil,
        changedRecording recording: String
    ) throws(ExtractionError) {
        let follows = file.set == nil
        let difference: OutputDifference =
            if !RecordingPath.exists(Clip.location(of: recording, root: options.root)) {
                .missingRecording(path: recording)
            } else if isUnread(recording, in: file) {
                .readableRecording(path: recording, follows: follows)
            } else {
                .changedRecording(path: recording, follows: follows)
            }
        try checkReplaceable(file.path, overwriting: overwriting ?? options.overwrite, difference: difference)
    }

    /// Whether a file has a failed clip of a recording that another attempt may read.
    private static func isUnread(_ recording: String, in file: FeatureReader) -> Bool {
        for start in stride(from: 0, to: file.failureCount, by: 1000) {
            let found = (try? file.failures(start..<min(start + 1000, file.failureCount))) ?? []
            if found.contains(where: { $0.path == recording && $0.failure.isTransient }) { return true }
        }
        return false
    }

    /// Makes sure that a file may be replaced.
    ///
    /// - Throws: `ExtractionError.notReplaceable`; `.outputExists`, with what is different, unless `overwriting`.
    package static func checkReplaceable(
        _ output: String, overwriting: Bool, difference: OutputDifference
    ) throws(ExtractionError) {
        // A mistyped name must not delete a manifest or a recording, not even with --overwrite.
        guard isReplaceable(output) else { throw .notReplaceable(path: output) }
        guard overwriting else { throw .outputExists(path: output, difference) }
    }

    /// The path of the first recording that has changed since a file was made from it; nil: none has.
    ///
    /// If an interrupted run left all of its clips, the file is compared with these.
    static func changedRecording(
        _ file: FeatureReader, _ extraction: Extraction, _ runPlan: RunPlan, _ cancellation: Cancellation
    ) throws -> String? {
        guard let resumed = runPlan.resumed, runPlan.hasResumedAll else {
            return try extraction.comparison(cancellation).firstDifference(from: file)
        }
        let (check, reader) = (RecordingCheck(extraction, samples: true), resumed.contents.reader())
        let clips = try extraction.source.reader()
        var cursor = FeatureFileCursor(file)
        while let clip = try clips.next() {
            let isSame = try cursor.find(clip)?.isSame(clip, as: runPlan.index[clip.index], reader) {
                try check.state(of: clip, since: KnownRecording($0)) == .same
            }
            guard isSame == true else { return clip.path }
        }
        return nil
    }

    /// The summary of a file that is up to date.
    static func upToDate(_ file: FeatureReader, since start: ContinuousClock.Instant) throws -> ExtractionSummary {
        let failures = try file.failures(0..<min(5, file.failureCount))
        return ExtractionSummary(
            wasUpToDate: true, output: file.path, clips: file.clipCount, failures: file.failureCount,
            firstFailures: failures, rows: file.rows, bins: file.shape.channelBins,
            bytes: file.set?.bytes ?? Int(max(FileStamp(path: file.path).byteCount, 0)), audioSeconds: nil,
            elapsedSeconds: start.duration(to: .now) / .seconds(1), patch: file.shape.patch,
            channels: file.shape.channels, account: try file.accountOfRecordings())
    }

    /// The damage of a file that would not be replaced; nil: none.
    ///
    /// - Complexity: Reads the whole file once.
    static func damage(_ file: FeatureReader) throws(StorageError) -> String? {
        guard let finding = try file.verify(most: 1).first else { return nil }
        return (finding.clip.map { "clip '\($0)': " } ?? "") + finding.description
    }

    /// Whether a file is an HDF5 file, damaged or not, the index of a set, or empty.
    private static func isReplaceable(_ path: String) -> Bool {
        guard !HDF5Signature.begins(path), (try? FeatureSetIndex(path: path)) == nil else { return true }
        let status = FileStatus(path: path, followingLink: false)
        return status?.isRegular == true && status?.byteCount == 0
    }
}
