import FeatureModel
import Foundation
import Messages
import Testing

@testable import veery

struct NoteSettingTests {
    @Test func `the name of a setting in a note is an option of the program`() throws {
        let dump = try JSONSerialization.jsonObject(with: Data(VeeryCommand._dumpHelp().utf8))
        let names = ArchitectureTests.longNames(dump)
        let settings: [Note.Setting] = [
            .column(as: nil), .column(as: "path"), .labelSeparator, .oneHot, .recordingExtension, .quoting, .timeUnit,
            .format, .annotator, .tier, .startColumn, .endColumn, .durationColumn, .labelColumn, .pathColumn,
            .withoutFFmpeg, .key, .preset, .range, .colors,
        ]
        for setting in settings {
            let words = setting.option("a b").split(separator: " ")
            let name = try #require(words.first)
            #expect(name.hasPrefix("--") && names.contains(String(name.dropFirst(2))), "\(setting)")
        }
        #expect(Note.Setting.column(as: "path").option("my file") == "--column 'path=my file'")
        #expect(Note.Setting.timeUnit.option("s") == "--time-unit s")
        #expect(Note.Setting.withoutFFmpeg.option() == "--no-ffmpeg")
    }
}
