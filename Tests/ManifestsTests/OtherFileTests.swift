import Testing

@testable import Manifests

struct OtherFileTests {
    @Test(
        "what a file is that is no recording",
        arguments: [
            ("README.md", .harmless), ("d/readme.txt", .harmless), ("LICENSE", .harmless),
            ("spectrogram.png", .harmless),
            ("features.h5", .harmless), ("BirdNET_analysis_params.csv", .harmless),
            ("take.pcm", .recording(reason: nil)),
            ("take.wav.gz", .recording(reason: nil)), ("take.SPX", .recording(reason: nil)), ("more.rar", .archive),
            ("more.tar.xz", .archive), ("labels.csv", .table), ("metadata.parquet", .table), ("cuts.jsonl.gz", .table),
            ("a.TextGrid", .table), ("a_JS.Table.1.selections.txt", .table), ("a.Table01.txt", .table),
            ("a_selections.txt", .table), ("test_list.txt", .table), ("notes.txt", .companion),
            ("a.wav.json", .companion),
            ("testing_list.txt", .dataset("Speech Commands")), ("1-2.trans.txt", .dataset("LibriSpeech")),
            ("meta/esc50.csv", .dataset("ESC-50")),
        ] as [(String, OtherFile)])
    func kinds(name: String, file: OtherFile) {
        #expect(OtherFile(name) == file)
    }

    @Test("paths of files that are read are the same with ./ and backslashes")
    func used() {
        var files = UsedFiles()
        files.insert("./a/b.wav")
        files.insert("c\\d.wav")
        #expect(files.contains("a/b.wav") && files.contains("c/d.wav") && !files.contains("b.wav"))
    }
}
