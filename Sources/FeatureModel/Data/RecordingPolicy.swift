/// What becomes of recordings that are not whole, or hold samples that are no numbers. As a rule their clips fail.
package struct RecordingPolicy: Hashable, Sendable {
    /// What becomes of a clip that reaches past the point where its recording is cut off.
    package enum Truncated: String, CaseIterable, Sendable {
        /// It fails.
        case fail
        /// What is there of it is taken.
        case keep
    }

    /// What becomes of samples that are infinite or not a number.
    package enum NonFinite: String, CaseIterable, Sendable {
        /// Their clip fails.
        case fail
        /// They become 0.
        case zero
    }

    /// Recordings that are cut off.
    package var truncated = Truncated.fail
    /// Samples that are no finite numbers.
    package var nonFinite = NonFinite.fail

    /// Keeps the values.
    package init(truncated: Truncated = .fail, nonFinite: NonFinite = .fail) {
        self.truncated = truncated
        self.nonFinite = nonFinite
    }
}
