import FeatureModel

extension [Variation] {
    /// The same changes with one less: without a variation, or without a key of one; and with a likelier change of the same rows.
    ///
    /// - Parameter configuration: What they are changes of.
    func simpler(than configuration: FeatureConfiguration) -> [[Variation]] {
        indices.flatMap { index -> [[Variation]] in
            func replaced(by other: [Variation]) -> [Variation] { self[..<index] + other + self[(index + 1)...] }
            let whole = count > 1 ? [replaced(by: [])] : []
            let parts = self[index].withoutOneKey(on: configuration).map { replaced(by: [$0]) }
            return whole + parts + likelier(than: index, configuration).map { replaced(by: [$0]) }
        }
    }

    /// A clip of its own length, where rows are dropped that only a fixed duration has.
    private func likelier(than index: Int, _ configuration: FeatureConfiguration) -> [Variation] {
        let keys = self[index].effective(on: configuration).map(\.key)
        guard keys.contains("rows.count"), configuration.audio.duration != nil,
            !contains(where: { $0.assignments.contains { $0.key == "audio.duration" } })
        else { return [] }
        return [.ownDuration]
    }
}

extension Variation {
    /// The clip as long as it is.
    static let ownDuration = Variation("audio.duration=null audio.fit=null audio.crop=start")

    /// The variation with each of its keys left out in turn; empty: its keys belong together. They do in one with a note, which says
    /// what it is as a whole, and in a normalisation, whose scope says which others mean anything.
    fileprivate func withoutOneKey(on configuration: FeatureConfiguration) -> [Variation] {
        let changed = effective(on: configuration)
        guard note == nil, changed.count > 1, !changed.contains(where: { $0.key.hasPrefix("normalize.") }) else {
            return []
        }
        return changed.map { left in Variation(assignments: assignments.filter { $0 != left }) }
    }
}
