import Presentation

/// Kept clips whose recordings are missing, so that they cannot be compared.
package struct MissingRecordings: Hashable, Sendable {
    /// How many clips.
    package private(set) var count = 0
    /// The path of the first recording; empty: there is none.
    package private(set) var first = ""

    /// Counts a clip.
    mutating func add(_ path: String) {
        if count == 0 { first = path }
        count += 1
    }

    /// What a user is told; nil: no clip is affected.
    var warning: String? {
        guard count > 0 else { return nil }
        return "\(Wording.count(count, "clip")) of the existing file, such as \(first), "
            + "\(count == 1 ? "is" : "are") kept unchecked: the recordings are missing"
    }
}
