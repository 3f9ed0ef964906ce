import ArgumentParser
import FeatureModel

/// A band of frequencies, as `300-3400`, `300Hz-3.4kHz` or `20-300bins`.
struct FrequencyBand: ExpressibleByArgument {
    let low: FrequencyEdge
    let high: FrequencyEdge

    /// An edge without a unit has that of the other one; where neither has one, they are in Hz.
    init?(argument: String) {
        let parts = argument.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let units = parts.map { FrequencyEdge.unit(of: $0) }
        guard let low = FrequencyEdge(text: parts[0], unit: units[1] ?? .hertz),
            let high = FrequencyEdge(text: parts[1], unit: units[0] ?? .hertz)
        else { return nil }
        self.low = low
        self.high = high
    }
}
