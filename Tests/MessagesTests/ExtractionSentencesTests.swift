import FeatureModel
import FeatureStorage
import FileIO
import Messages
import TestSupport
import Testing

@testable import DatasetExtraction

/// The sentences of extraction, each once: what a test of another module asserts is the case.
struct ExtractionSentencesTests {
    private static let otherSplit =
        "name one (--set normalize.fit=NAME), take all clips (--set 'normalize.fit=\"\"'), or set normalize.scope to none "
        + "or clip"

    private static let version = Difference.version(of: "veery", before: "1", now: "2")
    private static let transform = Difference.transform(before: "lanes 1", now: "lanes 1 with double rows")

    private static func settings(_ count: Int) -> [Difference] {
        (0..<count).map { .setting("frame.k\($0)", before: "1", now: "2") }
    }

    private static let errors: [(ExtractionError, String)] = [
        (
            .otherRun(folder: "f.spool", differences: [.records]),
            "f.spool: an interrupted run left clips here, but another version of veery made it, which read some recordings "
                + "otherwise: complete the run with the version that began it, or give --fresh to delete its clips"
        ),
        (
            .otherRun(folder: "f.spool", differences: [.manifest(before: 3, now: 2)]),
            "f.spool: an interrupted run left clips here, but the manifest has changed (it had 3 clips and has 2 now): finish the "
                + "run with the manifest as it was, then give --sync with the new one, which keeps the clips that are the same; or "
                + "give --fresh to delete its clips"
        ),
        (
            .otherRun(folder: "f.spool", differences: [version, transform]),
            "f.spool: an interrupted run left clips here, but veery was version 1 and is 2 now; the transform was 'lanes 1' and "
                + "is 'lanes 1 with double rows' now: complete the run with the version that began it, or give --fresh to "
                + "delete its clips"
        ),
        (
            .otherRun(folder: "f.spool", differences: [.setting("frame.hop", before: "1", now: "2"), transform]),
            "f.spool: an interrupted run left clips here, but frame.hop was 1 and is 2 now; the transform was 'lanes 1' and is "
                + "'lanes 1 with double rows' now: undo that to resume the run, or give --fresh to delete its clips"
        ),
        (
            .otherRun(folder: "f.spool", differences: settings(5) + [transform]),
            "f.spool: an interrupted run left clips here, but 5 settings differ: frame.k0 was 1 and is 2 now; frame.k1 was 1 and "
                + "is 2 now; frame.k2 was 1 and is 2 now; and 2 more; the transform was 'lanes 1' and is 'lanes 1 with double "
                + "rows' now: undo that to resume the run, or give --fresh to delete its clips"
        ),
        (
            .cannotAppend(path: "f.h5", .differences(settings(29))),
            "f.h5: clips can be appended to a file of the same configuration, made from a part of the manifest's clips in "
                + "the same order, but 29 settings differ from those that veery inspect f.h5 --json shows: frame.k0 was 1 and is 2 "
                + "now; frame.k1 was 1 and is 2 now; frame.k2 was 1 and is 2 now; and 26 more"
        ),
        (
            .cannotAppend(path: "f.h5", .differences(settings(4))),
            "f.h5: clips can be appended to a file of the same configuration, made from a part of the manifest's clips in "
                + "the same order, but frame.k0 was 1 and is 2 now; frame.k1 was 1 and is 2 now; frame.k2 was 1 and is 2 now; "
                + "frame.k3 was 1 and is 2 now"
        ),
        (
            .outputExists(path: "-a file.h5", .made(settings(9), follows: false)),
            "-a file.h5: the file exists and was made with another configuration (9 settings differ from those that veery inspect "
                + "'./-a file.h5' --json shows: frame.k0 was 1 and is 2 now; frame.k1 was 1 and is 2 now; frame.k2 was 1 and is 2 now; and 6 more): give "
                + "--overwrite to replace it, or another name"
        ),
        (
            .otherRun(folder: "f.spool", differences: [.unreadable]),
            "f.spool: an interrupted run left clips here, but its description cannot be read: give --fresh to delete its clips"
        ),
        (
            .shardOfOtherRun(folder: "f.h5.shards/00001-of-00002", differences: [version]),
            "f.h5.shards/00001-of-00002: this shard of the same output was made otherwise: veery was version 1 and is 2 now: "
                + "run all shards with one version, or give --fresh to each to compute them again"
        ),
        (
            .shardOfOtherRun(folder: "f.h5.shards/00001-of-00002", differences: [.unreadable]),
            "f.h5.shards/00001-of-00002: this shard of the same output was made otherwise: its description cannot be read: "
                + "give --fresh to this shard to compute it again"
        ),
        (
            .cannotAppend(path: "f.h5", .differences([transform])),
            "f.h5: clips can be appended to a file of the same configuration, made from a part of the manifest's clips in "
                + "the same order, but the transform was 'lanes 1' and is 'lanes 1 with double rows' now: append with the "
                + "version that made it, or give --overwrite instead of --append to compute all clips again"
        ),
        (
            .cannotSync(path: "f.h5", .differences([version])),
            "f.h5: a file that follows its manifest has the same configuration, software and recordings of its clips, but "
                + "veery was version 1 and is 2 now: sync with the version that made it, or add --overwrite to compute all "
                + "clips again"
        ),
        (
            .otherMachines([
                OtherMachine(
                    folder: "X.h5.shards/00003-of-00016",
                    differences: [.other(.opus, there: "libopus for AVX", here: "libopus for SSE")])
            ]),
            "X.h5.shards/00003-of-00016: Opus was decoded by libopus for AVX there and by libopus for SSE here: values may "
                + "differ in last digits: run these shards again on one kind of machine, the same as this one, or give "
                + "--allow-mixed"
        ),
        (
            .clipsElsewhere(kept: "f.spool", isBesideOutput: true, exists: true),
            "an interrupted run of this output kept its clips in f.spool: give its command, without --scratch, again to "
                + "resume it, or --fresh to delete them"
        ),
        (
            .clipsElsewhere(kept: "s/f-1", isBesideOutput: false, exists: true),
            "an interrupted run of this output kept its clips in s/f-1: give the same --scratch again to resume it, or "
                + "--fresh to delete them"
        ),
        (
            .clipsElsewhere(kept: "s/f-1", isBesideOutput: false, exists: false),
            "an interrupted run of this output kept its clips in s/f-1, which is missing: restore it, or give --fresh to "
                + "start over"
        ),
        (
            .goneFolder(path: "f.spool"),
            "f.spool: the folder of finished clips has gone during the work (was its disk unmounted?): bring it back and give the same "
                + "command again; without it, the command starts from the first clip"
        ),
        (
            .missingRecordings(folder: "f.spool", count: 3, path: "1.wav"),
            "f.spool: clips are kept here, but the recordings of 3 of them, such as 1.wav, are missing: restore them (is a "
                + "disk not mounted?) and give the same command again, or add --keep-missing to use those clips as they "
                + "were read, or --fresh to delete all"
        ),
        (
            .cannotAppend(path: "f.h5", .otherAnnotations(id: "a")),
            "f.h5: clips can be appended to a file of the same configuration, made from a part of the manifest's clips in "
                + "the same order, but the annotations of its clip 'a' have changed, or are not among those of "
                + "--frame-labels"
        ),
        (
            .cannotSync(path: "f.h5", .otherManifest),
            "f.h5: a file that follows its manifest has the same configuration, software and recordings of its clips, but "
                + "the manifest has changed since: add --sync to follow it: undo that, or add --overwrite to compute all "
                + "clips again"
        ),
        (
            .staleClips(path: "f.h5", count: 2, recordings: ["2.wav", "3.wav"]),
            "f.h5: the recordings of 2 clips are no longer those that the file was made from, or the manifest says another "
                + "length or rate of them (2.wav, 3.wav): restore them, or give --sync instead of --append to compute these "
                + "clips anew, or --overwrite to compute all"
        ),
        (
            .outputExists(path: "f.h5", .missingRecording(path: "b.wav")),
            "f.h5: the file exists and the recording b.wav, of which it has clips, is not there: make it available again, "
                + "such as by mounting its disk or with --root, and give the same command; --overwrite makes a file without "
                + "these clips"
        ),
        (
            .outputExists(path: "f.h5", .incomplete),
            "f.h5: the file exists and is not a complete feature file: give --overwrite to replace it, or another name"
        ),
        (
            .notReplaceable(path: "f.h5"),
            "f.h5: the file exists and is no feature file, so it is not replaced, not even with --overwrite: choose another "
                + "name"
        ),
        (
            .unwritableFolder(path: "no", reason: "words"), "no: cannot write into this folder: words"
        ),
        (
            .otherFileSystem(folder: "f.spool"),
            "f.spool: cannot write into this folder: it is on another file system than the output, which is assembled there "
                + "and then renamed; --scratch keeps finished clips elsewhere"
        ),
        (
            .noSuchSplit(name: "trian", manifest: "m.csv", known: ["train", "test"]),
            "m.csv: normalize.fit names the split 'trian', but the split column holds only 'train', 'test': "
                + otherSplit
        ),
        (
            .noSuchSplit(name: "x", manifest: "m.csv", known: []),
            "m.csv: normalize.fit names the split 'x', but the split column holds no names: " + otherSplit
        ),
        (
            .unusableStatistics(path: "f.h5", difference: "words"),
            "f.h5: its statistics cannot be applied: words; --stats-from needs a file of the same features (audio, "
                + "condition, frame, transform, scale), normalised with normalize.scope: dataset, as these are"
        ),
        (.unusableName(path: "f.h5", reason: "words"), "f.h5: words"),
        (
            .stream(name: "a.tar", .zipInStream),
            "a.tar: a zip has its list at its end: give it as a file, without --tar"
        ),
        (
            .noSampleRate(manifest: "m.csv", clips: 2, firstFailure: .isFolder, firstPath: "a.wav"),
            "m.csv: none of 2 recordings can be opened, and audio.sample_rate is null, so no sample rate is known; the first "
                + "is a.wav: \(ClipFailure.isFolder.reason)"
        ),
    ]

    @Test(arguments: errors) func `an error`(error: ExtractionError, sentence: String) {
        #expect(error.description == sentence)
    }

    @Test func `a run that stopped says what it has kept, and how it goes on`() {
        let stopped = StoppedExtraction(cause: ExtractionError.cancelled, done: 5, total: 9, folder: "f.spool")
        #expect(
            stopped.description
                == "stopped before the file was complete\n5 of 9 clips are done and kept in f.spool: give the same command "
                + "again to resume")
    }

    @Test func `a run that stopped says how many of its clips failed`() {
        let stopped = StoppedExtraction(
            cause: ExtractionError.cancelled, done: 5, failed: 3, total: 9, folder: "f.spool")
        #expect(
            stopped.description.contains("5 of 9 clips are done and kept in f.spool (3 of them failed): give the same"))
    }

    @Test(arguments: [(true, ", without --append,"), (false, "")])
    func `a run that stopped at damage leaves out --append only where it is given`(keepsAll: Bool, words: String) {
        let stopped = StoppedExtraction(
            cause: StorageError.damaged(path: "f.h5", found: "x"), done: 5, total: 9, folder: "f.spool",
            keepsAllOlder: keepsAll)
        #expect(
            stopped.description.hasSuffix(
                "give the same command again to resume; --fresh --overwrite\(words) computes all clips again"))
    }

    private static let differences: [(Difference, String)] = [
        (.setting("frame.hop", before: "128", now: "64"), "frame.hop was 128 and is 64 now"),
        (.base(before: true, now: false), "it kept the clips of an older file, and this does not"),
        (.base(before: false, now: true), "it was not an --append or --sync, and this is one"),
        (.manifest(before: 300, now: 301), "the manifest has changed (it had 300 clips and has 301 now)"),
        (.manifest(before: nil, now: nil), "the manifest has changed"),
        (
            .quoting(before: "csv", now: "literal"),
            "the manifest was read with --quoting csv and is read with --quoting literal now"
        ),
        (.labels(before: true, now: false), "it was made with --frame-labels, and this is not"),
        (.labels(before: false, now: true), "it was made without --frame-labels, and this is made with it"),
        (.labels(before: true, now: true), "the annotations of --frame-labels have changed"),
        (.statistics(given: "g.h5"), "it was not normalised by the statistics of g.h5"),
        (.statistics(given: nil), "it was normalised by the statistics of another file"),
        (.truncated(before: "fail", now: "keep"), "--truncated was fail and is keep now"),
        (.nonFinite(before: "fail", now: "zero"), "--non-finite was fail and is zero now"),
        (.sampleRate(before: 16_000, now: 8000.5), "the sample rate was 16000 Hz and is 8000.5 Hz now"),
        (.channels(before: 1, now: 2), "the clips had 1 channel and have 2 now"),
        (.signals(rate: 44_100, channels: nil), "its recordings have another sample rate than 44100 Hz"),
        (.machines(before: "words", now: nil), "other kinds of machine computed some of its clips"),
        (.version(of: "veery", before: "1", now: "2"), "veery was version 1 and is 2 now"),
        (.transform(before: nil, now: "lanes 1"), "the transform was that of FFTW and is 'lanes 1' now"),
        (.unreadable, "its description cannot be read"),
        (.corrections(before: true, now: false), "it was made with --corrections, and this is not"),
        (.corrections(before: false, now: true), "it was made without --corrections, and this is made with them"),
        (.corrections(before: true, now: true), "the corrections have changed"),
    ]

    @Test(arguments: differences) func `a difference`(difference: Difference, clause: String) {
        #expect(difference.description == clause)
    }

    private static let withoutCorrections =
        "has corrections (give them with --corrections, or a file of corrections with a header alone to take them back)"

    private static let obstacles: [(UpdateObstacle, String)] = [
        (.otherPart(clip("c2", duration: 0.675)), "its clip 'c2' is 0.675 s of 'c2.wav' from 0.0 s on"),
        (
            .otherChannel(id: "a", before: 1, now: 0),
            "the manifest names channel 0 for the clip 'a' instead of channel 1"
        ),
        (
            .otherChannel(id: "a", before: 1, now: nil),
            "the manifest names no channel for the clip 'a' instead of channel 1"
        ),
        (.otherCorrections, "the corrections have changed since: add --sync to apply them"),
        (.differences([.corrections(before: true, now: false)]), "it \(withoutCorrections)"),
        (
            .missingClips(missing([])),
            "its clip 'z' is not in the file's order: the manifest has all of its clips, in another one. Restore the order "
                + "of its rows, or give --sync instead of --append"
        ),
        (
            .missingClips(missing([("d", .removed)])),
            "its clip 'd' is not in the manifest (no row names its recording 'd.wav'). Restore these rows, or give --sync "
                + "instead of --append"
        ),
        (
            .missingClips(
                missing(
                    [
                        ("a", .renamed(id: "other")), ("b", .changedSegment(id: "b#1")),
                        ("c", .moved(path: "new/c.wav")),
                    ],
                    count: 4)),
            "its clip 'a' is not in the manifest (its recording is there as 'other'), nor are 3 more of its 4 clips: 'b' "
                + "(its recording is there with other times, as 'b#1'), 'c' (its recording seems to have moved to "
                + "'new/c.wav'), …. Restore these rows, or give --sync instead of --append"
        ),
    ]

    @Test(arguments: obstacles) func `an obstacle`(obstacle: UpdateObstacle, clause: String) {
        #expect(obstacle.words(of: "f.h5") == clause)
    }

    private static let outputs: [(OutputDifference, String)] = [
        (
            .made([.setting("normalize.scope", before: "none", now: "clip")], follows: true),
            "was made with another configuration (normalize.scope was none and is clip now)"
        ),
        (
            .made([.manifest(before: nil, now: nil)], follows: true),
            "was made from another manifest (--sync brings it to this one)"
        ),
        (
            .made([.statistics(given: nil)], follows: true),
            "is normalised by the statistics of another: clips were appended to it (see --append), it follows its manifest "
                + "(see --sync), or --stats-from was given (--sync --new-statistics computes those of its clips)"
        ),
        (.made([.corrections(before: true, now: false)], follows: true), withoutCorrections),
        (
            .made([.corrections(before: false, now: true)], follows: true),
            "was made without corrections (--sync applies them)"
        ),
        (.made([.corrections(before: true, now: true)], follows: false), "was made with other corrections"),
        (.numberOfFiles(3, wanted: 2), "names 3 files, not 2"),
        (.damaged("words"), "is damaged: words"),
        (
            .unreadable(.busy(path: "f.h5", owner: nil)),
            "cannot be read: \(StorageError.busy(path: "f.h5", owner: nil))"
        ),
        (
            .readableRecording(path: "b.wav", follows: true),
            "the recording b.wav could not be read then, and can be read now (--retry-failed adds its clips)"
        ),
        (
            .changedRecording(path: "b.wav", follows: true),
            "the recording b.wav is not what it was made from (--sync computes its clips anew)"
        ),
        (.otherClips, "does not have what the shards have of its clips"),
        (.otherRecording, "is not this recording"),
    ]

    @Test(arguments: outputs) func `an output that is in the way`(difference: OutputDifference, clause: String) {
        #expect(difference.words(of: "f.h5") == clause)
    }

    private static func clip(_ id: String, duration: Double = 1) -> StoredClip {
        StoredClip(
            id: id, path: "\(id).wav", label: "", split: "", labelIndex: -1,
            measurement: ClipMeasurement(sampleRate: 8000, channels: 1, start: 0, duration: duration),
            frameStart: 0, frameCount: 1, audioChecksum: "", tensorChecksum: "", extra: [])
    }

    private static func missing(_ examples: [(String, MissingClips.Cause)], count: Int = 1) -> MissingClips {
        MissingClips(
            total: 4, count: count, examples: examples.map { .init(clip: clip($0), cause: $1) },
            firstOutOfOrder: clip("z"))
    }
}
