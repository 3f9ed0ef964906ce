import Checksums
import FeatureModel
import FeatureStorage
import Manifests
import Presentation

/// Why a manifest lacks some of a file's clips, or has them in another order, for the error of `--append`.
package struct MissingClips: Hashable, Sendable {
    /// Why a clip is missing.
    enum Cause: Hashable, Sendable {
        /// The manifest has its recording, and these times, under another id.
        case renamed(id: String)
        /// The manifest has its recording with other times, such as of this id.
        case changedSegment(id: String)
        /// The manifest has a recording of the same name at another path.
        case moved(path: String)
        /// No row names its recording.
        case removed
    }

    /// The number of the file's clips, and of those that the manifest does not have.
    let total: Int, count: Int
    /// The first of them.
    let examples: [Example]
    /// The first clip that the manifest does not have in the file's order.
    let firstOutOfOrder: StoredClip

    /// A clip that is missing.
    struct Example: Hashable, Sendable {
        let clip: StoredClip
        let cause: Cause
    }

    private static let (listed, blockSize) = (3, 1024)

    /// Reads the manifest twice, and the file's columns once. Memory: some 20 bytes a clip of the manifest.
    ///
    /// - Throws: `ManifestError`, `StorageError`.
    static func find(
        _ file: FeatureReader, _ source: any ClipSource, firstOutOfOrder: StoredClip
    ) throws -> MissingClips {
        var ids: Set<UInt64> = []
        let clips = try source.reader()
        while let clip = try clips.next() { ids.insert(hash(clip.id)) }
        var count = 0
        var missing: [StoredClip] = []
        for start in stride(from: 0, to: file.clipCount, by: blockSize) {
            let clips = try file.checkedClips(start..<min(start + blockSize, file.clipCount))
            let others = clips.filter { !ids.contains(hash($0.id)) }
            count += others.count
            missing += others.prefix(listed - missing.count)
        }
        let causes = try causes(of: missing, source)
        return MissingClips(
            total: file.clipCount, count: count, examples: zip(missing, causes).map(Example.init),
            firstOutOfOrder: firstOutOfOrder
        )
    }

    private static func causes(of missing: [StoredClip], _ source: any ClipSource) throws -> [Cause] {
        var causes = Array(repeating: Cause.removed, count: missing.count)
        guard !missing.isEmpty else { return [] }
        let clips = try source.reader()
        while let clip = try clips.next() {
            for (index, known) in missing.enumerated() {
                guard name(clip.path) == name(known.path) else { continue }
                let isSamePath = clip.path.utf8.elementsEqual(known.path.utf8)
                let isSameTime = known.isPart(clip.segment, overshoot: nil)
                switch (isSamePath, isSameTime, causes[index]) {
                case (true, true, _): causes[index] = .renamed(id: clip.id)
                case (_, _, .renamed): break
                case (true, false, .removed), (true, false, .moved): causes[index] = .changedSegment(id: clip.id)
                case (false, _, .removed): causes[index] = .moved(path: clip.path)
                default: break
                }
            }
        }
        return causes
    }

    private static func name(_ path: String) -> [UInt8] {
        Array((path.utf8.split(separator: UInt8(ascii: "/")).last ?? path.utf8[...]))
    }

    private static func hash(_ text: String) -> UInt64 {
        var text = text
        return text.withUTF8 { xxh3(UnsafeRawBufferPointer($0)) }
    }
}

extension MissingClips: CustomStringConvertible {
    /// The end of a sentence after "but": which clips, how many, why, and what to do.
    package var description: String {
        guard let first = examples.first else {
            return
                "its clip '\(firstOutOfOrder.id)' is not in the file's order: the manifest has all of its clips, in another"
                + " one. Restore the order of its rows, or give --sync instead of --append"
        }
        let others = examples.dropFirst().map { "'\($0.clip.id)' (\(words($0)))" }
        var text = "its clip '\(first.clip.id)' is not in the manifest (\(words(first)))"
        if count > 1 {
            text +=
                ", nor \(count == 2 ? "is" : "are") \(Wording.count(count - 1)) more of its \(Wording.count(total, "clip")): "
                + others.joined(separator: ", ") + (count > examples.count ? ", …" : "")
        }
        return text + ". Restore these rows, or give --sync instead of --append"
    }

    private func words(_ example: Example) -> String {
        switch example.cause {
        case .renamed(let id): "its recording is there as '\(id)'"
        case .changedSegment(let id): "its recording is there with other times, as '\(id)'"
        case .moved(let path): "its recording seems to have moved to '\(path)'"
        case .removed: "no row names its recording '\(example.clip.path)'"
        }
    }
}
