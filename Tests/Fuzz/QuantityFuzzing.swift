import FileIO
import Plotting

@testable import AudioDecoding
@testable import FeatureModel
@testable import Manifests

/// Single words: quantities, names, file names.
enum QuantityFuzzing {
    static func take(_ bytes: UnsafeRawBufferPointer) {
        let text = bytes.text
        if let edge = FrequencyEdge(text: text) {
            switch edge {
            case .hertz(let hertz): law(hertz.isFinite && hertz >= 0, "a frequency is finite and not negative: \(text)")
            case .bin(let bin): law(bin >= 0, "a bin is not negative: \(text)")
            }
            law(FrequencyEdge(text: edge.description) == edge, "an edge reads back: \(text)")
        }
        if let span = SampleSpan(text: text) {
            switch span {
            case .samples(let count): law(count > 0, "more than 0 samples: \(text)")
            case .seconds(let time): law(time.isFinite && time > 0, "more than 0 s: \(text)")
            }
            law(SampleSpan(text: span.description) == span, "a span reads back: \(text)")
            for rounding in TimeRounding.allCases {
                law(span.samples(at: 44_100, rounding: rounding) >= 0, "samples are not negative: \(text)")
            }
        }
        if let pitch = MusicalPitch(note: text) {
            let frequency = pitch.frequency(tuning: 440)
            law(frequency.isFinite && frequency > 0, "a note has a frequency: \(text)")
        }
        if let time = ClockTime(text) { law((0..<86_400).contains(time.seconds), "a time lies in a day: \(text)") }
        if let day = CalendarDay(text) {
            law(CalendarDay(day.advanced(by: 60).text) != day, "60 days later is another day: \(text)")
        }
        if let checksum = Checksum128(hex: text) { law(checksum.hex == text.lowercased(), "digits are kept: \(text)") }
        _ = ForeignName.key(text)
        _ = ForeignName.value(text, among: ["hann", "none"])
        _ = Preset.question(about: text)
        _ = nearestName(to: text, in: ["path", "label"])
        _ = ColumnNames.suggestedPath(among: text.split(separator: "\n").map { (String($0), String($0)) })
        _ = (ManifestFormat(path: text), SoundFileContainer(path: text), PictureFormat(path: text))
    }
}
