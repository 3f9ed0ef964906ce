/// How much of a recording that is cut off is left.
///
/// Every sign of a cut (the size of the sample data, the end of a FLAC stream, the pages of Ogg) ends in this type, so that
/// all are reported, and kept with `--truncated keep`, in the same way.
public struct CutOff: Hashable, Sendable {
    /// Length in seconds that the header promises; nil: it does not say how long the recording was.
    public let promised: Double?
    /// Length in seconds of what is present; nil: only decoding will tell.
    public let present: Double?

    /// Keeps the values.
    public init(promised: Double?, present: Double?) {
        self.promised = promised
        self.present = present
    }
}
