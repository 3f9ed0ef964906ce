/// What decodes or resamples recordings, and may give other last digits in another version or on another processor.
///
/// Plain WAVs, which this program reads itself, need none of them.
package enum DecodingLibrary: String, CaseIterable, Codable, Sendable {
    /// Any recording that is not a plain WAV.
    case libsndfile
    /// MP3 and older MPEG layers.
    case mpg123
    case vorbis
    case opus
    case ffmpeg
    /// A rate is changed by it; by a filter of this program, bits are equal on all processors.
    case soxr
}

extension SoundFileFormat {
    /// The libraries that decode it.
    var libraries: Set<DecodingLibrary> {
        if isMPEG { return [.libsndfile, .mpg123] }
        return switch encoding {
        case .vorbis: [.libsndfile, .vorbis]
        case .opus: [.libsndfile, .opus]
        default: [.libsndfile]
        }
    }
}
