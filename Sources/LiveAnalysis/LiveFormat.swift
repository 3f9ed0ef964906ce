/// What a stream of samples is like.
package struct LiveFormat: Hashable, Sendable {
    /// How a sample lies in it.
    package let encoding: LiveSampleEncoding
    /// In Hz.
    package let sampleRate: Int
    /// Interleaved channels.
    package let channels: Int

    /// Keeps the values.
    ///
    /// - Precondition: rate and channels are positive.
    package init(encoding: LiveSampleEncoding, sampleRate: Int, channels: Int) {
        precondition(sampleRate > 0 && channels > 0, "a format of something")
        self.encoding = encoding
        self.sampleRate = sampleRate
        self.channels = channels
    }

    /// Bytes of a sample of every channel.
    package var frameBytes: Int { encoding.bytes * channels }
}
