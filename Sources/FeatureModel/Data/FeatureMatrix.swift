/// Features of one clip: a row for each frame, a column for each bin.
public struct FeatureMatrix: Hashable, Sendable {
    /// Number of frames.
    public let rows: Int
    /// Values in a frame.
    public let bins: Int
    /// The values, `rows` × `bins`, row after row.
    public private(set) var values: [Float]

    /// Takes `values` as rows of `bins` values each.
    ///
    /// - Precondition: `bins` is positive and divides the number of values.
    public init(bins: Int, values: [Float] = []) {
        precondition(bins > 0 && values.count % bins == 0, "a matrix needs whole rows")
        self.bins = bins
        self.rows = values.count / bins
        self.values = values
    }

    /// The value of a bin in a row.
    ///
    /// - Precondition: both indices lie within the matrix.
    public subscript(row: Int, bin: Int) -> Float {
        get {
            precondition((0..<bins).contains(bin), "bin out of range")
            return values[row * bins + bin]
        }
        set {
            precondition((0..<bins).contains(bin), "bin out of range")
            values[row * bins + bin] = newValue
        }
    }

    /// The columns of one of the channels whose values are side by side in each row.
    ///
    /// - Precondition: The number of channels divides that of the columns, and there is such a channel.
    public func channel(_ index: Int, of channels: Int) -> FeatureMatrix {
        guard channels > 1 else { return self }
        let width = bins / channels
        precondition((0..<channels).contains(index) && width * channels == bins, "a channel of the matrix")
        var own: [Float] = []
        own.reserveCapacity(rows * width)
        for row in 0..<rows {
            let start = row * bins + index * width
            own += values[start..<start + width]
        }
        return FeatureMatrix(bins: width, values: own)
    }

    /// The mean of the channels whose values are side by side in each row.
    ///
    /// - Precondition: The number of channels divides that of the columns.
    public func mean(ofChannels channels: Int) -> FeatureMatrix {
        guard channels > 1 else { return self }
        let width = bins / channels
        precondition(width * channels == bins, "whole channels")
        var mean = [Float](repeating: 0, count: rows * width)
        for row in 0..<rows {
            for bin in 0..<width {
                var sum = 0.0
                for channel in 0..<channels { sum += Double(values[row * bins + channel * width + bin]) }
                mean[row * width + bin] = Float(sum / Double(channels))
            }
        }
        return FeatureMatrix(bins: width, values: mean)
    }

    /// The values of a row.
    public subscript(row row: Int) -> ArraySlice<Float> { values[row * bins..<(row + 1) * bins] }
}

/// The meaning of a feature matrix's columns.
public enum FeatureAxis: Hashable, Sendable {
    /// The frequency of each column's centre in Hz. Where columns come in several parts (real and imaginary, deltas), the
    /// frequencies are repeated for each part.
    case frequency([Float])
    /// The order of each column's cepstral coefficient, once for each part; of raw frames, the index of the sample.
    case coefficient([Float])

    /// The values, one for each column.
    public var values: [Float] {
        switch self {
        case .frequency(let values), .coefficient(let values): values
        }
    }
}

extension FeatureAxis {
    /// Whether the frequencies fall from column to column, as with `transform.order: descending`. Pictures show such columns in
    /// reverse, so that the frequency rises.
    package var isFalling: Bool {
        guard case .frequency(let values) = self, values.count > 1 else { return false }
        return zip(values, values.dropFirst()).allSatisfy(>)
    }

    /// The axis in reverse if its frequencies fall, otherwise as it is.
    package var rising: FeatureAxis {
        guard isFalling, case .frequency(let values) = self else { return self }
        return .frequency(values.reversed())
    }
}

extension FeatureMatrix {
    /// The columns in reverse if the frequencies of `axis` fall, otherwise as they are. With several channels, the columns of
    /// each are reversed among themselves, and the order of channels is unchanged.
    package func rising(by axis: FeatureAxis) -> FeatureMatrix {
        guard axis.isFalling, bins % axis.values.count == 0 else { return self }
        return FeatureMatrix(bins: bins, values: Self.reversed(values, bins: axis.values.count))
    }

    /// Rows of `bins` values, each in reverse.
    package static func reversed(_ values: [Float], bins: Int) -> [Float] {
        stride(from: 0, to: values.count, by: bins).flatMap { values[$0..<$0 + bins].reversed() }
    }
}

/// The index of the first infinity or NaN; nil where all numbers are finite.
package func firstNonFinite(_ samples: UnsafeBufferPointer<Float>) -> Int? {
    // Zero times a finite number is zero: one pass of multiplications shows whether to search.
    var sum = SIMD8<Float>.zero
    let whole = samples.count / 8 * 8
    if let start = samples.baseAddress {
        for index in stride(from: 0, to: whole, by: 8) {
            sum += UnsafeRawPointer(start + index).loadUnaligned(as: SIMD8<Float>.self) * 0
        }
    }
    if sum == .zero, samples[whole...].allSatisfy(\.isFinite) { return nil }
    return samples.firstIndex { !$0.isFinite }
}
