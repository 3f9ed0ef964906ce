import Archives
import CSndfile
import FeatureModel
import FileIO
import Platform

/// Writes a recording, which takes its name when it is complete.
///
/// Until `finish` the file has a temporary name in the same folder; an unfinished file is removed.
package final class SoundFileWriter {
    package struct Settings {
        package let format: SoundFileFormat
        package let sampleRate: Int
        package let channels: Int
        /// The tags, as far as the container has them.
        package var tags: [SoundFileTag: String] = [:]
        /// The loudspeaker of each channel, by libsndfile's numbers.
        package var channelMap: [Int32]?

        package init(format: SoundFileFormat, sampleRate: Int, channels: Int) {
            self.format = format
            self.sampleRate = sampleRate
            self.channels = channels
        }
    }

    package let path: String
    package var format: SoundFileFormat { settings.format }
    package private(set) var frames = 0
    /// Samples that were clipped to full scale. Floating-point and compressed samples are never clipped.
    package private(set) var clippedSamples = 0

    private let settings: Settings
    private let container: SoundFileContainer
    private let target: AtomicFile
    /// What libsndfile writes to `target`.
    private let output: VirtualOutput
    private var file: OpaquePointer?
    private static let blockSamples = 16_384
    /// 32-bit integers on their way into the file.
    private let integers: UnsafeMutableBufferPointer<Int32>
    /// The checksum of the samples as the file holds them, where the encoding keeps them.
    private var digest = CRC32()

    /// Starts a file under a temporary name.
    ///
    /// - Parameters:
    ///   - path: The final name; its extension has to be that of the format's container.
    ///   - overwriting: Whether a regular file of that name is replaced at the end.
    package init(path: String, settings: Settings, overwriting: Bool) throws(SoundFileError) {
        guard let container = SoundFileContainer(path: path) else {
            throw .unknownExtension(path: path, writable: SoundFileContainer.writableExtensions)
        }
        let target: AtomicFile
        do throws(AtomicFileError) {
            target = try AtomicFile(path: path, replacing: overwriting ? .regularFile : .nothing)
        } catch {
            throw SoundFileError(error, path: path)
        }
        var info = SF_INFO()
        info.format = settings.format.code
        info.samplerate = Int32(clamping: settings.sampleRate)
        info.channels = Int32(clamping: settings.channels)
        let output = VirtualOutput(descriptor: target.descriptor)
        guard let file = output.handle(SFM_WRITE, &info) else {
            // libsndfile writes the header at once.
            if let error = output.error { throw .failed(path: path, operation: "write it", error) }
            throw .unsupported(path: path, container, sampleRate: settings.sampleRate, channels: settings.channels)
        }
        self.path = path
        self.settings = settings
        self.container = container
        self.target = target
        self.output = output
        self.file = file
        // libsndfile takes whole frames only.
        let capacity = max(1, Self.blockSamples / settings.channels) * settings.channels
        integers = .allocate(capacity: settings.format.encoding?.integerBits == nil ? 0 : capacity)
        // The chunk of peak values holds the time of writing: equal samples would not give equal bytes. RF64 gets it all the same.
        sf_command(file, Int32(SFC_SET_ADD_PEAK_CHUNK), nil, Int32(SF_FALSE))
        // `finish` reports the tags that the container has no room for.
        for tag in SoundFileTag.allCases {
            if let text = settings.tags[tag] { sf_set_string(file, tag.code, text) }
        }
        if var map = settings.channelMap, map.count == settings.channels {
            let size = Int32(map.count * MemoryLayout<Int32>.size)
            sf_command(file, Int32(SFC_SET_CHANNEL_MAP_INFO), &map, size)
        }
    }

    deinit {
        if let file { sf_close(file) }
        integers.deallocate()
    }

    /// Appends frames.
    ///
    /// Integers are made here, since libsndfile divides by 32768 when it reads 16 bits and multiplies by 32767 when it writes
    /// them. With one factor both ways, unchanged samples stay equal.
    ///
    /// - Parameters:
    ///   - samples: Interleaved, on the unit scale.
    ///   - frames: Samples of each channel.
    package func write(_ samples: UnsafePointer<Float>, frames: Int) throws(SoundFileError) {
        self.frames += frames
        try checkSize(frames: self.frames)
        let count = frames * settings.channels
        guard let file, let integers = integers.baseAddress, let bits = settings.format.encoding?.integerBits else {
            guard let file, Int(sf_write_float(file, samples, sf_count_t(count))) == count else { throw writing }
            if settings.format.keepsSamples { digest.update(UnsafeRawBufferPointer(start: samples, count: 4 * count)) }
            return
        }
        var done = 0
        while done < count {
            let piece = min(count - done, self.integers.count)
            clippedSamples += quantize(samples + done, count: piece, bits: bits, into: integers)
            guard Int(sf_write_int(file, integers, sf_count_t(piece))) == piece else { throw writing }
            if settings.format.keepsSamples { digest.update(UnsafeRawBufferPointer(start: integers, count: 4 * piece)) }
            done += piece
        }
    }

    /// Whether the container can hold this many frames.
    ///
    /// - Throws: `SoundFileError.tooLong`.
    package func checkSize(frames: Int) throws(SoundFileError) {
        guard let maximum = container.properties.maximumBytes, settings.format.container != Int32(SF_FORMAT_RF64)
        else { return }
        let bytes = frames * settings.channels * (settings.format.encoding?.bytes ?? 1)
        if bytes > maximum { throw .tooLong(path: path, bytes: bytes, maximum: maximum) }
    }

    /// Completes the file, reads it back, and gives it its name.
    ///
    /// - Returns: The tags that the container did not store.
    /// - Throws: `SoundFileError`; then the file is removed.
    /// - Complexity: Decodes the file.
    package func finish() throws(SoundFileError) -> [SoundFileTag] {
        let status = file.map { sf_close($0) } ?? 0
        file = nil
        if settings.format.container == Int32(SF_FORMAT_RF64) { output.eraseTimeOfPeaks() }
        do throws(SystemError) { try output.finish() } catch {
            throw .failed(path: path, operation: "write it", error)
        }
        guard status == 0 else { throw .refused(path: path, words: String(cString: sf_error_number(status))) }
        do throws(AtomicFileError) { try target.synchronize() } catch { throw SoundFileError(error, path: path) }
        let check = WrittenSound(
            path: target.temporaryPath, format: settings.format, sampleRate: settings.sampleRate,
            channels: settings.channels, frames: frames, digest: settings.format.keepsSamples ? digest : nil)
        let tags: [SoundFileTag: String]
        do throws(WrittenSound.Difference) { tags = try check.run() } catch {
            throw .damaged(path: path, reason: error.reason, isSystemFault: error.isSystemFault)
        }
        do throws(AtomicFileError) { try target.commit() } catch { throw SoundFileError(error, path: path) }
        return SoundFileTag.allCases.filter { settings.tags[$0] != nil && tags[$0] != settings.tags[$0] }
    }

    private var writing: SoundFileError {
        if let error = output.error { return .failed(path: path, operation: "write it", error) }
        return .refused(path: path, words: file.map { String(cString: sf_strerror($0)) } ?? "the file is closed")
    }
}

/// Rounds samples on the unit scale to integers of `bits` bits, in the upper bits of 32, as libsndfile expects them.
///
/// Ties round to even. Samples beyond the range are clipped to −2^(bits−1) and 2^(bits−1) − 1.
///
/// - Parameters:
///   - samples: Finite numbers.
///   - numbers: Space for `count` integers.
/// - Returns: The number of clipped samples.
package func quantize(
    _ samples: UnsafePointer<Float>, count: Int, bits: Int, into numbers: UnsafeMutablePointer<Int32>
) -> Int {
    let scale = Double(1 << (bits - 1))
    let shift = Int32(32 - bits)
    // Above 1.5 · 2⁵² the neighbours of a number in double precision are integers: the sum is rounded to one. That
    // saves a call of `rint` for every sample, which took a quarter of the time that filtering a file takes.
    let (large, maximum) = (0x1.8p52, 0x1p40)
    var clipped = 0
    for index in 0..<count {
        let scaled = max(-maximum, min(maximum, Double(samples[index]) * scale))
        let rounded = (scaled + large) - large
        let number = max(-scale, min(scale - 1, rounded))
        clipped += number == rounded ? 0 : 1
        numbers[index] = Int32(number) << shift
    }
    return clipped
}
