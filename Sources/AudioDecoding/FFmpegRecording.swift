import FeatureModel
import FileIO

/// A recording that ffmpeg decodes, read through a pipe.
///
/// Samples are always decoded from the first one, so they do not depend on where reading started. The last ones are kept: a
/// segment that overlaps the one before is read without a new start.
final class FFmpegRecording: SampleSource {
    let path: String
    let sampleRate: Int
    let channels: Int
    private(set) var frameCount: Int?
    private(set) var isFrameCountEstimated = true
    private(set) var cutOff: CutOff?
    private(set) var earlyEnd: CutOff?
    var seeksExactly: Bool { true }
    var libraries: Set<DecodingLibrary> { [.ffmpeg] }
    var isAlwaysFinite: Bool { false }

    private let ffmpeg: FFmpeg
    private let probe: FFmpegProbe
    private let status: ContentStatus?
    private var child: ChildProcess?
    private var position = 0

    private let window: SampleWindow
    /// Whether the last frame was decoded.
    private var isAtEnd = false

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
        guard MediaFile.isNamed(path) else { throw needs(.otherName) }
        guard let programs = FFmpegPrograms.installed else {
            throw needs(FFmpegPrograms.isOff ? .turnedOff : .notInstalled)
        }
        if case .part = content, !signature.isStream(header) { throw needs(.inArchive) }
        let frames = signature == .adts ? ADTSFrames(content) : nil
        // Other bytes after the frames may be damage to ffmpeg, and so is the part of a frame that is cut off.
        ffmpeg = try FFmpeg(programs, frames.flatMap { content.dropping(from: $0.end) } ?? content)
        let probe = try FFmpegProbe(ffmpeg)
        self.probe = probe
        status = content.status
        self.path = path
        (sampleRate, channels) = (probe.sampleRate, probe.channels)
        if let frames {
            (frameCount, isFrameCountEstimated) = (frames.sampleCount * probe.sampleRate / frames.sampleRate, false)
            if frames.missingCount > 0 {
                let present = Double(frames.sampleCount) / Double(frames.sampleRate)
                let missing = Double(frames.missingCount) / Double(frames.sampleRate)
                cutOff = CutOff(promised: present + missing, present: present)
            }
        } else {
            frameCount = probe.duration.map { Int(($0 * Double(probe.sampleRate)).rounded()) }
        }
        // Both have the byte order of all systems that Swift runs on.
        window = SampleWindow(frameSize: channels * MemoryLayout<Float>.size)
    }

    /// Decodes the recording to its end once, for its exact length and for damage after a segment: ffmpeg does not say where
    /// it found some, so a clip would fail or not by how far ffmpeg was ahead.
    func prepareForSegments() throws(ClipFailure) {
        guard isFrameCountEstimated, let status else { return }
        let count = try FFmpegLengths.length(path, status) { () throws(ClipFailure) in
            while try decode() {}
            return window.end
        }
        (frameCount, isFrameCountEstimated) = (count, false)
        cutOff = missing(after: count)
    }

    func seek(to frame: Int) throws(ClipFailure) {
        earlyEnd = nil
        if frame < window.start { restart() }
        window.keep(from: frame)
        while frame > window.end {
            guard try decode() else { throw .endsBefore(frame: frame, end: window.end) }
        }
        position = frame
    }

    func read(into samples: UnsafeMutablePointer<Float>, frames: Int) throws(ClipFailure) -> Int {
        var position = position
        let count = try window.read(&position, into: samples, frames: frames) { () throws(ClipFailure) in try decode() }
        self.position = position
        if count < frames { earlyEnd = isFrameCountEstimated ? missing(after: window.end) : nil }
        return count
    }

    /// What is missing at the end of a recording with so many frames; nil: nothing.
    private func missing(after count: Int) -> CutOff? {
        guard let promised = probe.promised else { return nil }
        let rate = Double(sampleRate)
        guard Int((promised * rate).rounded()) - count > probe.tolerance else { return nil }
        return CutOff(promised: promised, present: Double(count) / rate)
    }

    private func restart() {
        child = nil
        window.reset()
        isAtEnd = false
    }

    /// Decodes further samples into the window; returns false at the end.
    private func decode() throws(ClipFailure) -> Bool {
        guard !isAtEnd else { return false }
        let child: ChildProcess
        if let running = self.child {
            child = running
        } else {
            restart()
            child = try ffmpeg.decode()
            self.child = child
            do throws(ClipFailure) { try readHeader(child) } catch {
                restart()
                throw error
            }
            if window.end > 0 { return true }
        }
        let count = try read(child, into: window.room())
        window.add(count)
        if count == 0 {
            isAtEnd = true
            self.child = nil
        }
        return count > 0
    }

    private func read(_ child: ChildProcess, into bytes: UnsafeMutableRawBufferPointer) throws(ClipFailure) -> Int {
        do throws(ChildProcess.Failure) { return try child.read(into: bytes) } catch {
            restart()
            throw ffmpeg.failure(error)
        }
    }

    /// Reads the header before the samples; bytes after it are the first in the window.
    private func readHeader(_ child: ChildProcess) throws(ClipFailure) {
        while true {
            let found = try read(child, into: window.room())
            window.add(found)
            if let header = StreamedWaveHeader(window.contents) {
                guard header.sampleRate == sampleRate else {
                    throw .rateContradicted(header: sampleRate, frames: header.sampleRate)
                }
                guard header.channels == channels, header.isFloat else {
                    throw .ffmpegFailed(words: "expected \(channels) channels, found \(header.channels)")
                }
                window.dropBytes(header.size)
                return
            }
            guard found > 0, window.contents.count < Self.longestHeader else {
                throw .ffmpegFailed(words: "it wrote no samples")
            }
        }
    }
}

/// The header of a WAV in a pipe, whose sizes are not known.
struct StreamedWaveHeader: Equatable {
    let sampleRate: Int
    let channels: Int
    /// Whether samples are floating point of 32 bits.
    let isFloat: Bool
    /// Bytes before the first sample.
    let size: Int

    /// Reads it; nil: more bytes are needed, or it is none.
    init?(_ bytes: UnsafeRawBufferPointer) {
        func number(_ offset: Int, _ count: Int) -> Int {
            bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        func has(_ text: String, _ offset: Int) -> Bool { bytes[offset...].prefix(4).elementsEqual(text.utf8) }
        guard bytes.count >= 12, has("RIFF", 0), has("WAVE", 8) else { return nil }
        var offset = 12
        var format: (rate: Int, channels: Int, isFloat: Bool)?
        while offset + 8 <= bytes.count {
            if has("data", offset) {
                guard let format else { return nil }
                (sampleRate, channels, isFloat, size) = (format.rate, format.channels, format.isFloat, offset + 8)
                return
            }
            let length = number(offset + 4, 4)
            let end = offset + 8 + length + length % 2
            guard end <= bytes.count else { return nil }
            if has("fmt ", offset), length >= 16 {
                let start = offset + 8
                // In the extended form, the kind of samples comes first in a further field.
                let tag = number(start, 2) == 0xFFFE && length >= 26 ? number(start + 24, 2) : number(start, 2)
                format = (number(start + 4, 4), number(start + 2, 2), tag == 3 && number(start + 14, 2) == 32)
            }
            offset = end
        }
        return nil
    }
}
