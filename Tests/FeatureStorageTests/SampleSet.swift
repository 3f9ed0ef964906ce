import FeatureModel
import FileIO
import Foundation
import TestSupport

@testable import FeatureStorage

/// The clips of a sample file in several files, and the index of these.
struct SampleSet {
    let folder: TemporaryFolder
    /// The file with all clips.
    let whole: String
    let index: String
    let members: [String]

    /// Writes one file, and files of so many clips and failures each.
    init(_ sample: SampleFile, clips: [Int], failures: [Int] = []) throws {
        folder = try TemporaryFolder()
        whole = folder.path("whole.h5")
        try sample.write(to: whole)
        let paths = FeatureSetPaths(output: folder.path("set.h5"))
        index = paths.index
        members = clips.indices.map { paths.file($0 + 1, of: clips.count) }
        var (clip, failure) = (0, 0)
        for (number, count) in clips.enumerated() {
            let failed = failures.isEmpty ? (number == 0 ? sample.failures.count : 0) : failures[number]
            try sample.part(clip..<clip + count, failures: failure..<failure + failed).write(to: members[number])
            (clip, failure) = (clip + count, failure + failed)
        }
        try FeatureSetIndex(files: clips.count, paths).write(to: index, temporary: index + ".tmp")
    }

    func reader() throws -> FeatureReader { try FeatureReader(path: index) }

    /// Changes the index as JSON.
    func changeIndex(_ change: (inout [String: Any]) throws -> Void) throws {
        let url = URL(filePath: index)
        var object = try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any] ?? [:]
        try change(&object)
        try JSONSerialization.data(withJSONObject: object).write(to: url)
    }

    /// Changes what the index says of a file.
    func changeIndex(ofFile number: Int, _ key: String, _ value: Any) throws {
        try changeIndex { object in
            guard var files = object["files"] as? [[String: Any]] else { return }
            files[number][key] = value
            object["files"] = files
        }
    }

    /// Flips a bit of a file.
    func flip(_ path: String, byte: Int, bit: Int = 0) throws {
        let file = try FileHandle(forUpdating: URL(filePath: path))
        try file.seek(toOffset: UInt64(byte))
        let value = try file.read(upToCount: 1)?.first ?? 0
        try file.seek(toOffset: UInt64(byte))
        try file.write(contentsOf: Data([value ^ UInt8(1 << bit)]))
        try file.close()
    }
}

extension SampleFile {
    /// A file of clips that follow one another, with the labels and statistics of all.
    func part(_ own: Range<Int>, failures failed: Range<Int>) -> SampleFile {
        var part = self
        part.blockFrames = store.layout == .fixed ? shape.frames : nil
        let values = clips[..<own.lowerBound].reduce(0) { $0 + $1.frameCount } * bins
        let end = values + clips[own].reduce(0) { $0 + $1.frameCount } * bins
        part.values = Array(self.values[values..<end])
        let first = own.lowerBound < clips.count ? clips[own.lowerBound].frameStart : shape.rows
        let last = own.upperBound < clips.count ? clips[own.upperBound].frameStart : shape.rows
        part.clips = Array(clips[own])
        for index in part.clips.indices { part.clips[index].frameStart -= first }
        part.failures = Array(failures[failed])
        if !clipStatistics.isEmpty { part.clipStatistics = Array(clipStatistics[own]) }
        if !frameLabels.isEmpty { part.frameLabels = Array(frameLabels[first..<last]) }
        return part
    }

    /// A file of many clips, with all that a clip may have.
    static func full(_ store: StoreConfiguration, channels: Int? = nil, patch: PatchShape? = nil) -> SampleFile {
        let unit = patch?.length ?? 1
        var file = SampleFile(rowCounts: (0..<60).map { $0 * 7 % 23 * unit }, bins: 6)
        file.channels = channels
        file.patch = patch
        file.extraColumns = ["note", "a"]
        file.storesDefects = true
        file.hasLabelMatrix = true
        file.normalize = NormalizeConfiguration(scope: .clip)
        for clip in file.clips.indices {
            file.change(clip, extra: ["n\(clip) – ö", clip % 3 == 0 ? "" : "x"], labelIndices: [clip % 2])
        }
        file.clipStatistics = file.clips.map { clip in
            let means = (0..<6).map { Double($0) + Double(clip.frameCount) / 8 }
            return BinStatistics(
                count: clip.frameCount, mean: means, standardDeviation: means, minimum: means.map { Float($0) },
                maximum: means.map { Float($0) })
        }
        file = file.stored(store)
        file.frameLabelNames = ["a", "b"]
        file.frameLabels = Array(repeating: -1, count: file.shape.rows)
        for (index, clip) in file.clips.enumerated() {
            let own = (0..<clip.frameCount).map { Int32(($0 + index) % 3) - 1 }
            file.frameLabels.replaceSubrange(clip.frameStart..<clip.frameStart + clip.frameCount, with: own)
            file.clips[index].frameLabelChecksum = own.withUnsafeBytes { XXH3Hash128.checksum(of: $0).hex }
        }
        return file
    }
}
