import AudioDecoding
import ClipFeatures
import Concurrency
import FeatureModel
import FeatureStorage
import Synchronization

/// Searches for clips whose recordings are clipped, which features do not show.
package struct ClippingSearch: Sendable {
    package struct Finding: Hashable, Sendable {
        /// The index of the clip in the file.
        package let clipIndex: Int
        /// Samples at full scale in runs of three or more, in all channels.
        package let clipped: Int
        package let samples: Int

        /// Whether this clip is listed before the other: by the greater share, then by its index.
        func precedes(_ other: Finding) -> Bool {
            // The products of two long recordings' counts do not fit 64 bits.
            let own = clipped.multipliedFullWidth(by: other.samples)
            let others = other.clipped.multipliedFullWidth(by: samples)
            return own == others ? clipIndex < other.clipIndex : (own.high, own.low) > (others.high, others.low)
        }
    }

    /// Clips with clipped samples, those with the greatest share first.
    package private(set) var findings: [Finding] = []
    package private(set) var read = 0
    /// Clips whose recordings are missing or cannot be read.
    package private(set) var missing = 0
    package private(set) var chosen = 0

    /// Maximum number of clips that are decoded.
    package static let maximumClips = 5000
    /// Maximum number of seconds that are decoded, unless the first clip alone is longer.
    package static let maximumSeconds = 36_000.0

    /// Maximum number of channels of a recording: libsndfile opens none with more.
    static let maximumChannels = 1024

    /// Decodes the recordings of clips on several threads; of too many clips, some chosen by the seed.
    ///
    /// - Parameters:
    ///   - root: Folder that relative paths start from.
    ///   - jobs: Number of threads; the result does not depend on it.
    /// - Throws: `StorageError`; `InputFault` if the system fails.
    package static func run(
        _ reader: FeatureReader, _ census: ClipCensus, root: String, seed: UInt64, jobs: Int
    ) throws -> ClippingSearch {
        var clipIndices: [Int] = []
        var seconds = 0.0
        for clipIndex in SeededOrder(seed: seed).first(maximumClips, of: Array(census.durations.indices)) {
            seconds += census.durations[clipIndex]
            guard clipIndices.isEmpty || seconds <= maximumSeconds else { break }
            clipIndices.append(clipIndex)
        }
        // In the file's order, so that the clips of one recording are read in a row.
        clipIndices.sort()
        let (chosen, stored) = (clipIndices, try reader.recordings(ofClips: clipIndices))
        let policy = reader.policy
        let result = Mutex(ClippingSearch())
        _ = try WorkerPool.map((stored.count + 15) / 16, jobs: jobs) {
            (decoder: ClipDecoder(try AudioConfiguration(sampleRate: nil), policy: policy), search: ClippingSearch())
        } finish: { worker in
            result.withLock { $0.merge(worker.search) }
        } _: { worker, block in
            for index in 16 * block..<min(16 * block + 16, stored.count) {
                try worker.search.add(stored[index], chosen[index], root: root, worker.decoder)
            }
        }
        return result.withLock { search in
            search.chosen = stored.count
            search.findings.sort { $0.precedes($1) }
            return search
        }
    }

    private mutating func add(
        _ stored: FeatureReader.Recording, _ clipIndex: Int, root: String, _ decoder: ClipDecoder
    ) throws(InputFault) {
        let measurement = stored.measurement
        // A damaged file may state 50 million channels, for each of which memory would be allocated.
        guard (1...Self.maximumChannels).contains(measurement.channels) else {
            missing += 1
            return
        }
        let clip = Clip(
            index: 0, id: "", path: stored.path,
            segment: Segment(start: measurement.start, end: measurement.start + measurement.duration),
            channel: stored.channel)
        var counter = FullScaleCounter(channels: measurement.channels)
        let path = Clip.location(of: stored.path, root: root)
        do throws(ClipFailure) {
            _ = try decoder.read(
                clip, path: path, rate: measurement.sampleRate, decoded: { counter.add($0) },
                receive: { _, _ in })
            read += 1
        } catch {
            guard !error.isSystemFault else { throw InputFault(path: stored.path, reason: error.reason) }
            missing += 1
            return
        }
        if counter.clipped > 0 {
            findings.append(Finding(clipIndex: clipIndex, clipped: counter.clipped, samples: counter.samples))
        }
    }

    private mutating func merge(_ other: ClippingSearch) {
        findings += other.findings
        read += other.read
        missing += other.missing
    }
}

/// Counts samples at full scale in runs of three or more of one sign, as in clipped recordings.
package struct FullScaleCounter {
    /// From this magnitude on a sample is at full scale: the greatest of 16 bits.
    static let fullScale: Float = 32_767 / 32_768
    static let minimumRun = 3

    /// Samples at full scale that are part of a run, in all channels.
    package private(set) var clipped = 0
    package private(set) var samples = 0
    /// The length of each channel's current run, negative for negative samples.
    private var runs: [Int]

    package init(channels: Int) { runs = Array(repeating: 0, count: max(channels, 1)) }

    /// Adds interleaved samples; runs may extend over several calls.
    package mutating func add(_ piece: UnsafeBufferPointer<Float>) {
        samples += piece.count
        var channel = 0
        for range in (0..<piece.count).blocks(of: Self.blockSize) {
            let block = UnsafeBufferPointer(rebasing: piece[range])
            if block.count >= runs.count, Self.isBelow(block) {
                for index in runs.indices { runs[index] = 0 }
                channel = (channel + block.count) % runs.count
            } else {
                addEach(block, &channel)
            }
        }
    }

    /// Samples that are looked at in one go; few blocks have one at full scale.
    private static let blockSize = 256

    private static func isBelow(_ block: UnsafeBufferPointer<Float>) -> Bool {
        // Magnitudes compare as integers do; the sign of a difference says whether one is too great.
        let greatest = fullScale.bitPattern - 1
        var signs: UInt32 = 0
        for sample in block { signs |= greatest &- sample.magnitude.bitPattern }
        return signs < 0x8000_0000
    }

    private mutating func addEach(_ block: UnsafeBufferPointer<Float>, _ channel: inout Int) {
        for sample in block {
            if sample.magnitude >= Self.fullScale {
                let run = runs[channel]
                runs[channel] = sample > 0 ? max(run, 0) + 1 : min(run, 0) - 1
                let length = Int(runs[channel].magnitude)
                if length >= Self.minimumRun { clipped += length == Self.minimumRun ? Self.minimumRun : 1 }
            } else {
                runs[channel] = 0
            }
            channel += 1
            if channel == runs.count { channel = 0 }
        }
    }
}
