extension ClipFailure {
    /// The step at which a clip failed.
    public enum Stage: String, CaseIterable, Codable, Sendable {
        /// Opening the file and reading its header.
        case open
        /// Reading samples.
        case decode
        /// Choosing channels, resampling.
        case condition
        /// Framing and transforming.
        case transform
        /// Storing.
        case store
    }

    /// A failure without its payload. The names are those of `/failures/kind` and never change their meaning
    /// (`Schemas/features-1.0.md` lists them).
    public enum Kind: String, CaseIterable, Codable, Sendable {
        case cannotOpen = "cannot_open"
        case cannotOpenMember = "cannot_open_member"
        case isFolder = "is_folder"
        case isNotRegularFile = "is_not_regular_file"
        case isEmptyFile = "is_empty_file"
        case notDecodable = "not_decodable"
        case unknownFormat = "unknown_format"
        case gitLFSPointer = "git_lfs_pointer"
        case needsFFmpeg = "needs_ffmpeg"
        case invalidHeader = "invalid_header"
        case headerRepeated = "header_repeated"
        case lengthNotStated = "length_not_stated"
        case rateContradicted = "rate_contradicted"
        case lengthContradicted = "length_contradicted"

        case cannotRead = "cannot_read"
        case cannotSeek = "cannot_seek"
        case endsBefore = "ends_before"
        case replaced
        case missingSamples = "missing_samples"
        case ffmpegFailed = "ffmpeg_failed"
        case damaged
        case chainedOgg = "chained_ogg"
        case otherStreamFollows = "other_stream_follows"
        case recordingFollows = "recording_follows"
        case cutOff = "cut_off"
        case nonFiniteSample = "non_finite_sample"
        case noSamples = "no_samples"
        case segmentStartsLate = "segment_starts_late"
        case segmentEndsLate = "segment_ends_late"
        case segmentInOtherUnit = "segment_in_other_unit"
        case segmentWithoutSamples = "segment_without_samples"
        case declaredRate = "declared_rate"
        case declaredLength = "declared_length"
        case otherSamples = "other_samples"
        case interrupted
        case stopped

        case noSuchChannel = "no_such_channel"
        case otherRate = "other_rate"
        case otherChannels = "other_channels"
        case ratesTooFarApart = "rates_too_far_apart"
        case cannotResample = "cannot_resample"
        case rateOutOfRange = "rate_out_of_range"
        case noChannels = "no_channels"
        case filterOverflow = "filter_overflow"

        case nonFiniteFeatures = "non_finite_features"
        case tooShort = "too_short"

        case tooManyFrames = "too_many_frames"
        case valueOutOfRange = "value_out_of_range"
        case rejected

        /// The step that fails so.
        public var stage: Stage {
            switch self {
            case .cannotOpen, .cannotOpenMember, .isFolder, .isNotRegularFile, .isEmptyFile, .notDecodable,
                .unknownFormat, .gitLFSPointer, .needsFFmpeg, .invalidHeader, .headerRepeated, .lengthNotStated,
                .rateContradicted, .lengthContradicted:
                .open
            case .cannotRead, .cannotSeek, .endsBefore, .replaced, .missingSamples, .ffmpegFailed, .damaged,
                .chainedOgg, .otherStreamFollows, .recordingFollows, .cutOff,
                .nonFiniteSample, .noSamples, .segmentStartsLate, .segmentEndsLate, .segmentInOtherUnit,
                .segmentWithoutSamples,
                .declaredRate, .declaredLength, .otherSamples, .interrupted, .stopped:
                .decode
            case .noSuchChannel, .otherRate, .otherChannels, .ratesTooFarApart, .cannotResample, .rateOutOfRange,
                .noChannels, .filterOverflow:
                .condition
            case .nonFiniteFeatures, .tooShort: .transform
            case .tooManyFrames, .valueOutOfRange, .rejected: .store
            }
        }

        /// Whether a resumed run reads the clip again: the file may be readable by now, with the same size and time.
        public var isTransient: Bool { stage == .open || self == .cannotRead }
    }

    /// The case without its payload.
    public var kind: Kind {
        switch self {
        case .cannotOpen: .cannotOpen
        case .cannotOpenMember: .cannotOpenMember
        case .isFolder: .isFolder
        case .isNotRegularFile: .isNotRegularFile
        case .isEmptyFile: .isEmptyFile
        case .notDecodable(Self.unknownFormat, nil), .foreign(.compressedSphere): .unknownFormat
        case .foreign(.gitLFSPointer): .gitLFSPointer
        case .notDecodable, .foreign(.text): .notDecodable
        case .needsFFmpeg: .needsFFmpeg
        case .invalidHeader: .invalidHeader
        case .headerRepeated: .headerRepeated
        case .lengthNotStated: .lengthNotStated
        case .rateContradicted: .rateContradicted
        case .lengthContradicted: .lengthContradicted
        case .cannotRead: .cannotRead
        case .cannotSeek: .cannotSeek
        case .endsBefore: .endsBefore
        case .replaced: .replaced
        case .missingSamples: .missingSamples
        case .ffmpegFailed: .ffmpegFailed
        case .damaged: .damaged
        case .chainedOgg: .chainedOgg
        case .otherStreamFollows: .otherStreamFollows
        case .recordingFollows: .recordingFollows
        case .cutOff: .cutOff
        case .nonFiniteSample: .nonFiniteSample
        case .noSamples: .noSamples
        case .segmentStartsLate(_, _, _?), .segmentEndsLate(_, _, _?): .segmentInOtherUnit
        case .segmentStartsLate: .segmentStartsLate
        case .segmentEndsLate: .segmentEndsLate
        case .segmentWithoutSamples: .segmentWithoutSamples
        case .declaredRate: .declaredRate
        case .declaredLength: .declaredLength
        case .otherSamples: .otherSamples
        case .interrupted: .interrupted
        case .stopped: .stopped
        case .noSuchChannel: .noSuchChannel
        case .otherRate: .otherRate
        case .otherChannels: .otherChannels
        case .ratesTooFarApart: .ratesTooFarApart
        case .cannotResample: .cannotResample
        case .rateOutOfRange: .rateOutOfRange
        case .noChannels: .noChannels
        case .filterOverflow: .filterOverflow
        case .nonFiniteFeatures: .nonFiniteFeatures
        case .tooShort: .tooShort
        case .tooManyFrames: .tooManyFrames
        case .valueOutOfRange: .valueOutOfRange
        case .rejected: .rejected
        }
    }
}
