/// A path that names several recordings, as in some of NeMo's manifests. Such rows are refused.
enum RecordingList {
    /// Whether a path is a list, in JSON or as Python prints it.
    static func isOne(_ path: ArraySlice<UInt8>) -> Bool {
        path.first == UInt8(ascii: "[") && ListText.names(path, takesNull: true) != nil
    }

    static func refusal(_ column: String) -> String {
        "\(column) is a list, such as of several recordings; expected one: write a row for each"
    }

    /// What is wrong with a path that is an object as Python prints one, such as `{'path': 'a.wav', 'bytes': None}`. Nil for any other path.
    static func objectRefusal(_ path: ArraySlice<UInt8>) -> String? {
        guard path.starts(with: "{'".utf8), path.last == UInt8(ascii: "}") else { return nil }
        return
            "path is an object as Python prints it; expected the path alone, or an object in JSON: {\"path\": \"a.wav\"}"
    }
}
