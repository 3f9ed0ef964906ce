import ArgumentParser

/// Two numbers, the first below the second, as `-80:0`.
struct ValueRange: ExpressibleByArgument {
    let range: ClosedRange<Float>

    init?(argument: String) {
        let parts = argument.split(separator: ":", omittingEmptySubsequences: false).map { Float($0) }
        guard parts.count == 2, let low = parts[0], let high = parts[1], low.isFinite, high.isFinite, low < high else {
            return nil
        }
        range = low...high
    }
}
