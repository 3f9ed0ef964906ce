/// Sentences of the page of a dataset that name options.
package enum BrowserWords {
    /// There is no recording at a path.
    package static func missing(recording path: String) -> String {
        "The recording is not at \(path). Give the folder that its path starts from with --root."
    }
}
