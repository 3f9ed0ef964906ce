import FeatureModel
import Synchronization

/// The band of an equaliser that is changed while it plays.
package final class LiveEqualizer: Sendable {
    /// A band.
    package struct Band: Hashable, Sendable {
        /// Whether the band is kept or removed.
        package var mode: DCTFilterMode
        /// Its edges, 0 … 1024; bin k stands for k · rate/2048 Hz.
        package var bins: ClosedRange<Int>

        /// A band with edges that are clamped to the spectrum.
        package init(mode: DCTFilterMode, bins: ClosedRange<Int>) {
            self.mode = mode
            self.bins = bins.clamped(to: 0...DCTFilterConfiguration.pageLength)
        }

        /// The band moved up by a number of bins, as wide as before, within the spectrum.
        package func moved(by bins: Int) -> Band {
            let maximum = DCTFilterConfiguration.pageLength
            let shift = max(-self.bins.lowerBound, min(bins, maximum - self.bins.upperBound))
            return Band(mode: mode, bins: self.bins.lowerBound + shift...self.bins.upperBound + shift)
        }

        /// The band widened by a number of bins on either side; it keeps `minimumWidth`.
        package func widened(by bins: Int) -> Band {
            let maximum = DCTFilterConfiguration.pageLength
            let low = max(self.bins.lowerBound - bins, 0)
            let high = min(self.bins.upperBound + bins, maximum)
            guard high - low >= Self.minimumWidth else { return self }
            return Band(mode: mode, bins: low...high)
        }

        /// The same band, removed instead of kept or the reverse.
        package var turned: Band { Band(mode: mode == .bandPass ? .bandStop : .bandPass, bins: bins) }

        private static let minimumWidth = 4
    }

    /// How the samples are cut into pages.
    package let pages: DCTFilterPages

    private let state: Mutex<Band>

    /// Starts with a band.
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
