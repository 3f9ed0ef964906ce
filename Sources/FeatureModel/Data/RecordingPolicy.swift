/// How to treat recordings that are cut off or hold non-finite samples. By default their clips fail.
package struct RecordingPolicy: Hashable, Sendable {
    /// How to treat a clip that reaches past a cut.
    package enum Truncated: String, CaseIterable, Sendable {
        /// It fails.
        case fail
        /// Its present part is used.
        case keep
    }

    /// How to treat samples that are infinite or NaN.
    package enum NonFinite: String, CaseIterable, Sendable {
        /// Their clip fails.
        case fail
        /// They become 0.
        case zero
    }

    package var truncated = Truncated.fail
    package var nonFinite = NonFinite.fail

    package init(truncated: Truncated = .fail, nonFinite: NonFinite = .fail) {
        self.truncated = truncated
        self.nonFinite = nonFinite
    }
}
