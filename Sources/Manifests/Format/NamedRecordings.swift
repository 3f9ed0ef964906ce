/// What a dataset calls its recordings where that is not their paths: the ids of Kaldi's `wav.scp`, and the names of files in
/// `reco2file_and_channel`.
package struct NamedRecordings: Sendable {
    /// The channel of what is said of a recording by its name.
    package enum Channel: Sendable, Hashable {
        /// The one that is given with the name.
        case given
        case one(Int)
        /// The recording is one channel of a file, and the file has no other recording.
        case all
    }

    package struct Recording: Sendable, Hashable {
        package let path: String
        package let channel: Channel

        package init(path: String, channel: Channel) { (self.path, self.channel) = (path, channel) }
    }

    private var recordings: [String: [(side: Int?, recording: Recording)]] = [:]

    package init() {}

    package var isEmpty: Bool { recordings.isEmpty }

    /// - Parameter side: The channel that has to be given with the name, from 0; nil: any.
    package mutating func add(_ recording: Recording, named name: String, side: Int? = nil) {
        recordings[name, default: []].append((side, recording))
    }

    package func find(_ name: String, side: Int?) -> Recording? {
        recordings[name]?.first { $0.side == nil || $0.side == side }?.recording
    }
}
