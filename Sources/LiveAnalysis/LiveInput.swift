import AudioDecoding
import Concurrency
import FeatureModel

/// An input that is open, and of which is known what its samples are like.
package struct LiveInput: Sendable {
    /// What it is called.
    package let name: String
    /// What its samples are like. Those of a recording are 16-bit numbers as far as they are written again.
    package let format: LiveFormat

    /// What becomes of a recording that is cut off, and of samples that are not finite.
    var policy = RecordingPolicy()

    let source: Source

    /// Whether it is a recording in a file, which an extraction would read, too.
    var isRecording: Bool {
        if case .recording = source { true } else { false }
    }

    /// Where its samples come from.
    enum Source: Sendable {
        /// Bytes that were read already, and the rest; `count` bytes altogether, nil: until the end.
        case bytes(LiveDescriptor, pending: [UInt8], count: Int?, header: [UInt8])
        /// A recording.
        case recording(path: String, speed: Double)
    }
}

extension LiveInput {
    /// Opens an input, and waits for its header.
    ///
    /// - Parameters:
    ///   - request: What was asked for.
    ///   - cancellation: Ends the waiting.
    /// - Throws: `LiveError`.
    package init(_ request: LiveRequest, cancellation: Cancellation) throws(LiveError) {
        let name = request.name
        switch request.origin {
        case .standardInput: try self.init(LiveDescriptor(number: 0), name: name, request.given, cancellation)
        case .bytes(let path):
            let descriptor = try LiveDescriptor(reading: path)
            try self.init(descriptor, name: name, request.given, cancellation)
        case .recording(let path):
            let file = try Self.open(path)
            if let cut = file.cutOff, request.policy.truncated == .fail {
                throw .input(name: path, failure: .cutOff(cut))
            }
            self.init(
                name: name,
                format: LiveFormat(encoding: .s16le, sampleRate: file.sampleRate, channels: file.channels),
                source: .recording(path: path, speed: request.speed))
        }
        policy = request.policy
    }

    static func open(_ path: String) throws(LiveError) -> SoundFile {
        do throws(ClipFailure) { return try SoundFile(path: path) } catch {
            throw .input(name: path, failure: error)
        }
    }

    /// Reads until the format of the samples is known.
    init(
        _ descriptor: LiveDescriptor, name: String, _ given: LiveRequest.Given, _ cancellation: Cancellation
    ) throws(LiveError) {
        guard !descriptor.isFolder else { throw .header(name: name, reason: "expected samples, found a folder") }
        self.name = name
        let fileBytes = descriptor.bytesLeft
        var bytes: [UInt8] = []
        var isEnd = false
        /// Reads the available bytes, once.
        func more() throws(LiveError) {
            var piece = [UInt8](repeating: 0, count: 4096)
            let count = try piece.withUnsafeMutableBufferPointer { buffer throws(LiveError) in
                try descriptor.receive(into: UnsafeMutableRawBufferPointer(buffer), name: name, cancellation)
            }
            if cancellation.isCancelled { throw .cancelled }
            bytes += piece[..<count]
            isEnd = count == 0
        }
        while bytes.count < WaveStreamHeader.signatureBytes, !isEnd { try more() }
        guard !bytes.isEmpty else { throw .empty(name: name) }
        guard WaveStreamHeader.isWave(bytes) else {
            if let kind = RecordingStart.kind(of: bytes, mayBeSamples: given.format != nil) {
                throw .recording(name: name, kind: kind)
            }
            guard let format = given.format else { throw .unknownFormat(name: name, found: Self.words(bytes)) }
            self.format = format
            source = .bytes(descriptor, pending: bytes, count: nil, header: [])
            return
        }
        while true {
            let header: WaveStreamHeader?
            do throws(WaveStreamProblem) {
                header = try WaveStreamHeader.read(bytes, fileBytes: fileBytes)
            } catch {
                throw .header(name: name, reason: error.reason)
            }
            if let header {
                try Self.compare(header.format, given, name: name)
                format = header.format
                source = .bytes(
                    descriptor, pending: Array(bytes[header.byteCount...]), count: header.dataBytes,
                    header: Array(bytes[..<header.byteCount]))
                return
            }
            guard !isEnd else {
                throw .header(name: name, reason: "the input ends within its WAV header, after \(bytes.count) bytes")
            }
            try more()
        }
    }

    /// What was given of a WAV file has to be what its header says.
    private static func compare(_ found: LiveFormat, _ given: LiveRequest.Given, name: String) throws(LiveError) {
        let pairs: [(LiveSetting, String?, String)] = [
            (.sampleRate, given.sampleRate.map { "\($0)" }, "\(found.sampleRate)"),
            (.encoding, given.encoding?.rawValue, found.encoding.rawValue),
            (.channels, given.channels.map { "\($0)" }, "\(found.channels)"),
        ]
        for (setting, given, found) in pairs {
            guard let given, given != found else { continue }
            throw .otherFormat(name: name, setting, given: given, found: found)
        }
    }

    /// What a stream that is not a WAV file starts with, in words.
    private static func words(_ bytes: [UInt8]) -> String {
        let digits = bytes.prefix(8).map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }
        return "the bytes \(digits.joined(separator: " "))"
    }
}

/// What a stream of samples is like.
package struct LiveFormat: Hashable, Sendable {
    /// How a sample lies in it.
    package let encoding: LiveSampleEncoding
    /// In Hz.
    package let sampleRate: Int
    /// Interleaved channels.
    package let channels: Int

    /// Keeps the values.
    ///
    /// - Precondition: rate and channels are positive.
    package init(encoding: LiveSampleEncoding, sampleRate: Int, channels: Int) {
        precondition(sampleRate > 0 && channels > 0, "a format of something")
        self.encoding = encoding
        self.sampleRate = sampleRate
        self.channels = channels
    }

    /// Bytes of a sample of every channel.
    package var frameBytes: Int { encoding.bytes * channels }
}

/// An input as it was asked for.
package struct LiveRequest: Hashable, Sendable {
    /// Where samples come from.
    package enum Origin: Hashable, Sendable {
        /// Bytes on standard input.
        case standardInput
        /// Bytes of a file or a named pipe.
        case bytes(path: String)
        /// A recording, played.
        case recording(path: String)
    }

    /// What was said of raw samples; nil: nothing.
    package struct Given: Hashable, Sendable {
        /// `--rate`, in Hz.
        package var sampleRate: Int?
        /// `--format`.
        package var encoding: LiveSampleEncoding?
        /// `--channels`.
        package var channels: Int?

        /// Keeps the values.
        package init(sampleRate: Int? = nil, encoding: LiveSampleEncoding? = nil, channels: Int? = nil) {
            self.sampleRate = sampleRate
            self.encoding = encoding
            self.channels = channels
        }

        /// What raw samples are like; nil: not given.
        var format: LiveFormat? {
            sampleRate.map { LiveFormat(encoding: encoding ?? .s16le, sampleRate: $0, channels: channels ?? 1) }
        }
    }

    /// Where samples come from.
    package let origin: Origin
    /// What was said of raw samples.
    package let given: Given
    /// How much faster than it lasts a recording is played; 0: as fast as it can be read.
    package let speed: Double
    /// What becomes of a recording that is cut off, and of samples that are not finite.
    package let policy: RecordingPolicy

    /// Keeps the values.
    package init(
        _ origin: Origin, given: Given = Given(), speed: Double = 1, policy: RecordingPolicy = RecordingPolicy()
    ) {
        self.origin = origin
        self.given = given
        self.speed = speed
        self.policy = policy
    }

    /// What the input is called, in words and in a feature file.
    package var name: String {
        switch origin {
        case .standardInput: "stdin"
        case .bytes(let path), .recording(let path): path
        }
    }
}
