import FileIO

/// Shards that are no longer needed and could not be deleted, such as those of another user.
struct LeftShards {
    private var named: [String] = []
    private var count = 0
    private static let maximumNamed = 5

    /// Notes a folder or a file, and why it is still there.
    mutating func add(_ path: String, _ refusal: SystemError) {
        count += 1
        if named.count < Self.maximumNamed { named.append("\(path) (\(refusal))") }
    }

    /// A warning for the user; nil: nothing is left.
    var warning: String? {
        guard count > 0 else { return nil }
        return "these shards are not needed any more, but could not be deleted: " + named.joined(separator: ", ")
            + (count > named.count ? " and \(count - named.count) more" : "")
    }
}
