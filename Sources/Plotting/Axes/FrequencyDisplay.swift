/// How the frequencies of bins are spread over the height of a picture.
package enum FrequencyDisplay: Sendable {
    /// As they are stored: all bins of equal height.
    case bins
    /// Hertz in equal steps.
    case linear
    /// Octaves in equal steps.
    case logarithmic
    /// Octaves in equal steps, marked by the names of notes; the frequency of A4 in hertz.
    case musical(tuning: Double)
    /// Equal steps of another quantity, such as mel.
    case warped(FrequencyWarp)
}
