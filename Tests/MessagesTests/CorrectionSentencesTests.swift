import FileIO
import Manifests
import Messages
import Platform
import Testing

/// The sentences about corrections, each once.
struct CorrectionSentencesTests {
    private static let columns = "id,path,start,end,audio_xxh3,action,label,note,given,by"
    private static let clip = CorrectionError.NamedClip(id: "a", line: 3)

    private static let errors: [(CorrectionError, String)] = [
        (.notFound(path: "c.csv"), "c.csv: there is no such file of corrections; check the path"),
        (.notRegularFile(path: "c.csv"), "c.csv: expected a file of corrections, found a folder, a pipe or a device"),
        (
            .system(path: "c.csv", operation: "write it", SystemError(code: EACCES)),
            "c.csv: could not write it: Permission denied"
        ),
        (.notCSV(path: "c.csv", found: "words"), "c.csv: expected corrections as a CSV in UTF-8, found words"),
        (.noHeader(path: "c.csv"), "c.csv: expected corrections, whose first line is \(columns); found no line"),
        (
            .badTable(.duplicateColumn(path: "c.csv", name: "id")),
            ManifestError.duplicateColumn(path: "c.csv", name: "id").description
        ),
        (
            .unknownColumn(path: "c.csv", name: "lable", nearest: "label"),
            "c.csv: 'lable' is no column of corrections (did you mean 'label'?); rename or remove it: the columns are \(columns)"
        ),
        (
            .missingColumn(path: "c.csv", name: "id"),
            "c.csv: expected corrections, whose first line is \(columns); there is no column 'id'"
        ),
        (
            .badLines(path: "c.csv", problems: [RowProblem(line: 3, text: "words")], total: 1),
            "c.csv: 1 line is no correction; nothing was done: correct it:\n  line 3: words"
        ),
        (
            .badLines(path: "c.csv", problems: (2..<40).map { RowProblem(line: $0, text: "words") }, total: 1200),
            "c.csv: 1,200 lines are no corrections; nothing was done: correct them:\n"
                + (2..<22).map { "  line \($0): words\n" }.joined() + "  and 1,180 more"
        ),
        (
            .unknownClips(path: "c.csv", manifest: "m.csv", clips: [clip], total: 1),
            "c.csv: a clip that it corrects is not in m.csv: 'a' (line 3): give the manifest that was corrected, or delete these lines"
        ),
        (
            .unknownClips(path: "c.csv", manifest: "m.csv", clips: [clip], total: 7),
            "c.csv: 7 clips that it corrects are not in m.csv: 'a' (line 3), …: give the manifest that was corrected, or delete "
                + "these lines"
        ),
        (
            .otherClips(
                path: "c.csv", manifest: "m.csv", clips: [.init(clip, .start(corrected: 1, now: 1.5))], total: 1),
            "c.csv: a clip of m.csv is not as when it was corrected: 'a' (line 3): start was 1 s and is 1.5 s now: correct it again, "
                + "or, if the corrections are still right, delete from their lines what differs"
        ),
        (
            .otherClips(
                path: "c.csv", manifest: "m.csv",
                clips: [
                    .init(clip, .path(corrected: "a.wav", now: "b.wav")), .init(clip, .end(corrected: 2, now: 3)),
                    .init(clip, .recording(path: "a.wav")),
                ], total: 4),
            "c.csv: 4 clips of m.csv are not as when they were corrected: 'a' (line 3): path was 'a.wav' and is 'b.wav' now; 'a' "
                + "(line 3): end was 2 s and is 3 s now; 'a' (line 3): 'a.wav' has another size or time than in audio_xxh3; …: "
                + "correct them again, or, if the corrections are still right, delete from their lines what differs"
        ),
        (
            .everythingExcluded(path: "c.csv", manifest: "m.csv"),
            "c.csv: it excludes every clip of m.csv, and no clip is left"
        ),
        (
            .otherForm(path: "c.csv"),
            "c.csv: expected a CSV with the columns \(columns), between commas, which lines can be added to; found another table"
        ),
        (.unwritable(id: "a"), "the correction of 'a' has no id, or a value that is '#torn' or has a line end"),
    ]

    @Test(arguments: errors) func `an error`(error: CorrectionError, sentence: String) {
        #expect(error.description == sentence)
    }
}
