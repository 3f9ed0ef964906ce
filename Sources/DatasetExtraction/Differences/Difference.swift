import FeatureStorage

/// A difference between existing clips, of a spool, a shard or a feature file, and the clips that a run would compute.
package enum Difference: Hashable, Sendable {
    /// The file holds something of this name that no run writes.
    case foreign(String)
    /// A setting of the configuration, by its full key; nil: it is missing on that side.
    case setting(String, before: String?, now: String?)
    /// The version of the program that computed the clips read some recordings differently.
    case records
    /// Only one of the two keeps clips of an older file, or both do, of different files.
    case base(before: Bool, now: Bool)
    /// The bytes of the manifest, and how many clips it had and has.
    case manifest(before: Int?, now: Int?)
    /// What quotation marks in the manifest mean.
    case quoting(before: String, now: String)
    /// The corrections of the manifest: whether there were and are any; by both: others.
    case corrections(before: Bool, now: Bool)
    /// Whether frames have labels; by both: of other annotations.
    case labels(before: Bool, now: Bool)
    /// The statistics that normalise are those of another file, or not of the file that was given.
    case statistics(given: String?)
    case truncated(before: String, now: String)
    case nonFinite(before: String, now: String)
    case sampleRate(before: Double, now: Double)
    case channels(before: Int, now: Int)
    /// The columns, the times of frames or the rate of the recordings.
    case signals(rate: Int, channels: Int?)
    /// What other kinds of machine have computed some of the clips, in words; nil: nothing.
    case machines(before: String?, now: String?)
    /// The version of this program, or of a library.
    case version(of: String, before: String, now: String)
    /// The transform; nil: that of FFTW.
    case transform(before: String?, now: String?)
    /// All versions as JSON, where none that both name differs.
    case software(before: String, now: String)
    /// The description of a spool cannot be read.
    case unreadable
}

/// Which differences a use of clips forgives: a row for each store that can have them.
struct Tolerance: Sendable {
    /// What has to agree of the software.
    enum Software: Sendable {
        /// Every version.
        case all
        /// The program and its transform; `MachineComparison` knows which libraries clips depend on.
        case program
        /// The versions of what both name, and the transform.
        case libraries
        /// The transform.
        case transform
        case nothing
    }

    let software: Software
    /// Whether settings are forgiven that are applied when the file is assembled, after the clips are in the spool.
    let forgivesLateSettings: Bool
    let forgives: @Sendable (Difference) -> Bool

    private init(
        _ software: Software, forgivesLateSettings: Bool = false,
        _ forgives: @escaping @Sendable (Difference) -> Bool = { _ in false }
    ) {
        (self.software, self.forgivesLateSettings, self.forgives) = (software, forgivesLateSettings, forgives)
    }

    /// What an interrupted run left.
    static let spool = Tolerance(.all, forgivesLateSettings: true)
    /// The same where the existing file is replaced: clips that an earlier run computed for an update of it are used, too.
    static let spoolOfUpdate = Tolerance(.all, forgivesLateSettings: true) {
        if case .base(before: true, now: false) = $0 { true } else { false }
    }
    /// A shard, perhaps of another machine.
    static let shard = Tolerance(.program, forgivesLateSettings: true)

    /// What a run over an older file left, and what has become a file since.
    static let finishedSpool = Tolerance(.all, forgivesLateSettings: true) {
        switch $0 {
        case .base, .manifest, .corrections, .quoting, .labels: true
        default: false
        }
    }

    /// A finished file that would be left as it is.
    ///
    /// - Parameter mixed: Whether one may be left that other kinds of machine have computed in part.
    static func output(mixed: Bool) -> Tolerance {
        Tolerance(.all) {
            switch $0 {
            case .machines(_, now: nil): mixed
            default: false
            }
        }
    }

    /// A finished file as tasks of other machines see it.
    ///
    /// - Parameter statistics: Whether it may be normalised by others.
    static func source(statistics: Bool) -> Tolerance {
        Tolerance(.nothing) {
            switch $0 {
            case .machines: true
            case .statistics: statistics
            default: false
            }
        }
    }

    /// A file that grows: its clips, and the annotations of each, are compared one by one.
    static func append(statistics: Bool) -> Tolerance {
        Tolerance(.transform) {
            switch $0 {
            case .manifest, .corrections(before: _, now: true), .quoting, .base, .machines,
                .labels(before: true, now: true):
                true
            case .statistics: statistics
            default: false
            }
        }
    }

    /// A file that follows its manifest: the same, and frames may get labels.
    static func sync(statistics: Bool) -> Tolerance {
        Tolerance(.libraries) {
            switch $0 {
            case .manifest, .corrections(before: _, now: true), .quoting, .base, .machines,
                .labels(before: _, now: true):
                true
            case .statistics: statistics
            default: false
            }
        }
    }
}
