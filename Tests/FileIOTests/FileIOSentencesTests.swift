import FileIO
import Platform
import Testing

/// The sentences about files, each once.
struct FileIOSentencesTests {
    private static let errors: [(StorageError, String)] = [
        (
            .system(operation: "opening the file", path: "f.h5", code: ENOENT),
            "f.h5: opening the file failed: \(SystemError(code: ENOENT))"
        ),
        (
            .hdf5(operation: "opening /features", path: "f.h5", detail: "words", code: ENOSPC),
            "f.h5: opening /features failed: \(SystemError(code: ENOSPC)) (HDF5)"
        ),
        (
            .hdf5(operation: "opening /features", path: "f.h5", detail: "words", code: nil),
            "f.h5: opening /features failed: words (HDF5)"
        ),
        (
            .hdf5(operation: "opening /features", path: "f.h5", detail: "", code: nil),
            "f.h5: opening /features failed (HDF5)"
        ),
        (
            .notFeatures(path: "f.h5", found: "words"),
            "f.h5: expected a feature file written by veery, found words"
        ),
        (.damaged(path: "f.h5", found: "words"), "f.h5: the file is damaged: words"),
        (
            .damaged(path: "f.h5", found: String(repeating: "x", count: 60_000)),
            "f.h5: the file is damaged: " + String(repeating: "x", count: 400) + " … "
                + String(repeating: "x", count: 100)
        ),
        (
            .lostWrites(path: "f.h5", found: "words"),
            "f.h5: the disk or the file system has not kept what was written, and reported no error: words; check the disk, "
                + "or choose another for the output, and run the same command again"
        ),
        (
            .busy(path: "f.spool", owner: 12),
            "f.spool: another veery (process 12) is writing this output; wait for it, stop it, or choose another output"
        ),
        (
            .changedMeanwhile(path: "f.h5"),
            "f.h5: the file has come, gone or changed since this run began, so it is left as it is"
        ),
        (
            .inUse(path: "f.h5"),
            "f.h5: another program, such as a Python session, has the file open for writing: close it there first"
        ),
        (
            .foreignFolder(path: "f.spool", found: "run.json"),
            "f.spool: expected a folder made by veery, or none, found one with the file 'run.json' and without a lock: it may "
                + "be someone's, so nothing is written there; move it away, or choose another output"
        ),
        (
            .tooManyFiles(folder: "f.shards", count: 9, maximum: 8),
            "f.shards: shards have 9 files of clips, and a run can read 8: use fewer shards, or fewer threads in each"
        ),
        (
            .notFeatureSet(path: "f.index.json", found: "words"),
            "f.index.json: expected the index of a set of feature files, which 'veery extract' writes for several files, found "
                + "words"
        ),
        (
            .missingFileOfSet(path: "f-1.h5", index: "f.index.json"),
            "f-1.h5: the file is missing: f.index.json names it as one of its set; bring it back, or extract the set again"
        ),
        (
            .changedFileOfSet(path: "f-1.h5", index: "f.index.json", found: "words"),
            "f-1.h5: the file is not the one that f.index.json names: words (a run that was to replace the set may have been "
                + "stopped: give its command again)"
        ),
        (
            .noSuchClip(path: "f.h5", id: "a"),
            "f.h5: no clip with the id 'a' (ids are in /clips/id, those of failed clips in /failures/id)"
        ),
    ]

    @Test(arguments: errors) func `an error of a file`(error: StorageError, sentence: String) {
        #expect(error.description == sentence)
    }
}
