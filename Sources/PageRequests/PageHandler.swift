/// What the server's answers come from.
package protocol PageHandler: Sendable {
    /// Answers a request. Called on one of the server's threads, on several at a time; it may block.
    ///
    /// For `head` it answers as for `get`; the server leaves the body out.
    func answer(_ request: PageRequest) -> PageResponse
}
