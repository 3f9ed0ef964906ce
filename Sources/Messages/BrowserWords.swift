/// Sentences of the page of `veery browse` that name options.
package enum BrowserWords {
    /// - Parameter location: Where the recording was looked for.
    package static func missing(_ location: String) -> String {
        "The recording is not at \(location): give the folder that its path starts from with --root."
    }
}
