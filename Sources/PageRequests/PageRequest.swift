/// What a browser may ask with.
package enum PageMethod: String, CaseIterable, Sendable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
}

/// A request that has passed all checks.
package struct PageRequest: Hashable, Sendable {
    /// A name and a value after the question mark of an address.
    package struct QueryItem: Hashable, Sendable {
        package let name: String
        package let value: String

        package init(name: String, value: String) { (self.name, self.value) = (name, value) }
    }

    package let method: PageMethod
    /// The parts of the path between slashes; none for `/`. None is empty, `.` or `..`, and none has a slash, a backslash or a
    /// control character in it.
    package let path: [String]
    package let query: [QueryItem]
    /// What was sent, of at most `PageLimits.body` bytes; empty unless `method` is `post`.
    package var body: [UInt8] = []

    package init(method: PageMethod, path: [String], query: [QueryItem], body: [UInt8] = []) {
        (self.method, self.path, self.query, self.body) = (method, path, query, body)
    }

    /// The value of the first query item with a name.
    package func value(_ name: String) -> String? { query.first { $0.name == name }?.value }
}
