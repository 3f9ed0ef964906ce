import AudioDecoding
import Concurrency
import FeatureModel
import FileIO
import SignalProcessing

/// Filters a recording into another file: every channel by itself, in pieces, so that memory does not depend on the length.
package struct RecordingFilter {
    private let input: String
    private let output: String
    private let configuration: DCTFilterConfiguration
    private let overwriting: Bool
    private let policy: RecordingPolicy

    private static let blockSamples = 65_536
    private static let minimumBlockFrames = 1024

    /// - Parameters:
    ///   - input: The recording.
    ///   - output: The file to write; the extension says in which format.
    ///   - overwriting: Whether a file of that name is replaced, once the new one is complete.
    ///   - policy: How a recording that is cut off, and samples that are not finite, are treated.
    package init(
        input: String, output: String, configuration: DCTFilterConfiguration, overwriting: Bool,
        policy: RecordingPolicy = RecordingPolicy()
    ) {
        self.input = input
        self.output = output
        self.configuration = configuration
        self.overwriting = overwriting
        self.policy = policy
    }

    /// Filters the recording. Where it fails, the output's name is untouched.
    ///
    /// - Throws: `FilteringError`, `SoundFileError`, `ConfigurationError`, `SignalError`.
    package func run(cancellation: Cancellation) throws -> FilteringSummary {
        guard let container = SoundFileContainer(path: output) else {
            throw SoundFileError.unknownExtension(path: output, writable: SoundFileContainer.writableExtensions)
        }
        let source = try reading { () throws(ClipFailure) in try SoundFile(path: input) }
        if let cut = source.cutOff, policy.truncated == .fail {
            throw FilteringError.recording(path: input, failure: .cutOff(cut))
        }
        try refuseSameFile()
        let bins = try configuration.bins(at: Double(source.sampleRate))
        let writer = try writer(for: source, container)
        let filters = try ChannelFilters(
            DCTEnvelope(configuration.mode, bins: bins), pages: configuration.pages, channels: source.channels)
        let zeroed = try copy(source, through: filters, to: writer, cancellation)
        let clipped = writer.clippedSamples
        let lost = try writer.finish()
        return FilteringSummary(
            format: writer.format.description, sampleRate: source.sampleRate, channels: source.channels,
            frames: writer.frames, bins: bins, clippedSamples: clipped,
            cutOff: source.earlyEnd ?? source.cutOff, zeroedSamples: zeroed, lostTags: lost.map(\.rawValue))
    }

    private func writer(for source: SoundFile, _ container: SoundFileContainer) throws -> SoundFileWriter {
        guard
            let format = SoundFileFormat.output(
                container, like: source.format, sampleRate: source.sampleRate, channels: source.channels)
        else {
            throw SoundFileError.unsupported(
                path: output, container, sampleRate: source.sampleRate, channels: source.channels)
        }
        var settings = SoundFileWriter.Settings(
            format: format, sampleRate: source.sampleRate, channels: source.channels)
        settings.tags = source.tags
        settings.channelMap = source.channelMap
        let writer = try SoundFileWriter(path: output, settings: settings, overwriting: overwriting)
        // Reports a size that the format does not allow now, not after the first four gigabytes.
        if let frames = source.frameCount { try writer.checkSize(frames: frames) }
        return writer
    }

    /// Filters all samples, and returns how many of them were not finite and became 0.
    private func copy(
        _ source: SoundFile, through filters: ChannelFilters, to writer: SoundFileWriter, _ cancellation: Cancellation
    ) throws -> Int {
        let channels = source.channels
        let blockFrames = max(Self.minimumBlockFrames, Self.blockSamples / channels)
        let block = UnsafeMutableBufferPointer<Float>.allocate(capacity: blockFrames * channels)
        defer { block.deallocate() }
        guard let samples = block.baseAddress else { return 0 }

        /// Writes what the filters hand over.
        func write(_ run: ((UnsafeBufferPointer<Float>) throws -> Void) throws -> Void) throws {
            do {
                try run { filtered in
                    guard let results = filtered.baseAddress else { return }
                    try writer.write(results, frames: filtered.count / channels)
                }
            } catch let failure as ClipFailure {
                throw FilteringError.recording(path: input, failure: failure)
            }
        }

        var (read, zeroed) = (0, 0)
        while true {
            if cancellation.isCancelled { throw FilteringError.cancelled }
            let count = try reading { () throws(ClipFailure) in try source.read(into: samples, frames: blockFrames) }
            guard count > 0 else { break }
            if policy.nonFinite == .zero {
                zeroed += zeroNonFinite(UnsafeMutableBufferPointer(start: samples, count: count * channels))
            } else {
                let found = UnsafeBufferPointer(start: samples, count: count * channels)
                try reading { () throws(ClipFailure) in try requireFinite(found, channels: channels, from: read) }
            }
            read += count
            let piece = UnsafeBufferPointer(start: samples, count: count * channels)
            try write { receive in try filters.push(piece, lowLatency: false, receive: receive) }
        }
        let total = read
        try reading { () throws(ClipFailure) in try requireAll(total, of: source) }
        try write { receive in try filters.finish(receive: receive) }
        return zeroed
    }

    private func requireAll(_ read: Int, of source: SoundFile) throws(ClipFailure) {
        if let cut = source.earlyEnd ?? source.cutOff {
            guard policy.truncated == .keep, read > 0 else { throw .cutOff(cut) }
        } else if let promised = source.frameCount, read < promised {
            throw .missingSamples(promised: promised, found: read)
        }
        guard read > 0 else { throw .noSamples }
    }

    private func reading<Result>(_ body: () throws(ClipFailure) -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            throw FilteringError.recording(path: input, failure: error)
        }
    }

    /// Compares the files by their device and number: two names may be one file.
    private func refuseSameFile() throws(FilteringError) {
        guard let source = FileStatus(path: input), let target = FileStatus(path: output) else { return }
        if source.identity == target.identity { throw .sameFile(input: input, output: output) }
    }
}

/// The result of filtering a recording.
package struct FilteringSummary: Sendable {
    /// Container and encoding of what was written, such as `WAV, signed 16 bit PCM`.
    package let format: String
    /// In Hz.
    package let sampleRate: Int
    /// Number of channels.
    package let channels: Int
    /// Samples in each channel.
    package let frames: Int
    /// The bins of the edges, out of 1024.
    package let bins: ClosedRange<Int>
    /// Samples, of all channels, that exceeded full scale and were clipped.
    package let clippedSamples: Int
    /// What the recording lacked at its end; nil: nothing.
    package let cutOff: CutOff?
    /// Samples, of all channels, that were infinite or not a number and became 0.
    package let zeroedSamples: Int
    /// Names of the tags that the output's container cannot store.
    package let lostTags: [String]
}

/// Why a recording was not filtered, apart from errors of configuration and of the file that is written.
package enum FilteringError: Error, Hashable, Sendable {
    /// It was asked to stop.
    case cancelled
    /// The recording cannot be read to its end.
    case recording(path: String, failure: ClipFailure)
    /// Input and output are one file, be it by two names.
    case sameFile(input: String, output: String)
}

extension FilteringError: CustomStringConvertible {
    /// The error as one sentence for a person.
    package var description: String {
        switch self {
        case .cancelled: "stopped before the file was complete; nothing was written"
        case .recording(let path, let failure): "\(path): \(failure.reason)"
        case .sameFile(let input, let output):
            input == output
                ? "\(input): input and output are the same file: give another name for the output"
                : "\(input) and \(output) are the same file: give another name for the output"
        }
    }
}

extension FilteringError: SystemFaultReporting {
    package var isSystemFault: Bool {
        guard case .recording(_, let failure) = self else { return false }
        return failure.isSystemFault
    }
}
