/// Sentences of the page of a dataset that name options.
package enum BrowserWords {
    /// A feature file was made with corrections that are not in the file of corrections.
    package static func otherCorrections(_ features: String, _ corrections: String) -> String {
        "\(features): was made with corrections that are not in \(corrections): give the file that has them by --labels, or apply those "
            + "that you have by 'veery extract --sync --corrections'"
    }

    /// There is no recording at a path.
    package static func missing(recording path: String) -> String {
        "The recording is not at \(path). Give the folder that its path starts from with --root."
    }
}
