import CKernels
import FeatureModel

/// The loops for groups of frames: where the number of lanes is chosen. All sets give the same bits.
///
/// A group takes the set with the fewest lanes that holds all of its frames, since lanes without a frame take as long as the others: a
/// frame by itself, as in live sound, would take several times as long with 8 lanes as with 2.
///
/// Nothing is allocated after `init`. Not safe to use from two threads at once.
final class LaneLoops {
    /// The maximum number of samples for vectors of more than two lanes: beyond it, a group of frames leaves the second-level cache,
    /// and takes much memory.
    static let maximumWideLength = 16_384

    /// Frames in a group, at most.
    let groupRows: Int
    /// The loops for the latest group; before the first one, those with the most lanes.
    private(set) var latest: UnsafePointer<veery_lanes>

    /// By ascending number of lanes.
    private let sets: [UnsafePointer<veery_lanes>]

    /// - Parameters:
    ///   - length: Number of samples of the transform.
    ///   - engine: FFTW computes groups of one size: its bits might depend on it.
    ///   - kernels: The instructions with the most lanes; nil: those for the length.
    init(length: Int, engine: TransformEngine = .lanes, kernels: UnsafePointer<veery_kernels>? = nil) {
        let widest = (kernels ?? (length > Self.maximumWideLength ? Kernels.narrow : Kernels.best)).pointee.lanes
        let narrower = Kernels.all.map { $0.pointee.lanes }.filter { $0.pointee.count < widest.pointee.count }
        sets = engine == .lanes ? narrower + [widest] : [widest]
        groupRows = widest.pointee.count
        latest = widest
    }

    /// Chooses the loops for a group of `frames`, at most `groupRows`.
    func choose(frames: Int) {
        for set in sets {
            latest = set
            if set.pointee.count >= frames { return }
        }
    }
}
