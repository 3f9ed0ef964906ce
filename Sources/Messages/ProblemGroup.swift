import DatasetChecks
import DatasetExtraction
import Manifests

extension ProblemGroup {
    /// What to do about it.
    package var mend: String {
        switch kind {
        case .allMissing:
            if case .folder(let root, let missing) = subject {
                missing.map { $0.advice + "." }
                    ?? "The paths start from the folder '\(root.isEmpty ? "." : root)'. Name another one: --root FOLDER."
            } else {
                ""
            }
        case .missing: "Correct the paths or --root, or remove the rows with --mend."
        case .gitLFSPointer: "Run git lfs pull in the repository of the recordings."
        case .textPage:
            "Fetch the recordings again: the files hold text, such as a page that a server has answered with."
        case .unreadable: "Replace or convert the recordings, or remove the rows with --mend."
        case .cutOff: "Copy or download the recordings again, or extract with --truncated keep."
        case .segmentOutOfRange: "Correct start, end and channel: are the times in seconds, and of this recording?"
        case .damaged: "Copy or download the recordings again, or remove the rows with --mend."
        case .wrongLength: "Copy or download the recordings again, or remove the rows with --mend."
        case .nonFinite: "Write the recordings again, or extract with --non-finite zero."
        case .otherSamples:
            "Correct the clips again, or delete audio_xxh3 from their corrections if they are still right."
        case .overlapAcrossSplits, .recordingAcrossSplits:
            "Split by recording: veery split MANIFEST -o NEW --ratio train=0.8,val=0.1,test=0.1"
        case .groupAcrossSplits: "Keep the groups together: veery split MANIFEST -o NEW --by \(column) --ratio …"
        case .duplicateAcrossSplits:
            "Keep one of the clips, or give them all one split. To split again, give them the same value in a column: "
                + "veery split MANIFEST -o NEW --by COLUMN --ratio …"
        case .duplicateRecording, .duplicateSamples: "Keep one of the rows."
        case .mixedRates:
            if case .rate(let usual) = subject {
                "When they are extracted, --set \(RateDisagreement.remedy(usual))."
            } else {
                ""
            }
        case .silentChannel:
            if case .channel(let number) = subject {
                "Extract with --set audio.channels=\(number), or give these clips that channel in the column channel."
            } else {
                "Give each of these clips a channel that has sound in the column channel, counted from 0."
            }
        case .silent, .constant: "Listen to them; remove the rows if nothing was recorded."
        case .clipped: "Record with less gain; check whether the clips are usable."
        case .dcOffset: "Extract with --set condition.remove_dc=true, which subtracts the mean."
        case .labelSpelling: "Choose one spelling."
        case .rareLabel: "Add clips, or leave the label out: it cannot be both learnt and tested."
        case .labelAbsentFromSplit: "Split with --stratify, or add clips."
        case .unlabelled:
            "Add the labels that are missing. Clips in which there is nothing to label may stay as they are."
        case .labelImbalance: "Add clips, or weight the labels in training."
        case .suspiciousLabel:
            "Listen to the first ones, and correct the labels that are wrong: in the manifest, or with --corrections."
        case .mixedChannels:
            switch subject {
            case .heard(isFirstSilent: true): "Extract with --set audio.channels=mix (the mean of all)."
            case .heard: "Extract with --set audio.channels=mix (the mean of all), or first."
            default:
                "Extract with --set audio.channels=mix (the mean of all), or first (--deep says whether one is silent)."
            }
        case .overlappingSegments: "Nothing, if it is meant. Otherwise look for repeated annotations."
        case .veryShort, .veryLong: "Look at start and end: are they in seconds?"
        }
    }

    private var column: String { if case .column(let name) = subject { name } else { "COLUMN" } }
}
