/// The greatest lengths, in bytes of UTF-8, of the texts in a file's columns.
public struct ColumnWidths: Hashable, Sendable {
    /// Of the ids, of stored and failed clips alike.
    public var id: Int
    /// Of the paths, of stored and failed clips alike.
    public var path: Int
    /// Of the labels.
    public var label: Int
    /// Of the splits.
    public var split: Int
    /// Of the manifest's other columns, in its order.
    public var extra: [Int]
    /// Of the reasons of failures.
    public var reason: Int

    /// Keeps the values.
    public init(id: Int, path: Int, label: Int, split: Int, extra: [Int], reason: Int) {
        self.id = id
        self.path = path
        self.label = label
        self.split = split
        self.extra = extra
        self.reason = reason
    }
}
