/// The rows of a manifest, one after another, whatever its format.
protocol RowParser: AnyObject {
    /// The file.
    var source: BlockReader { get }
    /// The columns that are no `ManifestColumn`, in the order of their slots, as far as they are known.
    var extraColumns: [String] { get }
    /// Their number; asked for every row, so it makes no strings.
    var extraSlots: Int { get }
    /// What is allowed in the rows read so far but probably not meant, in words.
    var warnings: [String] { get }
    /// Whether the column has been met.
    func has(_ column: ManifestColumn) -> Bool
    /// Reads the next row, which may be one with a `problem`; false at the end.
    func next(into row: inout ManifestRow) throws(ManifestError) -> Bool
}

/// Opens a manifest and reads its header, if it has one.
///
/// - Parameter extraColumns: for JSON Lines, the columns whose order is known from an earlier reading.
func makeRowParser(
    path: String, format: ManifestFormat, extraColumns: [String] = []
) throws(ManifestError) -> any RowParser {
    let source = try BlockReader(path: path)
    guard let delimiter = format.delimiter else {
        return JSONLinesRowParser(source: source, extraColumns: extraColumns)
    }
    return try DelimitedRowParser(source: source, delimiter: delimiter, quoting: format.quoting)
}
