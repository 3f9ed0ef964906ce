import Checksums
import FeatureModel
import FileIO

/// What `/clips/record_xxh3` holds: XXH3-128 of everything else that `/clips` knows of a clip.
///
/// The bytes, all little-endian: id, path, label, split; label_index, sample_rate, channels, frame_start, frame_count as
/// 64-bit integers, and where there are `/clips/channel`, `/clips/truncated`, `/clips/zeroed_samples`, the clip's; start, duration as float64; audio_xxh3, tensor_xxh3; where there are `/clips/statistics`, the clip's rows
/// of mean, std, min, max; then for each dataset of `/clips/extra`, by the bytes of its name, name and text. A text is its
/// number of bytes as a 32-bit integer, then its UTF-8.
struct RecordChecksum {
    /// Places of the other columns, in the order of their names, with these.
    private let extra: [(place: Int, name: String)]

    private let storesChannel: Bool
    private let storesTruncated: Bool
    private let storesZeroedSamples: Bool

    /// - Parameters:
    ///   - extraNames: Names of the datasets of `/clips/extra`, in the order of `StoredClip.extra`.
    ///   - storesChannel: Whether there is `/clips/channel`.
    ///   - storesTruncated: Whether there is `/clips/truncated`.
    ///   - storesZeroedSamples: Whether there is `/clips/zeroed_samples`.
    init(
        extraNames: [String], storesChannel: Bool, storesTruncated: Bool = false, storesZeroedSamples: Bool = false
    ) {
        self.storesChannel = storesChannel
        self.storesTruncated = storesTruncated
        self.storesZeroedSamples = storesZeroedSamples
        extra = extraNames.enumerated().map { (place: $0, name: $1) }
            .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// The checksum as 32 hexadecimal digits.
    func checksum(of clip: StoredClip, statistics: BinStatistics?) -> String {
        checksum(of: clip, figures: statistics.map { FeatureFormat.columns(of: [$0]).map { $0.values[...] } } ?? [])
    }

    /// The same with the clip's rows of mean, std, min and max as they are stored; empty: none are.
    func checksum(of clip: StoredClip, figures: [ArraySlice<Double>]) -> String {
        var bytes = ByteBuffer(capacity: 1024 + figures.reduce(0) { $0 + $1.count } * MemoryLayout<Double>.size)
        for text in [clip.id, clip.path, clip.label, clip.split] { bytes.append(stored: text) }
        for number in [clip.labelIndex, clip.sampleRate, clip.channels, clip.frameStart, clip.frameCount] {
            bytes.append(Int64(number))
        }
        if storesChannel { bytes.append(Int64(clip.channel ?? -1)) }
        if storesTruncated { bytes.append(Int64(clip.isTruncated ? 1 : 0)) }
        if storesZeroedSamples { bytes.append(Int64(clip.zeroedSamples)) }
        bytes.append(clip.start)
        bytes.append(clip.duration)
        bytes.append(stored: clip.audioChecksum)
        bytes.append(stored: clip.tensorChecksum)
        for numbers in figures { bytes.append(numbers) }
        for (place, name) in extra {
            bytes.append(stored: name)
            bytes.append(stored: clip.extra[place])
        }
        return XXH3Hash128.checksum(of: bytes.bytes).hex
    }
}

extension ByteBuffer {
    /// Appends a text as a column of fixed width gives it back: without zero bytes at its end.
    mutating func append(stored text: String) {
        guard text.utf8.last == 0 else { return append(text) }
        let bytes = Array(text.utf8)
        append(String(decoding: bytes[..<(bytes.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0)], as: UTF8.self))
    }
}
