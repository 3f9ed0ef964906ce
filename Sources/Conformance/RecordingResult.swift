import ArrayFiles
import FeatureModel

/// How an array compares with the features of one recording.
package struct RecordingResult: Sendable {
    /// Why there is nothing to compare.
    package enum Obstacle: Error, Hashable, Sendable {
        /// The recording cannot be read.
        case recording(ClipFailure)
        /// The array cannot be read.
        case array(ArrayFileError)
        /// The recording is shorter than a frame.
        case noRows
        /// The array has no values, or another number of axes.
        case shape
        /// All values of the array are the same, those of the features are not.
        case oneValue(Float)
        /// All values of the array are infinite or not a number.
        case noFiniteValue
    }

    package let clip: Clip
    /// What the array is called in its file; empty: the file is the array.
    package let arrayName: String
    /// The shape that the array should have: rows and bins, with an axis more of patches or channels.
    package internal(set) var expectedShape: [Int] = []
    /// Rows of the features, those of a patch one after another, and values in each.
    package internal(set) var expectedRows = 0
    package internal(set) var expectedBins = 0
    /// The shape of the array as it is stored.
    package internal(set) var givenShape: [Int] = []
    /// What was done to the axes of the array.
    package internal(set) var layout: ArrayLayout?
    /// Whether the column that was left out holds the logarithms of the frames' energies.
    package internal(set) var isEnergyLeftOut = false
    /// Which rows were compared as they are; nil: the bins differ.
    package internal(set) var rows: RowAlignment?
    /// The difference as it is; nil: the bins differ.
    package internal(set) var difference: ValueDifference?
    /// Rate of the recording in Hz, where it is not that of the features.
    package internal(set) var resampledFrom: Int?
    /// The precision of the array, where it is less than single, and the root of the mean square by which that rounds its values, as
    /// a share of their range.
    package internal(set) var precision: (kind: ValuePrecision, rounding: Double)?
    /// Whether all values of the array are the same, which says nothing about its precision.
    var isConstant = false
    package internal(set) var obstacle: Obstacle?
    /// The part of the recording whose rows the array has, as far as values tell; nil: none is known.
    package internal(set) var part: RecordingPart?
    /// The rows that are equal as they are, where nothing explains the others; nil: none, or too few.
    package internal(set) var equalRows: EqualRows?
    /// Whether values are equal, except for rounding, and the shape is, except for axes of length 1 and their order.
    package internal(set) var isEqual = false
    /// Whether values are equal within the tolerance, but with another configuration ten times closer: the array is not equal.
    package internal(set) var isSurpassed = false
    /// Whether the explanation that was found with another recording holds here; nil: that was not tried.
    package internal(set) var isExplained: Bool?

    /// Whether values are equal, whatever the shape.
    package internal(set) var hasEqualValues = false

    /// Whether values are equal except for rows of one value after the expected ones.
    var isPadded: Bool { hasEqualValues && rows?.isComplete == true && layout?.padding != nil }
}

/// How arrays compare with the features of recordings.
package struct ConformanceResult: Sendable {
    package internal(set) var recordings: [RecordingResult] = []
    /// The configuration that was compared with; a normalisation over a dataset is left out.
    package let configuration: FeatureConfiguration
    package let tolerance: Double
    /// Arrays that belong to no recording.
    package internal(set) var unusedArrays: [String] = []
    /// The recording that the search was made with, by its index in `recordings`; nil: there was none.
    package internal(set) var searched: Int?
    package internal(set) var outcome: SearchOutcome?

    /// Whether every array is equal to its recording's features.
    package var isEqual: Bool { !recordings.isEmpty && recordings.allSatisfy(\.isEqual) && unusedArrays.isEmpty }
}
