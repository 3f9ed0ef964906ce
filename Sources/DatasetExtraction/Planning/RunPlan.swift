import ClipSpool
import FeatureStorage
import FileIO

/// What a run will do, decided once and by reading alone: `veery extract --dry-run` prints it, `Extraction.run` executes it.
package struct RunPlan: Sendable {
    /// The output as it is.
    package enum Output: String, Sendable {
        /// There is none.
        case absent
        /// It has all clips, and nothing is to be done.
        case upToDate = "up_to_date"
        /// It has the configuration and the manifest of this run: whether it is up to date depends on the recordings' samples.
        case comparable
        /// Clips are appended to it.
        case grows
        /// It is brought to the manifest with the clips that it has.
        case follows
        /// It is replaced.
        case replaced
    }

    /// The state of the output.
    package internal(set) var output = Output.absent
    /// What an interrupted run left, and this one uses; nil: nothing.
    package internal(set) var resumed: ResumedRun?
    /// What an interrupted run left, and this one deletes (`--fresh`); nil: nothing.
    package internal(set) var discarded: SpoolContents?
    /// The file whose clips are copied; nil: none.
    package internal(set) var base: AppendBase?
    /// The changes that make the file agree with its manifest; nil: it does not follow one.
    package internal(set) var changes: SyncChanges?
    /// Clips of that file whose recordings are missing, so that they cannot be compared.
    package internal(set) var missing = ClipsOfRecordings()
    /// Whether the output may be replaced since it gets the statistics of its clips.
    var renewsStatistics = false
    /// What computed the clips that are used of shards and of an interrupted run; nil: this machine, as far as is known.
    var machines: UsedMachines?
    /// Why the shards next to an output that is up to date are neither used nor deleted, in words; nil: they are used, or there
    /// are none.
    var unusableShards: String?
    /// Which clips are done.
    var index: SpoolIndex
    /// What a later run must have in common with this one to use its clips.
    var identity: Provenance
    /// The clips that are asked for.
    let part: RunPart
    /// Their number.
    let clips: Int

    /// Nothing is known yet.
    ///
    /// - Parameter ledger: Size of the first ledger, in clips; 0 if another will replace it. Default: all clips of the manifest.
    init(_ extraction: Extraction, ledger: Int? = nil, part: RunPart = .all) {
        self.part = part
        clips = part.count(of: extraction.source.clipCount)
        index = SpoolIndex(clips: ledger ?? extraction.source.clipCount)
        identity = Provenance(extraction)
    }

    /// Clips that are not copied from an existing file.
    var total: Int { clips - index.kept }

    /// Clips whose recordings are to be read.
    package var clipsLeft: Int {
        guard output != .upToDate else { return 0 }
        // A file of a set is made of clips that are done.
        if case .range = part { return 0 }
        return clips - index.done
    }
    /// Clips of an existing file that are copied.
    package var keptClips: Int { base?.count ?? 0 }

    /// Clips that an interrupted run did, and that are deleted.
    ///
    /// - Complexity: Reads all of its folder.
    package var discardedClips: Int {
        get throws(StorageError) {
            var count = 0
            try discarded?.scan { _ in count += 1 }
            return count
        }
    }

    /// Whether a clip of the manifest, counted from 0, is kept unchanged, or is not asked for.
    package func keeps(_ clip: Int) -> Bool {
        // A plan that ended early has no ledger.
        !part.contains(clip) || clip < index.count && index[clip].isInFeatureFile
    }

    /// Marks clips whose rows are gone as not done, and starts a fresh run if no others are left.
    mutating func forgetClipsMissingRows() {
        guard var resumed, !resumed.clipsMissingRows.isEmpty else { return }
        resumed.forgetClipsMissingRows(index)
        if resumed.done > resumed.failed {
            self.resumed = resumed
        } else {
            // No rows at all: a new run can write its own at their final offsets again.
            index.forgetSpooled()
            self.resumed = nil
        }
    }
}

/// The clips of a manifest that a run is asked for.
enum RunPart: Sendable {
    case all
    /// Those of a shard; others are never done in its folder.
    case shard(ShardClips)
    /// Those of a file of a set.
    case range(Range<Int>)

    /// Their number, of `total` clips.
    func count(of total: Int) -> Int {
        switch self {
        case .all: total
        case .shard(let clips): clips.count
        case .range(let range): range.count
        }
    }

    /// Whether it has a clip, counted from 0.
    func contains(_ clip: Int) -> Bool {
        switch self {
        case .all: true
        case .shard(let clips): clips.contains(clip)
        case .range(let range): range.contains(clip)
        }
    }
}
