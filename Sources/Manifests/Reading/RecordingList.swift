/// Several recordings in one row, as NeMo's manifests may have: they are not read.
enum RecordingList {
    /// Whether a path is a list, of JSON or as Python prints one.
    static func isOne(_ path: ArraySlice<UInt8>) -> Bool {
        path.first == UInt8(ascii: "[") && ListText.names(path) != nil
    }

    static func refusal(_ column: String) -> String {
        "\(column) is a list, such as of several recordings; expected one: write a row for each"
    }
}
