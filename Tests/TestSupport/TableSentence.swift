/// What manifests and tables of annotations say alike of their rows.
package enum TableSentence {
    package static func fields(_ found: String, header: Int) -> String { "has \(found); the header has \(header)" }
}
