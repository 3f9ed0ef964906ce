import AudioDecoding

/// How a sample lies in a stream of bytes; little-endian.
package enum LiveSampleEncoding: String, CaseIterable, Sendable {
    /// 8 bits; 128 is 0.
    case u8
    /// 16-bit integers.
    case s16le
    /// 24-bit integers, of three bytes.
    case s24le
    /// 32-bit integers.
    case s32le
    /// 32 bits, IEEE.
    case f32le
    /// 64 bits, IEEE.
    case f64le

    /// Bytes of a sample.
    package var bytes: Int {
        switch self {
        case .u8: 1
        case .s16le: 2
        case .s24le: 3
        case .s32le, .f32le: 4
        case .f64le: 8
        }
    }

    /// Whether samples are numbers by the way they are stored.
    var isAlwaysFinite: Bool { self != .f32le && self != .f64le }

    /// The encoding that a WAV header names by format tag and bits a sample; nil: none of these.
    init?(waveFormat tag: Int, bits: Int) {
        switch (tag, bits) {
        case (1, 8): self = .u8
        case (1, 16): self = .s16le
        case (1, 24): self = .s24le
        case (1, 32): self = .s32le
        case (3, 32): self = .f32le
        case (3, 64): self = .f64le
        default: return nil
        }
    }

    /// Turns samples into numbers on the unit scale, the very numbers that a decoder of files gives.
    ///
    /// - Parameters:
    ///   - source: `count` samples.
    ///   - target: Space for as many numbers.
    func decode(_ source: UnsafeRawPointer, count: Int, into target: UnsafeMutablePointer<Float>) {
        func fill<Number: FixedWidthInteger>(_ number: Number.Type, _ value: (Number) -> Float) {
            for index in 0..<count {
                let stored = source.loadUnaligned(fromByteOffset: index * MemoryLayout<Number>.size, as: Number.self)
                target[index] = value(Number(littleEndian: stored))
            }
        }
        switch self {
        case .u8: fill(UInt8.self) { Float(Int($0) - 128) * 0x1p-7 }
        case .s16le: fill(Int16.self) { Float($0) * 0x1p-15 }
        case .s24le:
            for index in 0..<count {
                let low = UInt32(source.load(fromByteOffset: 3 * index, as: UInt8.self))
                let middle = UInt32(source.load(fromByteOffset: 3 * index + 1, as: UInt8.self))
                let high = UInt32(source.load(fromByteOffset: 3 * index + 2, as: UInt8.self))
                target[index] = Float(Int32(bitPattern: high << 24 | middle << 16 | low << 8)) * 0x1p-31
            }
        case .s32le: fill(Int32.self) { Float($0) * 0x1p-31 }
        case .f32le: fill(UInt32.self) { Float(bitPattern: $0) }
        case .f64le: fill(UInt64.self) { Float(Double(bitPattern: $0)) }
        }
    }

    /// Appends numbers on the unit scale as samples, rounded and clipped as the writer of files does.
    ///
    /// - Parameters:
    ///   - samples: Finite numbers.
    ///   - scratch: Space for as many integers of 32 bits.
    ///   - bytes: What the samples are appended to.
    /// - Returns: How many had to be cut.
    func encode(
        _ samples: UnsafeBufferPointer<Float>, scratch: UnsafeMutablePointer<Int32>, into bytes: inout [UInt8]
    ) -> Int {
        guard let source = samples.baseAddress else { return 0 }
        var clipped = 0
        func quantized(_ bits: Int) -> UnsafeBufferPointer<Int32> {
            clipped = quantize(source, count: samples.count, bits: bits, into: scratch)
            return UnsafeBufferPointer(start: scratch, count: samples.count)
        }
        func append(_ number: Int32, bytes count: Int) {
            // The upper bytes of 32 bits, the lowest of them first.
            for byte in (4 - count)..<4 { bytes.append(UInt8(truncatingIfNeeded: number >> Int32(8 * byte))) }
        }
        switch self {
        case .u8: for number in quantized(8) { bytes.append(UInt8(truncatingIfNeeded: (number >> 24) + 128)) }
        case .s16le: for number in quantized(16) { append(number, bytes: 2) }
        case .s24le: for number in quantized(24) { append(number, bytes: 3) }
        case .s32le: for number in quantized(32) { append(number, bytes: 4) }
        case .f32le:
            for sample in samples {
                withUnsafeBytes(of: sample.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
            }
        case .f64le:
            for sample in samples {
                withUnsafeBytes(of: Double(sample).bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
            }
        }
        return clipped
    }
}
