/// What a clip's stored values look like, in a few figures.
package struct ClipProfile: Hashable, Sendable {
    /// The index of the clip in the file.
    package let clipIndex: Int
    /// The index of its label in the file; −1: none.
    package let labelIndex: Int
    package let frames: Int
    /// The minimum stored value; 0 if there is none.
    package let minimum: Float
    /// The maximum stored value; 0 if there is none.
    package let maximum: Float
    /// The share, 0 … 1, of values at the floor of the scale; nil where the scale has none.
    package let floorShare: Double?
    /// Whether every bin holds the same value in all of two frames or more.
    package let isConstant: Bool

    /// Values that are infinite or not numbers, which the other figures leave out.
    package let invalidValues: Int

    /// Whether there is nothing to hear in the clip, as far as its values tell: all lie at the floor or, where the scale has
    /// none, no bin changes. A steady tone may be constant without being silent.
    package var isSilent: Bool { floorShare.map { $0 == 1 } ?? isConstant }
}
