import FeatureModel

/// Where a file of patches says what they are.
enum PatchTime {
    /// The attributes of `/features`: rows of a patch, and from one patch to the next.
    static let (length, hop) = ("patch_length", "patch_hop")
    /// The time of each row of a patch from the patch's first one, in s.
    static let dataset = "/patch_time"
    /// The dimension of the columns of stacked patches, without values.
    static let column = "/column"

    /// The values of `dataset`.
    static func values(_ patch: PatchShape, framePeriod: Double) -> [Double] {
        (0..<patch.length).map { Double($0) * framePeriod }
    }
}
