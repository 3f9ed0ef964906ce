import Annotations
import FeatureModel
import FileIO
import SignalProcessing

/// Gives each frame of a clip the label of the annotation at its middle. Used by one thread.
///
/// The middle of frame i of a clip is the time of the clip's first sample that is kept (`audio.crop`), plus `first_frame_time`,
/// plus i · `frame_period`. Times that differ by less than a nanosecond are equal. A frame whose middle is not before the
/// clip's end, or is before its start (`audio.lead`), has no label: what is there is not in the clip.
final class FrameLabeler {
    /// The distinct labels, by their index.
    let names: [String]

    private let annotations: FrameAnnotations
    private let framePeriod: Double
    private let firstFrameTime: Double
    private let patch: PatchShape?
    private let configuration: FeatureConfiguration
    /// The index in `names` of each of the annotations' names.
    private let index: [Int32]
    /// What was made of each recording and channel, with the rate that was used.
    private var tracks: [TrackKey: (track: FrameTrack, rate: Int)] = [:]

    private struct TrackKey: Hashable {
        let recording: Int
        let channel: Int?
    }
    private let buffer = UnsafeMutableBufferPointer<Int32>.allocate(capacity: 1 << 16)

    /// - Parameters:
    ///   - known: Names that keep their indices; others follow, sorted.
    init(_ annotations: FrameAnnotations, _ plan: FeaturePlan, known: [String] = []) {
        self.annotations = annotations
        (framePeriod, firstFrameTime) = (plan.framePeriod, plan.firstFrameTime)
        patch = plan.configuration.patches.shape
        configuration = plan.configuration
        var names = known
        index = annotations.names.map { name in
            if let position = known.firstIndex(where: { $0.utf8.elementsEqual(name.utf8) }) { return Int32(position) }
            names.append(name)
            return Int32(names.count - 1)
        }
        self.names = names
    }

    deinit { buffer.deallocate() }

    /// Labels the frames of a clip, block by block.
    ///
    /// - Parameters:
    ///   - path: The path of its recording, as the manifest gives it.
    ///   - channel: That the manifest names; nil: as configured.
    ///   - measurement: Where the clip lies in it.
    ///   - frames: Number of its frames; of all patches together where rows are grouped.
    ///   - computed: The rows that were computed: those that were added have no label. Nil: all.
    ///   - receive: Called with the labels in order: indices in `names`, −1 for none.
    /// - Returns: XXH3-128 of all labels, hexadecimal.
    func label<Failure: Error>(
        _ path: String, channel: Int?, _ measurement: ClipMeasurement, frames: Int, computed: Int? = nil,
        receive: (UnsafeBufferPointer<Int32>) throws(Failure) -> Void
    ) throws(Failure) -> String {
        var hash = XXH3Hash128()
        try blocks(path, channel, measurement, frames: frames, computed: computed ?? frames) { labels throws(Failure) in
            hash.update(UnsafeRawBufferPointer(labels))
            try receive(labels)
        }
        return hash.finish().hex
    }

    /// The checksum alone.
    func checksum(
        _ path: String, channel: Int?, _ measurement: ClipMeasurement, frames: Int, computed: Int? = nil
    ) -> String {
        label(path, channel: channel, measurement, frames: frames, computed: computed) {
            (_: UnsafeBufferPointer<Int32>) throws(Never) in
        }
    }

    private func blocks<Failure: Error>(
        _ path: String, _ channel: Int?, _ measurement: ClipMeasurement, frames: Int, computed: Int,
        receive: (UnsafeBufferPointer<Int32>) throws(Failure) -> Void
    ) throws(Failure) {
        let channel = measurement.channels == 1 ? nil : channel ?? configuration.audio.channels.single
        let track = annotations.recording(path).map {
            self.track(of: TrackKey(recording: $0, channel: channel), rate: measurement.sampleRate)
        }
        // Clips start at a sample.
        let rate = Double(max(measurement.sampleRate, 1))
        let start = (measurement.start * rate).rounded() / rate
        let end = Nanoseconds.of(start + measurement.duration)
        let cropped =
            start + configuration.cropOffset(duration: measurement.duration, sampleRate: measurement.sampleRate)
        let earliest = Nanoseconds.of(cropped)
        // Rows that are added have no label, nor do copies of them.
        let own = configuration.addsRowsEarly ? computed : configuration.rows.filled(computed)
        var piece = track?.firstPiece(after: Nanoseconds.of(start)) ?? 0
        for first in stride(from: 0, to: frames, by: buffer.count) {
            let count = min(buffer.count, frames - first)
            for row in 0..<count {
                buffer[row] = -1
                guard let track else { continue }
                var frame = patch?.row(first + row) ?? first + row
                if configuration.patches.rest == .repeat { frame = min(frame, own - 1) }
                guard frame < computed else { continue }
                let seconds = cropped + (firstFrameTime + Double(frame) * framePeriod)
                // What is less than a nanosecond before an edge is at the edge.
                let time = Nanoseconds.of(seconds) + 1
                guard time >= earliest, time < end else { continue }
                // A patch starts before the end of the one before it, if they overlap.
                if let patch, patch.overlaps, (first + row) % patch.length == 0 {
                    piece = track.firstPiece(after: time)
                }
                while piece < track.ends.count, track.ends[piece] <= time { piece += 1 }
                if piece < track.ends.count, track.starts[piece] <= time {
                    buffer[row] = index[Int(track.names[piece])]
                }
            }
            try receive(UnsafeBufferPointer(rebasing: buffer[..<count]))
        }
    }

    private func track(of key: TrackKey, rate: Int) -> FrameTrack {
        if let known = tracks[key], known.rate == rate { return known.track }
        let heard = annotations.entries(of: key.recording).lazy.filter { entry in
            key.channel == nil || entry.channel == nil || entry.channel == key.channel
        }
        let track = FrameTrack(heard, rate: rate)
        tracks[key] = (track, rate)
        return track
    }
}
