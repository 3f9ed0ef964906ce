import FeatureModel
import FeatureStorage
import FileIO

/// Clips of a feature file that may be wrong, the most suspicious first.
///
/// Cost: reads the rows of all clips, and those of up to 4096 twice. Memory: about 700 bytes a clip, and 30 MB.
package struct Suspicion: Sendable {
    /// Why a clip is suspicious.
    package enum Reason: Hashable, Sendable {
        /// A clip of another label has equal samples, or only equal values.
        case equal(clip: Int, isAudio: Bool)
        /// All values are at the floor of the scale or, where it has none, do not change.
        case silent
        /// Clips that are like it have another label. `margin`: from 0, both fit as well, to 1.
        case otherLabel(given: Int, fitting: Int, margin: Float)
        /// Of several labels, it has one that clips like it do not have.
        case surplusLabel(Int, margin: Float)
        /// Of several labels, it lacks one that clips like it have.
        case lackingLabel(Int, margin: Float)
        /// It is further from the mean of its label than the label's clips are: by this factor of their root mean square.
        case unlike(label: Int, factor: Float)
        /// Samples at full scale in runs of three or more: their share.
        case clipped(share: Double)
        /// Its recording ends before the header says.
        case cutOff
    }

    /// A clip with its reasons, the gravest first.
    package struct Suspect: Hashable, Sendable {
        /// The index of the clip in the file.
        package let clipIndex: Int
        package let reasons: [Reason]
    }

    /// What limits the result.
    package enum Note: Hashable, Sendable {
        /// No clip has a label.
        case noLabels
        /// Most clips are of labels with less than this number, so clips are compared with the nearest alone.
        case fewClips(least: Int)
        /// Labels with less than this number of clips, of which little can be said: how many.
        case smallLabels(count: Int, least: Int)
        /// Clips whose labels occur in one group alone, such as one recording, so that no other clip can vouch for them.
        case notComparable(clips: Int)
        /// All clips are of one group, so each is compared with the others of it.
        case oneGroup
    }

    /// The clips with a reason, the most suspicious first.
    package let suspects: [Suspect]
    /// For each clip of the file how much another label fits better than its own, from −1 to 1; nil: not judged.
    package let scores: [Float?]
    /// The clips that are most like one another.
    package let pairs: [Pair]
    /// For each clip the share, 0 … 1, of its values at the floor of the scale; nil: the scale has none.
    package let floorShares: [Float?]
    /// How labels were compared.
    package let method: LabelScores.Method
    package let notes: [Note]
    /// Number of clips.
    package var clipCount: Int { scores.count }
    /// The label that fits better, by clip.
    let suggestions: [Int: Int]

    /// The label that fits a suspect better than its own; nil: its label was not compared, it fits, or the clip has several.
    package func suggestedLabel(of clipIndex: Int) -> Int? { suggestions[clipIndex] }
}

extension Suspicion.Reason {
    /// Whether the clip's label may be wrong, not its sound.
    package var isOfLabel: Bool {
        switch self {
        case .equal, .otherLabel, .surplusLabel, .lackingLabel: true
        case .silent, .unlike, .clipped, .cutOff: false
        }
    }

    /// Reasons of a lower tier come first. Within one, those of a greater weight do.
    var rank: (tier: Int, weight: Double) {
        switch self {
        case .equal(_, let isAudio): (0, isAudio ? 1 : 0)
        case .silent: (1, 0)
        case .otherLabel(_, _, let margin), .surplusLabel(_, let margin), .lackingLabel(_, let margin):
            (2, Double(margin))
        case .unlike(_, let factor): (3, Double(factor))
        case .clipped(let share): (4, share)
        case .cutOff: (5, 0)
        }
    }
}
