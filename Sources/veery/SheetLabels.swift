import ArgumentParser
import FeatureStorage
import Presentation

/// Which labels a contact sheet shows.
struct SheetLabels {
    /// Their places in the file's list, −1 for clips without one, in the order in which they are shown.
    let shown: [Int]
    /// What is left out, in words; nil: nothing is.
    let leftOut: String?

    /// So many labels are shown unless others are asked for.
    static let most = 24

    /// Chooses the labels that were asked for, or the largest, in the file's order.
    ///
    /// One pass over the clips' figures; memory for a number for each label.
    /// - Throws: `StorageError`; `PictureError` where no clip is left.
    init(_ file: FeatureReader, _ options: SheetOptions) throws {
        var counts: [Int: Int] = [:]
        for start in stride(from: 0, to: file.clipCount, by: 16_384) {
            for clip in try file.figures(start..<min(start + 16_384, file.clipCount)) {
                if let split = options.split, !split.utf8.elementsEqual(clip.split.utf8) { continue }
                counts[file.labels.indices.contains(clip.labelIndex) ? clip.labelIndex : -1, default: 0] += 1
            }
        }
        let asked = try options.places(in: file.labels, of: file.path)
        guard !counts.isEmpty else {
            let split = options.split.map { "no clips of the split '\($0)'" } ?? "no clips"
            throw PictureError(path: file.path, reason: "the file has \(split), so there is nothing to draw")
        }
        if let asked {
            shown = asked.filter { counts[$0] != nil }
            guard !shown.isEmpty else {
                throw PictureError(path: file.path, reason: "--labels: no clip has one of these labels")
            }
            let empty = asked.count - shown.count
            leftOut = empty == 0 ? nil : "\(Wording.count(empty, "label")) asked for without a clip."
            return
        }
        // Clips without a label stand last.
        func order(_ label: Int) -> Int { label < 0 ? .max : label }
        let bySize = counts.sorted { ($1.value, order($0.key)) < ($0.value, order($1.key)) }
        shown = bySize.prefix(Self.most).map(\.key).sorted { order($0) < order($1) }
        let rest = bySize.dropFirst(Self.most).map(\.value)
        guard let largest = rest.first, let smallest = rest.last else {
            leftOut = nil
            return
        }
        let sizes =
            smallest == largest
            ? "\(Wording.count(largest, "clip")) each" : "\(smallest) to \(Wording.count(largest, "clip"))"
        leftOut =
            "Left out: \(Wording.count(rest.count, "smaller label")) of \(sizes); --labels chooses others."
    }
}
