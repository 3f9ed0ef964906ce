/// Names and figures of the feature file's format, version 1.0 (`Schemas/features-1.0.md`).
enum FeatureFormat {
    static let name = "veery-features"
    static let version = "1.0"
    /// `/features` begins on a multiple of this many bytes.
    static let alignment = 4096
    /// Larger objects than this are aligned too; small ones are packed.
    static let alignedSize = 65_536
    /// The name that netCDF-4 gives to a dimension without values; the number is its length, ten characters wide.
    static func dimensionName(_ length: Int) -> String {
        let digits = "\(length)"
        let padding = String(repeating: " ", count: max(0, 10 - digits.count))
        return "This is a netCDF dimension but not a netCDF variable." + padding + digits
    }

    /// A manifest's column as the name of a dataset: `/` would begin a group, and `.` is the group itself.
    static func datasetName(ofColumn column: String) -> String {
        let name = column.split(separator: "/", omittingEmptySubsequences: false).joined(separator: "_")
        return name.isEmpty || name == "." ? "_" : name
    }
}
