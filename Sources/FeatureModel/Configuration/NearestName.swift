/// The name in `names` that `typed` probably means: that of the smallest Levenshtein distance, if it is at most half the
/// length of `typed`. Case is ignored.
///
/// Cost: O(length²) for every name; a text of more than 100 bytes matches none.
public func nearestName(to typed: String, in names: [String]) -> String? {
    nearestName(to: typed, in: names, share: 2)
}

/// The same for a distance up to the length of `typed` divided by `share`.
func nearestName(to typed: String, in names: [String], share: Int) -> String? {
    guard typed.utf8.count <= 100 else { return nil }
    let scored = names.map { (name: $0, distance: editDistance(typed.lowercased(), $0.lowercased())) }
    guard let best = scored.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= max(1, typed.count / share) ? best.name : nil
}

/// The smallest number of insertions, deletions and replacements that turn `source` into `target`.
private func editDistance(_ source: String, _ target: String) -> Int {
    let target = Array(target)
    var previous = Array(0...target.count)
    for (row, character) in source.enumerated() {
        var current = [row + 1]
        for column in target.indices {
            let replaced = previous[column] + (character == target[column] ? 0 : 1)
            current.append(min(replaced, previous[column + 1] + 1, current[column] + 1))
        }
        previous = current
    }
    return previous[target.count]
}
