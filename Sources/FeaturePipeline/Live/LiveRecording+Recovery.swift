import Checksums
import FeatureModel
import FeatureStorage
import Foundation
import SignalProcessing

extension LiveRecording {
    /// Completes a recording whose program was killed: the file that it would have become had it been stopped at the last moment
    /// that is known of each input, but for rows that need what comes after it.
    ///
    /// What the recording has left stays until the file is complete, so that this may be killed, too.
    ///
    /// - Parameters:
    ///   - output: The file that was recorded into.
    ///   - overwriting: Whether a feature file of that name is replaced.
    /// - Throws: `LiveError.nothingToRecover` where there is no such recording; whatever keeps the file from being written.
    package static func recover(output: String, overwriting: Bool) throws -> LiveSummary {
        let (output, standing) = try destination(output, overwriting: overwriting)
        let folder = folder(of: output)
        guard Spool.hasLive(folder: folder) else { throw LiveError.nothingToRecover(output: output) }
        let spool = try Spool(folder: folder)
        let (progress, configuration): (LiveProgress, FeatureConfiguration)
        do {
            progress = try LiveProgress(json: try spool.live() ?? "")
            configuration = try JSONDecoder().decode(
                FeatureConfiguration.self, from: Data(progress.configuration.utf8))
        } catch let error as DecodingError {
            throw StorageError.damaged(path: folder, found: "what it says of the recording cannot be read: \(error)")
        }
        guard let first = progress.inputs.compactMap({ $0 }).first else {
            throw LiveError.nothingToRecover(output: output)
        }
        let plan = try AudioFeatureStream(configuration, inputRate: first.sampleRate, channels: first.channels).plan
        let recording = LiveRecording(
            output: output, standing: standing, spool: spool, plan: plan, progress: progress)
        var tracks: [LiveSummary.Track] = []
        for (clip, name) in progress.names.enumerated() {
            tracks.append(try recording.recover(clip, called: name, progress.inputs[clip], spool, plan))
        }
        let file = try recording.finish()
        recording.remove()
        return LiveSummary(tracks: tracks, file: file)
    }

    /// Makes sure that a folder holds no recording that was interrupted.
    ///
    /// - Throws: `LiveError.interruptedRecording`.
    static func checkNone(in folder: String, of output: String) throws(LiveError) {
        guard Spool.hasLive(folder: folder) else { return }
        throw .interruptedRecording(output: output, seconds: nil)
    }

    private func recover(
        _ clip: Int, called name: String, _ input: LiveProgress.Input?, _ spool: Spool, _ plan: FeaturePlan
    ) throws -> LiveSummary.Track {
        let count = clipCount
        // The files of the interrupted recording stay as they are.
        let tape = try LiveTape(clip: clip, of: count, plan: plan, spool: spool, firstFile: 2 * count)
        guard let input else {
            // It becomes a failure in the file, which the report of the file names.
            try tape.fail(ClipFailure(.decode, "nothing had come when the recording was interrupted"), index)
            return LiveSummary.Track(
                name: name, seconds: 0, rows: 0, strayBytes: 0, clippedSamples: 0, failure: nil)
        }
        let files = LiveTape.files(of: clip, of: count)
        let bins = plan.needsWholeClip ? plan.streamedBins : plan.bins
        let found = try spool.reader().rows(
            ofFile: plan.needsWholeClip ? files.draft : files.rows, most: input.values
        ) { rows throws(StorageError) in try tape.keep(rows) }
        // Of a damaged file as much as there is: its samples are those of its rows.
        let isWhole = found == input.values
        let rate = Double(input.sampleRate)
        let frames = isWhole ? input.frames : min(input.frames, Int(Double(found / bins) * plan.framePeriod * rate))
        try tape.finish(
            sampleRate: input.sampleRate, channels: input.channels, frames: frames, peak: input.peak ?? -.infinity,
            checksum: isWhole ? input.checksum.flatMap(Checksum128.init(hex:)) : Checksum128(high: 0, low: 0), index)
        return LiveSummary.Track(
            name: name, seconds: Double(frames) / rate, rows: found / bins, strayBytes: 0, clippedSamples: 0,
            failure: isWhole
                ? nil : LiveError.lostRows(name: name, expected: input.values / bins, found: found / bins))
    }
}
