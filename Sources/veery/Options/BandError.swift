import FeatureModel

/// A band that does not suit the recording; in the words of the command line.
struct BandError: Error, CustomStringConvertible {
    let mode: DCTFilterMode
    let error: ConfigurationError
    var input: String?

    var description: String {
        guard case .invalidValue(let key, let found, let expected) = error else { return error.description }
        let edge = key.hasSuffix("high") ? "upper" : "lower"
        let words = expected.replacing("condition.dct_filter.high", with: "the upper edge")
        return "--\(mode == .bandPass ? "band-pass" : "band-stop"), \(edge) edge: expected "
            + "\(words)\(input.map { " in \($0)" } ?? ""), found \(found)"
    }
}
