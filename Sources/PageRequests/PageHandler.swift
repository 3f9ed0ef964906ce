/// What the server's answers come from.
package protocol PageHandler: Sendable {
    /// Answers a request. Called on one of the server's threads, on several at a time; it may block.
    ///
    /// To `/opened.js` it answers with a script that leads to `/` with the fragment of the address, for the page that a link of another
    /// site opens first.
    ///
    /// For `head` it answers as for `get`; the server leaves the body out.
    func answer(_ request: PageRequest) -> PageResponse
}
