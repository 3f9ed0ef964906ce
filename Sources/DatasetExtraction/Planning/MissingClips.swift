import FeatureModel
import FeatureStorage
import FileIO
import Manifests

extension MissingClips {
    private static let (exampleLimit, blockSize) = (3, 1024)

    /// The clips of the file that the manifest lacks, with the likely cause for the first ones.
    ///
    /// Reads the manifest twice, and the file's columns once; takes about 20 bytes of memory for each clip of the manifest.
    ///
    /// - Throws: `ManifestError`, `StorageError`.
    static func find(
        _ file: FeatureReader, _ source: any ClipSource, firstOutOfOrder: StoredClip
    ) throws -> MissingClips {
        var ids: Set<UInt64> = []
        let clips = try source.reader()
        while let clip = try clips.next() { ids.insert(xxh3(clip.id)) }
        var count = 0
        var missing: [StoredClip] = []
        for range in (0..<file.clipCount).blocks(of: blockSize) {
            let clips = try file.checkedClips(range)
            let absent = clips.filter { !ids.contains(xxh3($0.id)) }
            count += absent.count
            missing += absent.prefix(exampleLimit - missing.count)
        }
        let causes = try causes(of: missing, source)
        return MissingClips(
            total: file.clipCount, count: count, examples: zip(missing, causes).map(Example.init),
            firstOutOfOrder: firstOutOfOrder)
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
}
