import FeatureModel
import Foundation
import Testing

struct MusicalPitchTests {
    @Test(arguments: [
        ("A4", 69), ("a4", 69), ("C4", 60), ("C-1", 0), ("C1", 24), ("E8", 112), ("F#3", 54), ("Gb3", 54),
        ("Bb-1", 10),
        ("B#3", 60), ("Cb4", 59), ("B10", 143), ("b3", 59), ("bb3", 58), ("G9", 127),
    ])
    func `notes are read as MIDI numbers them`(name: String, number: Int) {
        #expect(MusicalPitch(note: name) == .note(number, name: name))
    }

    @Test(
        arguments: ["", "C", "4", "H4", "C##4", "C4 ", " C4", "C+4", "C-2", "C11", "C 4", "C4.5", "C♯4", "Cx4", "440"]
            // Letters whose capitals are several: SS, FF, ʼN.
            + ["ß1", "ß", "ßb1", "ﬀ1", "ŉ4"])
    func `other texts are not notes`(text: String) {
        #expect(MusicalPitch(note: text) == nil)
    }

    @Test func `frequencies are those of the equal temperament`() throws {
        for (name, expected) in [("A4", 440), ("A5", 880), ("C4", 261.625565300598634), ("C1", 32.7031956625748294)] {
            let frequency = try #require(MusicalPitch(note: name)).frequency(tuning: 440)
            #expect(abs(frequency / expected - 1) < 1e-15, "\(name)")
        }
        #expect(try #require(MusicalPitch(note: "A4")).frequency(tuning: 442) == 442)
        #expect(MusicalPitch.hertz(27.5).frequency(tuning: 442) == 27.5)
        for number in 0...127 {
            let frequency = MusicalPitch.note(number, name: "").frequency(tuning: 440)
            #expect(abs(frequency / (440 * exp2(Double(number - 69) / 12)) - 1) < 1e-15, "\(number)")
        }
    }

    @Test func `the axis has its points evenly around each note`() throws {
        let points = try MusicalConfiguration().frequencies
        #expect(points.count == 712)
        // The fifth of a note's eight points lies half a semitone above its first: at the note itself.
        #expect(abs(points[4] / 32.7031956625748294 - 1) < 1e-14)
        #expect(abs(points[8 * 45 + 4] / 440 - 1) < 1e-14)
        for point in 1..<712 { #expect(abs(points[point] / points[point - 1] / exp2(1.0 / 96) - 1) < 1e-14) }
    }

    @Test(arguments: ["\"C1\"", "\"Bb-1\"", "\"f#3\"", "27.5", "440"])
    func `a pitch reads back as it was written`(json: String) throws {
        let text = #"{"transform":{"kind":"musical","notes":12,"lowest":\#(json)}}"#
        let first = try configuration(text)
        let written = try JSONEncoder().encode(first)
        #expect(String(decoding: written, as: UTF8.self).contains("\"lowest\":\(json)"))
        #expect(try JSONDecoder().decode(FeatureConfiguration.self, from: written) == first)
    }
}
