extension String {
    /// The text as an error may repeat it: its first 60 characters and how long it is where it is much longer.
    ///
    /// Cost: O(1) beyond what is shown; the length is that in bytes.
    package var excerpt: String {
        let shown = prefix(60)
        guard utf8.count > shown.utf8.count + 20 else { return self }
        return "\(shown)… (\(utf8.count) bytes)"
    }
}
