/// A cache of the values that were used last, by their number.
struct RecentlyUsed<Value> {
    private let maximum: Int
    /// The most recently used is the last.
    private var values: [(number: Int, value: Value)] = []

    /// - Parameter maximum: Number of values that are kept, at least 1.
    init(maximum: Int) { self.maximum = max(maximum, 1) }

    /// The value of a number; nil: it is not among those kept.
    ///
    /// - Complexity: O(values that are kept).
    mutating func value(_ number: Int) -> Value? {
        guard let index = values.lastIndex(where: { $0.number == number }) else { return nil }
        let found = values[index]
        if index != values.count - 1 {
            values.remove(at: index)
            values.append(found)
        }
        return found.value
    }

    /// Keeps a value of a number that has none. It replaces the least recently used one if there are `maximum` values.
    mutating func keep(_ value: Value, as number: Int) {
        if values.count == maximum { values.removeFirst() }
        values.append((number, value))
    }
}
