import FeatureModel
import FileIO
import Foundation
import Manifests
import Messages

@testable import DatasetFormats

/// Datasets in formats of their own; the first byte chooses one. Files of a folder are divided by a byte that no text has.
enum DatasetFuzzing {
    /// The files of each form, in a folder of their own; one alone is given itself.
    private static let forms: [[String]] = [
        ["wav.scp", "segments", "text", "utt2spk", "reco2dur"], ["cuts.jsonl"],
        ["recordings.jsonl", "supervisions.jsonl"], ["manifest.json"], ["esc50.csv"], ["UrbanSound8K.csv"],
        ["train.tsv"], ["annotations.csv"], ["metadata.csv"], ["metadata.jsonl"], ["other.csv"],
    ]
    private static let divider: UInt8 = 0xFF

    static func take(_ bytes: UnsafeRawBufferPointer) {
        let (choice, rest) = bytes.split
        let form = choice % forms.count
        let names = forms[form]
        let folder = "dataset-\(form)"
        mkdir("\(ScratchFile.folder)/\(folder)", 0o700)
        let parts = rest.split(separator: divider, maxSplits: names.count - 1, omittingEmptySubsequences: false)
        for (index, name) in names.enumerated() {
            let path = "\(folder)/\(name)"
            if index < parts.count {
                _ = ScratchFile.write(Array(parts[index]), path)
            } else {
                unlink("\(ScratchFile.folder)/\(path)")
            }
        }
        let path = "\(ScratchFile.folder)/\(folder)" + (names.count == 1 ? "/\(names[0])" : "")
        let columns = choice / forms.count % 2 == 1 ? ColumnMap([(.known(.label), "category")]) : ColumnMap()
        do throws(ManifestError) {
            let dataset = try Dataset.open(ManifestInput(path: path), columns: columns)
            let (first, second) = (try clips(dataset.manifest), try clips(dataset.manifest))
            law(first == second && first.count == dataset.manifest.clipCount, "every reading gives the same clips")
            law(first.allSatisfy { !$0.path.isEmpty && !$0.id.isEmpty }, "a clip has a path and an id")
            law(Set(first.map { Array($0.id.utf8) }).count == first.count, "ids differ")
            law(
                first.allSatisfy { $0.segment.map { $0.start >= 0 && $0.start.isFinite } ?? true },
                "a clip starts in its recording")
        } catch {
            law(!error.description.isEmpty, "an error says something")
        }
    }

    private static func clips(_ manifest: Manifest) throws(ManifestError) -> [Clip] {
        let reader = try manifest.reader()
        var clips: [Clip] = []
        while let clip = try reader.next() { clips.append(clip) }
        return clips
    }
}
