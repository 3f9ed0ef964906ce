import FeatureStorage
import FileIO
import Manifests
import SignalProcessing

/// What is known of all clips before the rows of the first are written.
struct AssemblySums {
    /// Over all clips.
    let totals: AssemblyTotals
    /// What normalises the rows.
    let normalization: Normalization
    /// Rows of a chunk of the tensor; nil: it is not compressed.
    let chunkRows: Int?
}

/// The clips that become one file: all, or those of a file of a set.
struct AssemblyPart {
    /// Their indices in the source.
    let clips: Range<Int>
    /// Reads these clips and no others.
    let reader: any ClipReader
    /// What has to stand under the file's name once it is complete; nil: anything may.
    let standing: FileStamp?
}
