import FeatureModel

/// What to do about a recording that is broken: how it is mended, and which options of a command go on without that.
package struct RecordingAdvice: Sendable {
    /// Whether the command takes `--start` and `--end`.
    package let takesParts: Bool
    /// What is done already with recordings that are cut off, and with samples that are not finite; nil: it is not asked for.
    private let policy: RecordingPolicy?

    /// - Parameters:
    ///   - policy: What `--truncated` and `--non-finite` say; nil: the command does not take them, or not of this recording.
    ///   - takesParts: Whether it takes `--start` and `--end`, too.
    package init(_ policy: RecordingPolicy?, takesParts: Bool) { (self.policy, self.takesParts) = (policy, takesParts) }

    /// The reason of a failure and, where a broken recording is at fault and the reason does not say what to do, that.
    package func reason(_ failure: ClipFailure) -> String {
        guard let mend = mend(failure) else { return failure.reason }
        // Texts of decoders may end as a sentence.
        let reason = failure.reason
        return "\(reason.hasSuffix(".") ? String(reason.dropLast()) : reason); \(mend)"
    }

    private func mend(_ failure: ClipFailure) -> String? {
        guard let mend = failure.mend else { return nil }
        switch failure {
        case .cutOff where policy?.truncated == .fail:
            return mend.sentence + ", or give --truncated keep, which reads what is there"
        case .nonFiniteSample where policy?.nonFinite == .fail:
            return mend.sentence + ", or give --non-finite zero, which sets such samples to 0"
        case .damaged where takesParts:
            return mend.sentence + ", or give --start and --end of a part without the damage"
        default: return mend.sentence
        }
    }
}

extension ClipFailure {
    /// How a broken recording is mended; nil: something else is at fault, or the reason says it.
    fileprivate var mend: RecordingMend? {
        if case .foreign(.text) = self { return .download }
        return RecordingMend(kind)
    }
}

/// How a broken recording is mended.
package enum RecordingMend: Sendable {
    /// It is intact where it came from.
    case copy
    /// A server has sent something else.
    case download
    /// Git LFS has it.
    case fetch
    /// Its samples are wrong.
    case write
    /// It went into a pipe.
    case writeFile

    /// Nil: for failures of this kind, something else is at fault, or their reasons say what to do.
    package init?(_ kind: ClipFailure.Kind) {
        switch kind {
        case .isEmptyFile, .notDecodable, .invalidHeader, .rateContradicted, .lengthContradicted, .cannotSeek,
            .endsBefore, .missingSamples, .ffmpegFailed, .damaged, .cutOff:
            self = .copy
        case .gitLFSPointer: self = .fetch
        case .headerRepeated, .lengthNotStated: self = .writeFile
        case .nonFiniteSample: self = .write
        case .cannotOpen, .cannotOpenMember, .isFolder, .isNotRegularFile, .unknownFormat, .needsFFmpeg, .cannotRead,
            .replaced, .chainedOgg, .otherStreamFollows, .recordingFollows, .noSamples, .segmentStartsLate,
            .segmentEndsLate, .segmentInOtherUnit, .segmentWithoutSamples, .declaredRate, .declaredLength,
            .otherSamples, .interrupted,
            .stopped, .noSuchChannel, .otherRate, .otherChannels, .ratesTooFarApart, .cannotResample, .rateOutOfRange,
            .noChannels, .filterOverflow, .nonFiniteFeatures, .tooShort, .tooManyFrames, .valueOutOfRange, .rejected:
            return nil
        }
    }

    /// How the recording of a stored failure is mended; nil: also where its kind is not known.
    package init?(_ record: FailureRecord) {
        guard let kind = record.kind.flatMap(ClipFailure.Kind.init) else { return nil }
        self.init(kind)
    }

    fileprivate var sentence: String {
        switch self {
        case .copy: "copy or download the recording again"
        case .download: "download the recording again"
        case .fetch: "run git lfs pull in its repository"
        case .write: "write the recording again"
        case .writeFile: "write the recording again, into a file rather than a pipe"
        }
    }
}
