import ClipSpool
import FeatureModel
import FileIO
import Synchronization

/// What an interrupted run with a stream left, and which of its clips are the same in this one.
final class StreamedSpool: Sendable {
    /// The recordings that are done, by their numbers in the stream.
    let index = SpoolIndex(clips: 0)
    /// Clips that the interrupted run left.
    let known: Int
    /// What it left of each recording.
    let earlier: SpoolIndex
    private let contents: SpoolContents?
    private let counts = Mutex((clips: 0, seconds: 0.0))

    /// Clips that were not computed again, and seconds of audio in them.
    var tally: (clips: Int, seconds: Double) { counts.withLock { $0 } }

    /// Looks at the folders, deletes what is not used of them, and opens that for the clips.
    ///
    /// - Throws: `ExtractionError.otherRun` if they have clips of another run, unless `fresh` is set, and others.
    init(_ folders: RunFolders, _ options: ExtractionOptions, identity: Provenance) throws {
        let found = try RunFolders.contents(options, isHeld: true, takesShards: false)
        try folders.openClips()
        earlier = SpoolIndex(clips: 0)
        guard let found, found.hasClips, !options.fresh, let json = found.identity else {
            (contents, known) = (nil, 0)
            try folders.start(identity, discarding: found)
            return
        }
        try identity.check(json, of: found.folder, .spool)
        let earlier = earlier
        let extent = try found.scan { entry in
            switch entry {
            case .finished(let clip, _, _, _), .failed(let clip, _):
                guard (0..<Int(Int32.max)).contains(clip) else { return }
                earlier.grow(to: clip + 1)
                earlier.note(entry)
            }
        }
        contents = found
        known = earlier.done
        folders.clips.resume(found, extent)
    }

    /// A reader of what the interrupted run left; nil: nothing.
    func reader() -> SpoolReader? { contents?.reader() }

    /// A recording that an interrupted run has done.
    struct Known {
        /// Seconds of audio; nil: it has failed.
        let seconds: Double?
    }

    /// Takes over what is known of a recording; nil: it has to be decoded.
    ///
    /// - Throws: `StorageError` where the spool cannot be read.
    func take(_ member: StreamedRecording, _ reader: SpoolReader?) throws(StorageError) -> Known? {
        index.grow(to: member.number + 1)
        guard let reader, member.number < earlier.count else { return nil }
        let entry = earlier[member.number]
        guard let position = entry.position else { return nil }
        var seconds: Double?
        if entry.rows != nil {
            let spooled = try reader.finished(at: position)
            guard spooled.recording == member.recording.stamp, spooled.inPlace == nil else { return nil }
            seconds = spooled.clip.duration
        } else {
            let (failure, recording) = try reader.failed(at: position)
            // Another attempt may succeed.
            guard recording == member.recording.stamp, !failure.isTransient else { return nil }
        }
        index[member.number] = entry
        counts.withLock { $0 = ($0.clips + 1, $0.seconds + (seconds ?? 0)) }
        return Known(seconds: seconds)
    }
}
