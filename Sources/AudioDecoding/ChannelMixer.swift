import FeatureModel

/// Turns interleaved channels into one signal.
package struct ChannelMixer {
    /// The channel, from 0; nil: the mean of all.
    private let channel: Int?
    private let channels: Int

    /// - Throws: `ClipFailure` of stage `condition` where the recording has no such channel.
    package init(_ selection: ChannelSelection, channels: Int) throws(ClipFailure) {
        self.channels = channels
        switch selection {
        case .mix: channel = channels == 1 ? 0 : nil
        // One signal of all channels that are to be apart; callers that keep them apart make a mixer for each.
        case .all: channel = channels == 1 ? 0 : nil
        case .first: channel = 0
        case .number(let number):
            guard number < channels else { throw .noSuchChannel(channel: number, channels: channels) }
            channel = number
        }
    }

    /// A mixer for each signal that a recording becomes.
    ///
    /// - Parameters:
    ///   - selection: Which channels.
    ///   - channels: Those of the recording.
    ///   - count: The number of signals that is expected: 1, or the number of channels that all recordings have.
    /// - Throws: `ClipFailure` of stage `condition` where the recording has no such channel, or another number of them.
    static func mixers(
        _ selection: ChannelSelection, channels: Int, count: Int
    ) throws(ClipFailure) -> [ChannelMixer] {
        guard selection == .all else {
            guard count == 1 else { throw .otherChannels(expected: count, found: 1) }
            return [try ChannelMixer(selection, channels: channels)]
        }
        guard channels == count else { throw .otherChannels(expected: count, found: channels) }
        var mixers: [ChannelMixer] = []
        for channel in 0..<channels { mixers.append(try ChannelMixer(.number(channel), channels: channels)) }
        return mixers
    }

    /// Whether the interleaved samples are the signal already.
    var isIdentity: Bool { channels == 1 }

    /// Writes one sample for each of `frames` frames.
    package func apply(_ interleaved: UnsafePointer<Float>, frames: Int, into signal: UnsafeMutablePointer<Float>) {
        if let channel {
            for frame in 0..<frames { signal[frame] = interleaved[frame * channels + channel] }
        } else if channels == 2 {
            // Halving is exact: the same mean as in the general case.
            for frame in 0..<frames { signal[frame] = 0.5 * (interleaved[2 * frame] + interleaved[2 * frame + 1]) }
        } else {
            // In double precision, rounded once: exact to the last digit, for any number of channels.
            let count = Double(channels)
            for frame in 0..<frames {
                var sum = 0.0
                for channel in 0..<channels { sum += Double(interleaved[frame * channels + channel]) }
                signal[frame] = Float(sum / count)
            }
        }
    }
}
