import Annotations
import FeatureModel

/// Annotations of a source whose rows are parts of recordings: which of them lie in none, and which are cut.
struct PartsOfSource {
    /// An annotation, by the index of its table and its own.
    struct Reference: Hashable { let table, row: Int }

    private var (known, inside, whole): (Set<Reference>, Set<Reference>, Set<Reference>) = ([], [], [])

    /// Takes note of an annotation of the recording of a part.
    mutating func compare(_ reference: Reference, _ span: TimeSpan, with part: TimeSpan) {
        known.insert(reference)
        let isPoint = span.length == 0
        guard span.start < part.end || isPoint && span.start == part.end,
            span.end > part.start || isPoint && span.start == part.start
        else { return }
        inside.insert(reference)
        if span.start >= part.start, span.end <= part.end { whole.insert(reference) }
    }

    /// Those that lie in no part.
    var outside: Set<Reference> { known.subtracting(inside) }
    /// Those that lie wholly in no part.
    var cut: Set<Reference> { inside.subtracting(whole) }
}
