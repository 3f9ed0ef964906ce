import ClipFeatures
import ClipSpool
import DatasetExtraction
import Essentials
import FeatureModel
import FeatureStorage
import FileIO
import SignalProcessing

extension LiveRecording {
    /// Completes a recording whose program was killed: the file that it would have become had it been stopped at the last mark
    /// of each input, except for rows that need what comes after it.
    ///
    /// The spool of the recording is kept until the file is complete: the recovery may be killed, too.
    ///
    /// - Parameters:
    ///   - output: The file that was recorded into.
    ///   - overwriting: Whether a feature file of that name is replaced.
    /// - Throws: `LiveError.nothingToRecover` where there is no such recording; any error that prevents the file from being
    ///   written.
    package static func recover(output: String, overwriting: Bool) throws -> LiveSummary {
        let path = OutputFolder.destination(output)
        let folder = folder(of: path)
        try OutputFolder.checkFolders(of: path)
        guard Spool.hasLive(folder: folder) else { throw LiveError.nothingToRecover(output: path) }
        let spool = try Spool(folder: folder)
        let (note, configuration) = try note(in: spool)
        if let file = complete(path, note, spool) {
            try spool.remove()
            return LiveSummary(tracks: [], file: file)
        }
        let existing = try destination(output, overwriting: overwriting).existing
        let first = note.inputs[0]
        let plan = try AudioFeatureStream(configuration, inputRate: first.sampleRate, channels: first.channels).plan
        let recording = LiveRecording(output: path, existing: existing, spool: spool, plan: plan, note: note)
        var tracks: [LiveSummary.Track] = []
        for (clip, input) in note.inputs.enumerated() {
            tracks.append(try recording.recover(clip, input, of: note.inputs.count, spool, plan))
        }
        let isWhole = tracks.allSatisfy { $0.end.failure == nil }
        do {
            let file = try recording.finish()
            // Rows after the damage may still be of use.
            if isWhole { recording.remove() }
            return LiveSummary(tracks: tracks, file: file)
        } catch LiveError.nothingRecorded(let output) {
            if let failure = tracks.compactMap(\.end.failure).first { throw failure }
            // Rows that make no patch may still be of use.
            if tracks.allSatisfy({ $0.rows == 0 }) { recording.remove() }
            throw LiveError.nothingRecorded(output: output)
        }
    }

    /// Makes sure that a folder holds no recording that was interrupted before its file was complete.
    ///
    /// - Throws: `ExtractionError.interruptedRecording`, `StorageError`.
    static func checkNone(in spool: Spool, of output: String) throws {
        guard Spool.hasLive(folder: spool.folder) else { return }
        // One that cannot be read may still be of use.
        guard let note = try? note(in: spool).note else {
            throw ExtractionError.interruptedRecording(output: output, seconds: nil)
        }
        guard complete(output, note, spool) == nil else { return }
        let reader = spool.reader()
        let seconds = note.inputs.enumerated().compactMap { clip, input in
            mark(clip, of: note.inputs.count, reader).map { Double($0.frames) / Double(input.sampleRate) }
        }
        throw ExtractionError.interruptedRecording(output: output, seconds: seconds.max())
    }

    private static func note(in spool: Spool) throws -> (note: RecordingManifest, configuration: FeatureConfiguration) {
        do {
            let note = try RecordingManifest(json: try SpoolNote.live.text(in: spool.folder) ?? "")
            return (note, try JSONDecoder().decode(FeatureConfiguration.self, from: Data(note.configuration.utf8)))
        } catch let error as StorageError {
            throw error
        } catch {
            throw StorageError.damaged(
                path: spool.folder, found: "what it says of the recording cannot be read: \(error)")
        }
    }

    /// The last mark of an input, in the file of final rows or in that of rows that wait; nil: there is none.
    private static func mark(_ clip: Int, of clips: Int, _ reader: SpoolReader) -> Checkpoint? {
        let files = LiveRecorder.files(of: clip, of: clips)
        return [files.draft, files.rows].compactMap { (try? reader.lastMark(ofFile: $0))?.mark }.first
    }

    /// The output, where it is this very recording, completed: the program was killed between giving the file its name and
    /// deleting what it was made from. Nil: it is something else, or there is none.
    private static func complete(_ output: String, _ note: RecordingManifest, _ spool: Spool) -> LiveSummary.File? {
        let reader = spool.reader()
        let marks = note.inputs.indices.compactMap { mark($0, of: note.inputs.count, reader) }.filter { $0.values > 0 }
        guard !marks.isEmpty, let file = try? FeatureReader(path: output), file.configuration == note.configuration,
            file.clipCount <= note.inputs.count, let clips = try? file.clips(0..<file.clipCount)
        else { return nil }
        let known = Set(clips.map(\.audioChecksum))
        guard marks.allSatisfy({ known.contains($0.checksum.hex) }) else { return nil }
        return LiveSummary.File(
            path: output, clips: file.clipCount, rows: file.rows, bins: file.bins,
            bytes: Int(max(FileStamp(path: output).byteCount, 0)), failures: [], warnings: [],
            patch: file.shape.patch)
    }

    private func recover(
        _ clip: Int, _ input: RecordingManifest.Input, of count: Int, _ spool: Spool, _ plan: FeaturePlan
    ) throws -> LiveSummary.Track {
        // The files of the interrupted recording are not changed.
        let recorder = try LiveRecorder(clip: clip, of: count, plan: plan, spool: spool, firstFile: 2 * count)
        let files = LiveRecorder.files(of: clip, of: count)
        let (number, width) = plan.needsWholeClip ? (files.draft, plan.streamedWidth) : (files.rows, plan.rowWidth)
        let reader = spool.reader()
        let (mark, isDamaged) = try reader.lastMark(ofFile: number)
        let found = mark.flatMap { $0.values % width == 0 ? $0 : nil }
        let failure =
            isDamaged || found != mark
            ? LiveError.lostRows(name: input.name, found: (found?.values ?? 0) / width, folder: spool.folder) : nil
        guard let found else {
            // It becomes a failure in the file, which the report of the file names.
            try recorder.fail(.interrupted, index)
            return LiveSummary.Track(name: input.name, seconds: 0, rows: 0, end: LiveTrack.End(failure: failure))
        }
        try reader.rows(ofFile: number, count: found.values) { rows throws(StorageError) in try recorder.keep(rows) }
        // Those of a draft are added when it is completed.
        if !plan.needsWholeClip { try recorder.keepPadding(after: found.values / width) }
        try recorder.finish(
            sampleRate: input.sampleRate, channels: input.channels, frames: found.frames, peak: found.peak,
            checksum: found.checksum, index)
        return LiveSummary.Track(
            name: input.name, seconds: Double(found.frames) / Double(input.sampleRate), rows: found.values / width,
            end: LiveTrack.End(failure: failure),
            missingRows: Self.missing(found.values / width, ofFrames: found.frames, at: input.sampleRate, plan))
    }

    /// Rows that an extraction of the same samples has after those that were computed: they waited for others of their batch, or for
    /// the end of the signal. Of resized rows it is not known how many are complete.
    private static func missing(_ rows: Int, ofFrames frames: Int, at rate: Int, _ plan: FeaturePlan) -> Int {
        let settings = plan.configuration.rows
        guard settings.resize == nil else { return 0 }
        let samples = Int((Double(frames) * plan.sampleRate / Double(rate)).rounded())
        return max(
            plan.frameCount(samples: samples) - (plan.configuration.addsRowsEarly ? settings.filled(rows) : rows), 0)
    }
}

/// The description of a recording: with its rows and marks, all that is needed to complete it after the program was killed.
struct RecordingManifest: Codable, Equatable, Sendable {
    /// An input.
    struct Input: Codable, Equatable, Sendable {
        /// Its name.
        let name: String
        /// Rate of its samples in Hz.
        let sampleRate: Int
        /// Its channels.
        let channels: Int
    }

    /// The configuration, as JSON.
    let configuration: String
    /// The inputs, at least one.
    let inputs: [Input]
    /// The files that values of the configuration were read from; nil: none.
    var files: [ConfigurationInput]?
}

extension RecordingManifest {
    /// Reads the description in the spool.
    ///
    /// - Throws: `DecodingError`, also for values that no recording has.
    init(json: String) throws {
        self = try JSONDecoder().decode(RecordingManifest.self, from: Data(json.utf8))
        let isUsual = inputs.allSatisfy {
            AudioConfiguration.sampleRates.contains($0.sampleRate) && (1...1024).contains($0.channels)
        }
        guard isUsual, !inputs.isEmpty else {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "inputs that cannot be"))
        }
    }
}
