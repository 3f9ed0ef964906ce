import FeatureModel
import Foundation
import TestSupport

@testable import AudioDecoding

/// WAV files that tests write byte by byte.
enum WaveFile {
    /// How samples lie in the file.
    enum Coding {
        case pcm16([Int16])
        case pcm24([Int32])
        case float32([Float])

        var data: [UInt8] {
            switch self {
            case .pcm16(let samples): samples.flatMap { WaveFile.bytes($0) }
            case .pcm24(let samples): samples.flatMap { WaveFile.bytes($0).prefix(3) }
            case .float32(let samples): samples.flatMap { WaveFile.bytes($0.bitPattern) }
            }
        }

        var bytesPerSample: Int {
            switch self {
            case .pcm16: 2
            case .pcm24: 3
            case .float32: 4
            }
        }

        var format: UInt16 { if case .float32 = self { 3 } else { 1 } }
    }

    /// The file.
    static func data(_ coding: Coding, rate: Int, channels: Int = 1) -> Data {
        let data = coding.data
        let frame = coding.bytesPerSample * channels
        var file = Array("RIFF".utf8) + bytes(UInt32(36 + data.count)) + Array("WAVEfmt ".utf8) + bytes(UInt32(16))
        file += bytes(coding.format) + bytes(UInt16(channels)) + bytes(UInt32(rate)) + bytes(UInt32(rate * frame))
        file += bytes(UInt16(frame)) + bytes(UInt16(coding.bytesPerSample * 8)) + Array("data".utf8)
        return Data(file + bytes(UInt32(data.count)) + data)
    }

    fileprivate static func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }
}

extension TemporaryFolder {
    /// Writes a WAV file and returns its path.
    func wave(_ name: String, _ coding: WaveFile.Coding, rate: Int = 8000, channels: Int = 1) throws -> String {
        try WaveFile.data(coding, rate: rate, channels: channels).write(to: url.appending(path: name))
        return path(name)
    }
}

/// What reading a clip hands over.
struct Reading {
    var decoded: [Float] = []
    var signal: [Float] = []
    var found: ClipMeasurement?
}

extension ClipDecoder {
    /// Reads a clip as a whole; `rate` nil: that of the recording.
    func read(_ path: String, segment: Segment? = nil, channel: Int? = nil, rate: Int? = nil) throws(ClipFailure)
        -> Reading
    {
        let clip = Clip(index: 0, id: "clip", path: path, segment: segment, channel: channel)
        var reading = Reading()
        let signalRate = if let rate { rate } else { try signalRate(path: path) }
        reading.found = try read(
            clip, path: path, rate: signalRate, decoded: { reading.decoded += $0 },
            receive: { reading.signal += $1 })
        return reading
    }

    /// The failure that a clip is refused with; nil: it is read.
    func failure(_ path: String, segment: Segment? = nil, channel: Int? = nil, rate: Int? = nil) -> ClipFailure? {
        do throws(ClipFailure) {
            _ = try read(path, segment: segment, channel: channel, rate: rate)
            return nil
        } catch {
            return error
        }
    }
}

/// A decoder that keeps the files' own rate.
func decoder(_ channels: ChannelSelection = .mix, rate: Int? = nil) throws -> ClipDecoder {
    ClipDecoder(try AudioConfiguration(sampleRate: rate, channels: channels))
}
