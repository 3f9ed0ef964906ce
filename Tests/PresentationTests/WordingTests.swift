import Foundation
import TestSupport
import Testing

@testable import Presentation

struct WordingTests {
    @Test func `counts have commas, and nouns their number`() {
        let expected = [
            (0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567"), (-1000, "-1,000"),
            (.min, "-9,223,372,036,854,775,808"),
        ]
        for (number, text) in expected { #expect(Wording.count(number) == text) }
        #expect(Wording.count(1, "clip") == "1 clip" && Wording.count(0, "clip") == "0 clips")
        #expect(Wording.count(1200, "clip") == "1,200 clips")
    }

    @Test(arguments: [
        (0, "0.000 s"), (0.1734, "0.173 s"), (0.9996, "1.00 s"), (12.3, "12.30 s"), (59.99, "59.99 s"),
        (59.996, "1 min 00 s"), (245, "4 min 05 s"), (3599.4, "59 min 59 s"), (3599.6, "1 h 00 min"),
        (7800, "2 h 10 min"), (172_799, "47 h 59 min"), (172_799.7, "2 d 0 h"), (273_600, "3 d 4 h"),
        (.nan, "?"), (.infinity, "?"),
    ])
    func `durations have two units at most, and none is full`(seconds: Double, text: String) {
        #expect(Wording.duration(seconds) == text)
    }

    @Test(
        arguments: [
            (-1, "0 s"), (0.4, "0 s"), (48.7, "49 s"), (59.4, "59 s"), (59.5, "1 min 00 s"), (245.2, "4 min 05 s"),
            (7800, "2 h 10 min"),
        ] as [(Double, String)])
    func `an estimate has no fractions of a second`(seconds: Double, text: String) {
        #expect(Wording.estimate(seconds) == text)
    }

    @Test(arguments: [
        (0, "0 bytes"), (999, "999 bytes"), (1000, "1.00 kB"), (119_600_000, "119.6 MB"), (999_600, "1.00 MB"),
        (5_000_000_000_000, "5.00 TB"),
    ])
    func `sizes have three digits`(bytes: Int, text: String) {
        #expect(Wording.bytes(bytes) == text)
    }

    @Test func `numbers are as short as they can be`() {
        #expect(Wording.number(16_000) == "16000" && Wording.number(22_050.5) == "22050.5")
        #expect(Wording.number(0.25) == "0.25" && Wording.number(-8) == "-8" && Wording.number(1e20) == "1e+20")
    }

    @Test func `numbers are written as a person writes them`() {
        #expect(
            Wording.value(0.012345) == "0.01235" && Wording.value(-12.345678) == "−12.35"
                && Wording.value(-0.0) == "0")
        // 0 / 0 has a sign on some machines.
        #expect([Double.nan, -Double.nan, .infinity, -.infinity].map(Wording.value) == ["nan", "nan", "∞", "−∞"])
        #expect(Wording.frequency(440) == "440 Hz" && Wording.frequency(1250) == "1.25 kHz")
    }

    @Test func `two values have as many digits as tell them apart`() {
        #expect(Wording.distinct(1, 2) == ("1", "2"))
        #expect(Wording.distinct(-0.404_02, -0.4035) == ("−0.404", "−0.4035"))
        #expect(Wording.distinct(-0.689_81, -0.689_84) == ("−0.68981", "−0.68984"))
        #expect(Wording.distinct(12.500_000_1, 12.5) == ("12.5000001", "12.5"))
        // Four digits would differ, but by fifty times as much.
        #expect(Wording.distinct(0.123_449, 0.123_451) == ("0.123449", "0.123451"))
        #expect(Wording.distinct(.infinity, 1) == ("∞", "1"))
        #expect(Wording.distinct(3.14159, 3.14159) == ("3.142", "3.142"))
    }

    @Test func `a share is 0 or 100 percent only where it is`() {
        #expect(Wording.share(0) == "0 %" && Wording.share(1) == "100 %" && Wording.share(0.1234) == "12.3 %")
        #expect(Wording.share(1e-9) == "< 0.01 %" && Wording.share(0.999_99) == "> 99.9 %")
        #expect(Wording.share(0.0005) == "0.05 %")
    }

    @Test func `a clock shows hours where there are any`() {
        #expect([0, 7, 754.9, 3600, 3723].map(Wording.clock) == ["0:00", "0:07", "12:34", "1:00:00", "1:02:03"])
        #expect(Wording.thousandths(250) == "250" && Wording.thousandths(22_093.066_406) == "22093.066")
    }

    /// Halves, which are rounded by the exact binary value, and numbers of every size.
    @Test func `decimals are those of printf`() {
        var random = RandomSource(seed: 9)
        var numbers: [Double] = [
            0, -0.0, 0.125, 0.375, 2.5, 3.5, 0.145, 1.005, 0.5, 1.5, 99.995, 999.5, 9999.5, 99_999.5, 1e15, 1e-5,
            12.345,
            -0.001, 0.000_1, 0.000_099_999_99, 1e22, 123_456_789, .nan, .infinity, -.infinity, 1.797e308,
            .leastNonzeroMagnitude,
        ]
        for _ in 0..<5000 {
            numbers.append(Double(Int.random(in: -2_000_000...2_000_000, using: &random)) / 1000)
            numbers.append(Double(Int.random(in: -4000...4000, using: &random)) / 64)
            numbers.append(Double(Float.random(in: -100...100, using: &random)))
            numbers.append(
                Double.random(in: 1...10, using: &random) * RoundNumber.power(Int.random(in: -40...40, using: &random)))
        }
        for number in numbers {
            for digits in [4, 6, 12] where digits < 12 || (1e-10...1e20).contains(number.magnitude) {
                let expected = String(format: "%.\(digits)g", number).replacing("-nan", with: "nan")
                #expect(number.significant(digits) == expected, "\(number)")
            }
            guard number.magnitude < 1e11 else { continue }
            for digits in 0...4 { #expect(number.fixed(digits) == String(format: "%.\(digits)f", number), "\(number)") }
        }
    }

    @Test func `controls are visible on a page, and spaces in a picture`() {
        #expect("a\nb\u{7F}\u{85}\u{FFFE}\u{202E}c\u{2066}\u{200E}".visible == "a␊b␡\u{FFFD}\u{FFFD}c")
        #expect("a\nb\u{7F}\u{85}\u{FFFE}\u{202E}c\u{0}".drawable == "a b  \u{FFFD}\u{202E}c ")
        #expect("鳥鳥鳥鳥".start(ofColumns: 8) == "鳥鳥鳥鳥" && "鳥鳥鳥鳥".start(ofColumns: 6) == "鳥鳥…")
        #expect("abcdef".start(ofColumns: 4) == "abc…")
    }

    @Test func `notes have the names that they have on a piano`() {
        func name(_ hertz: Double) -> String { NoteName(hertz: hertz, tuning: 440).text }
        #expect([440, 261.63, 27.5, 466.16, 4186.01, 16.35].map(name) == ["A4", "C4", "A0", "A#4", "C8", "C0"])
        #expect(NoteName(hertz: 445, tuning: 440).cents == 20)
        #expect(NoteName(hertz: 435, tuning: 440).cents == -20)
        #expect(NoteName(hertz: 432, tuning: 432).text == "A4")
        #expect(NoteName(number: 0).text == "C-1" && NoteName(number: 69).letter == "A")
        #expect([69, 61, 0, -1].map { NoteName(number: $0).printed } == ["A4", "C♯4", "C−1", "B−2"])
    }

    @Test func `numbers of notes are logarithms of frequencies, exact at the octaves`() {
        for octave in -5...5 {
            #expect(NoteName.number(hertz: 440 * exp2(Double(octave)), tuning: 440) == Double(69 + 12 * octave))
        }
        var random = RandomSource(seed: 4)
        for _ in 0..<2000 {
            let hertz = exp2(Double.random(in: -10...17, using: &random))
            #expect(abs(NoteName.number(hertz: hertz, tuning: 440) - (69 + 12 * log2(hertz / 440))) < 1e-12)
        }
    }
}
