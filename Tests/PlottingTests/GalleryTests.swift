import FeatureModel
import Foundation
import TestSupport
import Testing

@testable import Plotting

/// Pictures to look at. They are written where VEERY_PLOT_GALLERY names an existing folder, else to one that is removed.
struct GalleryTests {
    @Test func `a gallery of pictures is written`() throws {
        let temporary = try TemporaryFolder()
        let folder = ProcessInfo.processInfo.environment["VEERY_PLOT_GALLERY"] ?? temporary.url.path
        for (name, picture) in try Self.pictures() {
            let path = "\(folder)/\(name).png"
            try picture.writePNG(to: path)
            #expect(try Array(Data(contentsOf: URL(filePath: path))) == picture.pngBytes(), "\(name)")
        }
    }

    private static func pictures() throws -> [(name: String, picture: SpectrogramPicture)] {
        let linear = Sample.linear(bins: 257, top: 8000)
        let wide = Sample.linear(bins: 1025, top: 22_050)
        let mel = Sample.mel(bins: 80, top: 8000)
        let notes = (0..<712).map { Float(440 * pow(2, Double($0 - 360) / 96)) }
        func chirp(_ rows: Int, _ frequencies: [Float], _ top: Float) -> FeatureMatrix {
            Sample.chirp(rows: rows, frequencies: frequencies, top: top)
        }
        var faulty = chirp(200, mel, 8000)
        for row in 60..<70 { for bin in 20..<30 { faulty[row, bin] = .nan } }
        let longTitle = "recordings/2024-05-01/" + String(repeating: "garden-microphone-", count: 12) + "clip.wav"
        let constant = FeatureMatrix(bins: 80, values: Array(repeating: -100, count: 8000))
        let oneFrame = FeatureMatrix(bins: 80, values: Array(chirp(10, mel, 8000)[row: 5]))
        return [
            (
                "chirp",
                try SpectrogramPicture(
                    matrix: chirp(300, linear, 8000), axis: .frequencies(linear), framePeriod: 0.01,
                    title: "clip-00042 · Parus major", subtitle: "log-power, 257 bins, hop 10 ms", valueLabel: "dB")
            ),
            (
                "mel",
                try Sample.picture(
                    chirp(500, mel, 8000), axis: .frequencies(mel), title: "clip-00043 · yes", colors: .magma,
                    width: 1000, height: 420)
            ),
            (
                "wide",
                try Sample.picture(
                    chirp(900, wide, 22_050), axis: .frequencies(wide), period: 0.512, title: longTitle,
                    subtitle: longTitle, colors: .grey, width: 1000, height: 420)
            ),
            (
                "notes",
                try Sample.picture(
                    chirp(80, notes, 4000), axis: .frequencies(notes), period: 0.1, colors: .falseColor, width: 2000,
                    height: 840)
            ),
            ("faulty", try Sample.picture(faulty, axis: .frequencies(mel), title: "鳥 – faults")),
            ("one-frame", try Sample.picture(oneFrame, axis: .frequencies(mel))),
            ("constant", try Sample.picture(constant, axis: .frequencies(mel))),
            ("no-frames", try Sample.picture(FeatureMatrix(bins: 13))),
            ("least", try Sample.picture(chirp(100, mel, 8000), subtitle: "320 × 200", width: 320, height: 200)),
        ]
    }
}
