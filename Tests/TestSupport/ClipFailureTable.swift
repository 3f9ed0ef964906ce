import FeatureModel

/// Failures of every case, with what follows from the case.
package enum ClipFailureTable {
    package static let gone = SystemCallError(code: 2, message: "No such file or directory", isFault: false)
    package static let full = SystemCallError(code: 24, message: "Too many open files", isFault: true)

    /// Every case with its stage, kind and sentence. The kinds are stored in files: none of them may change.
    package static let rows: [(failure: ClipFailure, stage: ClipFailure.Stage, kind: String, reason: String)] = [
        (.cannotOpen(gone), .open, "cannot_open", "cannot read the file: No such file or directory"),
        (
            .cannotOpenMember("a/b.wav", archive: "c.tar", words: "it is damaged", gone), .open, "cannot_open_member",
            "cannot read 'a/b.wav' in the archive 'c.tar': it is damaged"
        ),
        (.isFolder, .open, "is_folder", "expected a recording, found a folder"),
        (
            .isNotRegularFile, .open, "is_not_regular_file",
            "expected a recording in a regular file, found a pipe, socket or device"
        ),
        (.isEmptyFile, .open, "is_empty_file", "expected a recording, found an empty file (0 bytes)"),
        (
            .notDecodable(words: "Format not recognised", nil), .open, "unknown_format",
            "expected a recording that libsndfile can read: Format not recognised; if it is one, convert it into a WAV with the "
                + "program that made it, or with ffmpeg -i in.xyz out.wav"
        ),
        (
            .foreign(.gitLFSPointer), .open, "git_lfs_pointer",
            "expected a recording, found a Git LFS pointer: the recording was not fetched"
        ),
        (
            .foreign(.text("<html>")), .open, "not_decodable",
            "expected a recording, found text: '<html>'"
        ),
        (
            .foreign(.compressedSphere(coding: "pcm,embedded-shorten-v2.00")), .open, "unknown_format",
            "expected a recording that libsndfile can read, found SPHERE whose samples are compressed "
                + "('pcm,embedded-shorten-v2.00'): convert it into a WAV, such as by ffmpeg -i in.sph out.wav"
        ),
        (
            .foreign(.compressedSphere(coding: "ulaw,embedded-shorten-v2.00")), .open, "unknown_format",
            "expected a recording that libsndfile can read, found SPHERE whose samples are compressed "
                + "('ulaw,embedded-shorten-v2.00'): sph2pipe -f wav in.sph out.wav makes a WAV of it; ffmpeg does not read such "
                + "samples"
        ),
        (
            .needsFFmpeg(format: "MP4", .notInstalled), .open, "needs_ffmpeg",
            "expected a recording that libsndfile can read, found MP4: install ffmpeg (with ffprobe), which reads it"
        ),
        (
            .needsFFmpeg(format: "AAC", .turnedOff), .open, "needs_ffmpeg",
            "expected a recording that libsndfile can read, found AAC: ffmpeg would read it, but --no-ffmpeg was given"
        ),
        (
            .needsFFmpeg(format: "AVI", .otherName), .open, "needs_ffmpeg",
            "expected a recording that libsndfile can read, found AVI: rename it with an extension of that format, such as "
                + ".m4a, .mp4, .aac, .wma or .mkv, and ffmpeg reads it"
        ),
        (
            .needsFFmpeg(format: "MP4", .inArchive), .open, "needs_ffmpeg",
            "expected a recording that libsndfile can read, found MP4: ffmpeg has to seek in it: unpack it from the archive"
        ),
        (
            .invalidHeader(channels: 0, sampleRate: 8000), .open, "invalid_header",
            "expected a recording, found 0 channels at 8000 Hz in the header"
        ),
        (
            .headerRepeated, .open, "header_repeated",
            "expected samples, found the header of the file once more: it was written into a pipe, which this format does "
                + "not allow"
        ),
        (
            .lengthNotStated(bytes: 7), .open, "length_not_stated",
            "expected a header that says how long the recording is, found one that does not, and 7 bytes of samples "
                + "after it"
        ),
        (
            .rateContradicted(header: 8000, frames: 16_000), .open, "rate_contradicted",
            "expected 8000 Hz by the header, found 16000 Hz by the frames of the recording: its header is damaged"
        ),
        (
            .lengthContradicted(header: 5, frames: 6), .open, "length_contradicted",
            "expected 5 samples by the header, found 6 by the frames of the recording: its header is damaged"
        ),
        (.cannotRead(full), .decode, "cannot_read", "cannot read the file: Too many open files"),
        (.cannotSeek(frame: 9, words: "no"), .decode, "cannot_seek", "cannot seek to sample 9: no"),
        (
            .endsBefore(frame: 9, end: 4), .decode, "ends_before",
            "cannot seek to sample 9: the recording ends at 4"
        ),
        (.replaced, .decode, "replaced", "the recording was replaced by another while it was read"),
        (
            .missingSamples(promised: 9, found: 4), .decode, "missing_samples",
            "expected 9 samples by the header, found only 4: the file is cut off or damaged"
        ),
        (
            .ffmpegFailed(words: "moov atom not found"), .decode, "ffmpeg_failed",
            "ffmpeg cannot decode the recording: moov atom not found"
        ),
        (
            .damaged(frame: 9, .decoder("lost sync")), .decode, "damaged",
            "the recording is damaged near sample 9: lost sync"
        ),
        (
            .damaged(frame: 9, .flacFrames), .decode, "damaged",
            "the recording is damaged near sample 9: frames of the FLAC are damaged or missing"
        ),
        (
            .damaged(frame: 9, .oggPage(3)), .decode, "damaged",
            "the recording is damaged near sample 9: Ogg page 3 is damaged"
        ),
        (
            .damaged(frame: 9, .oggPage(nil)), .decode, "damaged",
            "the recording is damaged near sample 9: an Ogg page is damaged"
        ),
        (
            .damaged(frame: 9, .oggSequence(expected: 3, found: 5)), .decode, "damaged",
            "the recording is damaged near sample 9: expected Ogg page 3, found page 5"
        ),
        (
            .chainedOgg, .decode, "chained_ogg",
            "expected one recording in the Ogg file, found several, one after another (a chained stream), of which only "
                + "the first would be read: split the file, or make one stream of them"
        ),
        (
            .otherStreamFollows(
                frame: 9, .init(sampleRate: 44_100, channels: 1, layer: 3),
                .init(sampleRate: 22_050, channels: 2, layer: 3)),
            .decode, "other_stream_follows",
            "expected one recording in the file, found another one after 9 samples: 22050 Hz, 2 channels, layer 3 follow "
                + "44100 Hz, 1 channel, layer 3; split the file, or convert it into a WAV, such as by ffmpeg -i in.mp3 out.wav"
        ),
        (
            .recordingFollows(frame: 9), .decode, "recording_follows",
            "expected one recording in the file, found another one after 9 samples, with a header of its own: split the file"
        ),
        (
            .cutOff(CutOff(promised: 13.914, present: 8)), .decode, "cut_off",
            "cut off: the header promises 13.91 s, 8.00 s are there"
        ),
        (
            .cutOff(CutOff(promised: 3, present: 2.9999)), .decode, "cut_off",
            "cut off: the header promises 3.0000 s, 2.9999 s are there"
        ),
        (
            .cutOff(CutOff(promised: 1, present: nil)), .decode, "cut_off",
            "cut off: the header promises 1.00 s, and less is there"
        ),
        (
            .cutOff(CutOff(promised: nil, present: 1)), .decode, "cut_off",
            "cut off: the end of the stream is missing, 1.00 s are there"
        ),
        (
            .cutOff(CutOff(promised: nil, present: 0.003).withoutSamples), .decode, "cut_off",
            "cut off: the end of the stream is missing, nothing can be read"
        ),
        (
            .cutOff(CutOff(promised: 13.914, present: nil).withoutSamples), .decode, "cut_off",
            "cut off: the header promises 13.91 s, nothing can be read"
        ),
        (
            .nonFiniteSample(ClipFailure.SampleValue(.nan), frame: 6000), .decode, "non_finite_sample",
            "expected finite samples, found nan at sample 6000"
        ),
        (
            .nonFiniteSample(ClipFailure.SampleValue(-.infinity), frame: 0), .decode, "non_finite_sample",
            "expected finite samples, found -inf at sample 0"
        ),
        (.noSamples, .decode, "no_samples", "expected samples, found none: the recording is empty"),
        (
            .segmentStartsLate(start: 9, length: 0.375), .decode, "segment_starts_late",
            "the segment starts at 9.0 s, but the recording lasts 0.375 s"
        ),
        (
            .segmentEndsLate(end: 0.5000004, length: 0.375), .decode, "segment_ends_late",
            "the segment ends at 0.5 s, but the recording lasts 0.375 s: --overshoot 0.13 cuts it at the end of the recording"
        ),
        (
            .segmentStartsLate(start: 8000, length: 2, likely: .samples), .decode, "segment_in_other_unit",
            "the segment starts at 8000.0 s, but the recording lasts 2.0 s: if the times are samples, give --time-unit samples"
        ),
        (
            .segmentEndsLate(end: 1500, length: 1.5, likely: .milliseconds), .decode, "segment_in_other_unit",
            "the segment ends at 1500.0 s, but the recording lasts 1.5 s: if the times are milliseconds, give --time-unit ms"
        ),
        (
            .declaredRate(declared: 8000, found: 16000), .decode, "declared_rate",
            "expected 8000 Hz, as the manifest says of the recording, found 16000 Hz: is it another recording?"
        ),
        (
            .otherSamples(expected: "00", found: "ff"), .decode, "other_samples",
            "expected the samples that were corrected, with audio_xxh3 00, found others, with ff: the recording has changed since; "
                + "correct the clip again, or delete audio_xxh3 from its corrections if they are still right"
        ),
        (
            .declaredLength(declared: 2.5, found: 2), .decode, "declared_length",
            "expected a recording of 2.5 s, as the manifest says, found 2.0 s: is it another one?"
        ),
        (
            .segmentEndsLate(end: nil, length: 0.375), .decode, "segment_ends_late",
            "the segment ends past the recording, which lasts 0.375 s"
        ),
        (
            .segmentWithoutSamples(seconds: 0.0001, sampleRate: 8000), .decode, "segment_without_samples",
            "the segment of 0.0001 s holds no sample at 8000 Hz"
        ),
        (.interrupted, .decode, "interrupted", "the recording was interrupted before its first sample"),
        (.stopped, .decode, "stopped", "stopped"),
        (
            .noSuchChannel(channel: 2, channels: 1), .condition, "no_such_channel",
            "expected channel 2 (counted from 0), found a recording of 1 channel"
        ),
        (
            .otherRate(expected: 8000, found: 11_025, than: .clip), .condition, "other_rate",
            "expected 8000 Hz, the rate of the first clip, found 11025 Hz: set audio.sample_rate, so that clips are "
                + "resampled to one rate"
        ),
        (
            .otherChannels(expected: 2, found: 1), .condition, "other_channels",
            "expected a recording of 2 channels, as the first clip has, since audio.channels is all, found 1"
        ),
        (
            .otherRate(expected: 8000, found: 11_025, than: .input), .condition, "other_rate",
            "expected 8000 Hz, the rate of the first input, found 11025 Hz: set audio.sample_rate, so that both are "
                + "resampled to one rate"
        ),
        (
            .ratesTooFarApart(input: 1, output: 8000), .condition, "rates_too_far_apart",
            "cannot resample from 1 Hz to 8000 Hz: the rates are too far apart"
        ),
        (
            .cannotResample(input: 1, output: 2, words: "no memory"), .condition, "cannot_resample",
            "cannot resample from 1 Hz to 2 Hz: no memory"
        ),
        (
            .rateOutOfRange(3, allowed: 10...20), .condition, "rate_out_of_range",
            "expected a rate from 10 to 20 Hz, found 3 Hz"
        ),
        (.noChannels(0), .condition, "no_channels", "expected at least one channel, found 0"),
        (
            .filterOverflow, .condition, "filter_overflow",
            "the samples are too large for the sums of a filter in single precision"
        ),
        (
            .nonFiniteFeatures, .transform, "non_finite_features",
            "expected finite values, found infinite ones: the samples, or the figures of the section scale, are too large"
        ),
        (
            .tooShort(minimum: 256, sampleRate: 8000, found: 255), .transform, "too_short",
            "expected at least 256 samples at 8000 Hz, found 255: the clip is too short"
        ),
        (
            .tooManyFrames(3_000_000_000), .store, "too_many_frames",
            "expected at most 2147483647 frames, found 3000000000"
        ),
        (
            .valueOutOfRange(limit: 65_504, found: 1e6, bin: 3, isNormalized: false), .store, "value_out_of_range",
            "expected values from -65504 to 65504 for store.type: float16, found 1000000.0 in bin 3: set store.type to "
                + "float32, or normalize.scope to dataset or clip"
        ),
        (
            .valueOutOfRange(limit: 65_504, found: -.infinity, bin: 3, isNormalized: true), .store,
            "value_out_of_range",
            "expected values from -65504 to 65504 for store.type: float16, found -inf in bin 3: set store.type to "
                + "float32, or another scale.kind"
        ),
        (.rejected, .store, "rejected", "the clip was rejected"),
    ]
}

extension ClipFailure {
    /// The cut, if it is one.
    package var cut: CutOff? { if case .cutOff(let cut) = self { cut } else { nil } }
}
