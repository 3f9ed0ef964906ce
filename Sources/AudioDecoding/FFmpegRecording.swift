import FeatureModel
import FileIO

/// A recording that ffmpeg decodes, read through a pipe.
final class FFmpegRecording: ForwardRecording {
    private let ffmpeg: FFmpeg
    private let probe: FFmpegProbe
    private let status: ContentStatus?
    private var child: ChildProcess?

    private static let longestHeader = 1 << 16

    /// Opens a recording that libsndfile could not open.
    ///
    /// - Parameters:
    ///   - path: What it is called.
    ///   - failure: What libsndfile said.
    /// - Throws: That failure, where ffmpeg would not be given the recording; other failures of stage `open` or `decode`.
    init(_ content: FileContent, path: String, after failure: ClipFailure) throws(ClipFailure) {
        guard case .notDecodable(_, nil) = failure, let header = HeaderBytes(content),
            let signature = MediaSignature(header)
        else { throw failure }
        func needs(_ obstacle: ClipFailure.FFmpegObstacle) -> ClipFailure {
            .needsFFmpeg(format: signature.rawValue, obstacle)
        }
        guard MediaFile.mayBeRead(path) else { throw signature == .sphere ? failure : needs(.otherName) }
        guard let programs = FFmpegPrograms.installed else {
            throw needs(FFmpegPrograms.isOff ? .turnedOff : .notInstalled)
        }
        if case .part = content, !signature.isStream(header) { throw needs(.inArchive) }
        let frames = signature == .adts ? ADTSFrames(content) : nil
        // Other bytes after the frames may be damage to ffmpeg, and so is the part of a frame that is cut off.
        ffmpeg = try FFmpeg(
            programs, frames.flatMap { content.dropping(from: $0.end) } ?? content, isSphere: signature == .sphere)
        let probe = try FFmpegProbe(ffmpeg)
        self.probe = probe
        status = content.status
        var (frameCount, cutOff): (Int?, CutOff?) = (nil, nil)
        if let frames {
            frameCount = frames.sampleCount * probe.sampleRate / frames.sampleRate
            if frames.missingCount > 0 {
                let present = Double(frames.sampleCount) / Double(frames.sampleRate)
                let missing = Double(frames.missingCount) / Double(frames.sampleRate)
                cutOff = CutOff(promised: present + missing, present: present)
            }
        } else {
            frameCount = probe.duration.map { Int(($0 * Double(probe.sampleRate)).rounded()) }
        }
        super.init(
            path: path, sampleRate: probe.sampleRate, channels: probe.channels, libraries: [.ffmpeg],
            frameCount: frameCount, isFrameCountEstimated: frames == nil, cutOff: cutOff)
    }

    /// Decodes the recording to its end once, for its exact length and for damage after a segment: ffmpeg does not say where
    /// it found some, so a clip would fail or not by how far ffmpeg was ahead.
    override func prepareForSegments() throws(ClipFailure) {
        guard isFrameCountEstimated, let status else { return }
        let count = try FFmpegLengths.length(path, status) { () throws(ClipFailure) in
            while try skip() {}
            return window.end
        }
        (frameCount, isFrameCountEstimated) = (count, false)
        cutOff = missing(after: count)
    }

    override func missing() -> CutOff? { isFrameCountEstimated ? missing(after: window.end) : nil }

    /// What is missing at the end of a recording with so many frames; nil: nothing.
    private func missing(after count: Int) -> CutOff? {
        guard let promised = probe.promised else { return nil }
        let rate = Double(sampleRate)
        guard Int((promised * rate).rounded()) - count > probe.tolerance else { return nil }
        return CutOff(promised: promised, present: Double(count) / rate)
    }

    override func restart() throws(ClipFailure) {
        child = nil
        try super.restart()
    }

    override func decode() throws(ClipFailure) -> Bool {
        guard !isAtEnd else { return false }
        let child: ChildProcess
        if let running = self.child {
            child = running
        } else {
            try restart()
            child = try ffmpeg.decode()
            self.child = child
            do throws(ClipFailure) { try readHeader(child) } catch {
                try restart()
                throw error
            }
            if window.end > 0 { return true }
        }
        let count = try read(child, into: window.freeSpace())
        window.add(count)
        if count == 0 {
            isAtEnd = true
            self.child = nil
        }
        return count > 0
    }

    private func read(_ child: ChildProcess, into bytes: UnsafeMutableRawBufferPointer) throws(ClipFailure) -> Int {
        do throws(ChildProcess.Failure) { return try child.read(into: bytes) } catch {
            try restart()
            throw ffmpeg.failure(error)
        }
    }

    /// Reads the header before the samples; bytes after it are the first in the window.
    private func readHeader(_ child: ChildProcess) throws(ClipFailure) {
        while true {
            let found = try read(child, into: window.freeSpace())
            window.add(found)
            if let header = WaveHeader(window.contents), let format = header.format, let data = header.data {
                guard format.sampleRate == sampleRate else {
                    throw .rateContradicted(header: sampleRate, frames: format.sampleRate)
                }
                guard format.channels == channels, format.tag == 3, format.bits == 32 else {
                    throw .ffmpegFailed(words: "expected \(channels) channels, found \(format.channels)")
                }
                window.dropBytes(data.start)
                return
            }
            guard found > 0, window.contents.count < Self.longestHeader else {
                throw .ffmpegFailed(words: "it wrote no samples")
            }
        }
    }
}
