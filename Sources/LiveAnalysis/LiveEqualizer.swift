import FeatureModel
import Synchronization

/// The band of an equaliser that is changed while it plays.
package final class LiveEqualizer: Sendable {
    /// A band.
    package struct Band: Hashable, Sendable {
        /// Whether it stays or goes.
        package var mode: DCTFilterMode
        /// Its edges, 0 … 1024; bin k stands for k · rate/2048 Hz.
        package var bins: ClosedRange<Int>

        /// Keeps the values, with edges that are too far out brought back.
        package init(mode: DCTFilterMode, bins: ClosedRange<Int>) {
            self.mode = mode
            self.bins = bins.clamped(to: 0...DCTFilterConfiguration.pageLength)
        }

        /// The band so many bins further up, as wide as it was; it stops at the ends of the spectrum.
        package func moved(by bins: Int) -> Band {
            let most = DCTFilterConfiguration.pageLength
            let shift = max(-self.bins.lowerBound, min(bins, most - self.bins.upperBound))
            return Band(mode: mode, bins: self.bins.lowerBound + shift...self.bins.upperBound + shift)
        }

        /// The band with so many more bins on either side; it keeps `leastWidth`.
        package func widened(by bins: Int) -> Band {
            let most = DCTFilterConfiguration.pageLength
            let low = max(self.bins.lowerBound - bins, 0)
            let high = min(self.bins.upperBound + bins, most)
            guard high - low >= Self.leastWidth else { return self }
            return Band(mode: mode, bins: low...high)
        }

        /// What it keeps goes, and what it takes away stays.
        package var turned: Band { Band(mode: mode == .bandPass ? .bandStop : .bandPass, bins: bins) }

        private static let leastWidth = 4
    }

    /// How the samples are cut into pages.
    package let pages: DCTFilterPages

    private let state: Mutex<Band>

    /// Begins with a band.
    package init(_ band: Band, pages: DCTFilterPages = .overlapping) {
        state = Mutex(band)
        self.pages = pages
    }

    /// The band, from the next page of samples on.
    package var band: Band {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}
