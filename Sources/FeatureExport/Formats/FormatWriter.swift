import FeatureModel

/// What an export has, for its format.
struct ExportJob {
    /// The clips.
    let source: ExportSource
    /// Where files are made.
    let folder: ExportFolder
    /// What is exported, and how.
    let options: ExportOptions
}

/// Writes an export in one format.
protocol FormatWriter: ClipWriter {
    /// Whether rows are copied: otherwise `write` is never called.
    static var copiesRows: Bool { get }

    /// Makes the first files.
    init(_ job: ExportJob) throws(ExportError)

    /// Completes all files.
    func finish() throws(ExportError)
}

extension StoreConfiguration.Element {
    /// NumPy's name of the type.
    var descr: String { self == .float16 ? "<f2" : "<f4" }
}
