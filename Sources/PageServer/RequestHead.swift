/// What a request starts with.
struct RequestHead: Hashable, Sendable {
    struct Line: Hashable, Sendable {
        let name: String
        let value: String
    }

    let method: String
    let target: String
    let lines: [Line]

    /// The values of all lines with a name.
    ///
    /// - Parameter name: In lower case.
    func values(_ name: String) -> [String] {
        lines.filter { $0.name.utf8.count == name.utf8.count && $0.name.lowercased() == name }.map(\.value)
    }

    /// Whether a person asked for a page, and not a script for data.
    var isForPerson: Bool { target == "/" || values("accept").contains { $0.contains("text/html") } }

    /// Whether a body follows.
    var hasBody: Bool {
        !values("transfer-encoding").isEmpty || values("content-length").contains { $0.contains { $0 != "0" } }
    }
}
