import ArrayFiles
import AudioDecoding
import Conformance
import FeatureModel
import FileIO
import LiveAnalysis
import Messages
import Platform
import Testing

/// The sentences about arrays, sound files and live input, each once.
struct MediaSentencesTests {
    private static let arrays: [(ArrayFileError, String)] = [
        (
            .system(path: "a.npy", SystemError(code: ENOENT)),
            "a.npy: cannot read the array: \(SystemError(code: ENOENT))"
        ),
        (.content(path: "a.npy", name: nil, expected: "one", found: "two"), "a.npy: expected one, found two"),
        (
            .content(path: "a.ark", name: "x", expected: "one", found: "two"),
            "a.ark, array 'x': expected one, found two"
        ),
        (
            .noSuchArray(path: "a.npz", name: "x", names: ["y"]),
            "a.npz: there is no array 'x'; there is 'y'"
        ),
        (.noSuchArray(path: "a.npz", name: "x", names: []), "a.npz: there is no array 'x'; there is none"),
        (
            .severalArrays(path: "a.npz", names: (0..<12).map { "\($0)" }),
            "a.npz: expected one array, or the name of one by --array; there are '0', '1', '2', '3', '4', '5', '6', '7', "
                + "'8', '9' and 2 others"
        ),
    ]

    @Test(arguments: arrays) func `an error of an array`(error: ArrayFileError, sentence: String) {
        #expect(error.description == sentence)
    }

    private static let sounds: [(SoundFileError, String)] = [
        (
            .unknownExtension(path: "a.xyz", writable: [".wav", ".au", ".flac"]),
            "a.xyz: expected a name that ends in .wav, .au or .flac, which says how the recording is written"
        ),
        (
            .unsupported(path: "a.opus", .opus, sampleRate: 44_100, channels: 1),
            "a.opus: libsndfile does not write this format with 1 channel at 44100 Hz: "
                + "Opus takes 8000, 12000, 16000, 24000 and 48000 Hz only; choose another ("
                + SoundFileContainer.writableExtensions.joined(separator: " ") + ")"
        ),
        (.exists(path: "a.wav"), "a.wav: the file exists: give --overwrite to replace it, or another name"),
        (
            .notReplaceable(path: "a.wav"),
            "a.wav: expected a regular file or nothing under this name, found a folder, pipe or device"
        ),
        (
            .tooLong(path: "a.wav", bytes: 9, maximum: 8),
            "a.wav: 9 bytes of samples are more than the 8 that the format holds: choose .w64, .rf64, .caf or .flac"
        ),
        (
            .damaged(path: "a.wav", reason: "words", isSystemFault: false),
            "a.wav: the file did not read back as it was written, and was removed: words"
        ),
        (
            .failed(path: "a.wav", operation: "write it", SystemError(code: ENOENT)),
            "a.wav: cannot write it: \(SystemError(code: ENOENT))"
        ),
        (.refused(path: "a.wav", words: "words"), "a.wav: cannot write it: words (libsndfile)"),
    ]

    @Test(arguments: sounds) func `an error of a sound file`(error: SoundFileError, sentence: String) {
        #expect(error.description == sentence)
    }

    private static let live: [(LiveError, String)] = [
        (.cancelled, "stopped before there was anything to show"),
        (.empty(name: "-"), "-: expected samples, found none: the input has ended"),
        (.unreadable(name: "-", code: ENOENT), "-: cannot be read: \(SystemError(code: ENOENT))"),
        (
            .nothingRecorded(output: "l.h5"),
            "l.h5: not written, since no frame, or no patch of frames, was complete: the input was too short"
        ),
        (
            .unknownFormat(name: "-", found: "words"),
            "-: expected a WAV header, found words: for raw samples give --rate, and --format and --channels where they are "
                + "not s16le and 1"
        ),
        (
            .recording(name: "-", kind: "a FLAC file"),
            "-: expected WAV or raw samples, found a FLAC file: give its file with --file, or decode it first, such as by sox "
                + "or ffmpeg"
        ),
        (.header(name: "-", reason: "words"), "-: words"),
        (
            .otherFormat(name: "-", .sampleRate, given: "16000", found: "8000"),
            "-: the WAV header says 8000, but --rate 16000 was given: leave --rate out"
        ),
        (
            .otherFormat(name: "-", .encoding, given: "f32le", found: "s16le"),
            "-: the WAV header says s16le, but --format f32le was given: leave --format out"
        ),
        (
            .otherFormat(name: "-", .channels, given: "1", found: "2"),
            "-: the WAV header says 2, but --channels 1 was given: leave --channels out"
        ),
        (.input(name: "-", failure: .noSamples), "-: \(ClipFailure.noSamples.reason)"),
        (
            .needsWholeClip(key: "condition.remove_dc", found: "true", instead: "false"),
            "condition.remove_dc is true, which needs to know the whole recording first: give --set condition.remove_dc=false "
                + "for a display; 'veery extract' computes it of a folder of recordings"
        ),
        (
            .resizedRows(key: "rows.resize"),
            "rows.resize: rows are resized once the whole recording is known: 'veery extract' computes them of a folder of "
                + "recordings; --set rows=null keeps the rows of frames, which are not those that the configuration asks for"
        ),
    ]

    @Test(arguments: live) func `an error of live input`(error: LiveError, sentence: String) {
        #expect(error.description == sentence)
    }
}
