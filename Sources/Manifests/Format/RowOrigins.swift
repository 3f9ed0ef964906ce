/// Where the rows of a manifest that was made of a dataset come from: for every row a file and a line.
struct RowOrigins: Sendable {
    /// The files, each with the number of its first row, in the order of the rows.
    private var files: [(name: String, firstRow: Int)] = []
    private var lines: [UInt32] = []

    /// Adds the next row.
    mutating func append(line: Int, of file: String) {
        if files.last?.name != file { files.append((file, lines.count)) }
        lines.append(UInt32(clamping: line))
    }

    /// The origin of a row, counted from 1.
    func origin(row: Int) -> (file: String, line: Int) {
        let index = row - 1
        guard lines.indices.contains(index), let file = files.last(where: { $0.firstRow <= index }) else {
            return ("", row)
        }
        return (file.name, Int(lines[index]))
    }
}
