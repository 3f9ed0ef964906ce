import FeatureModel
import FileIO
import Foundation
import TestSupport
import Testing

@testable import Plotting

struct PlotErrorTests {
    private let matrix = Sample.tone(rows: 4, bins: 4, bright: [1])

    @Test func `a folder that does not exist is named, and nothing is left behind`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("missing/clip.png")
        let error = #expect(throws: PlotError.self) { try Sample.picture(matrix).writePNG(to: path) }
        #expect(
            error == .file(path: path, operation: "creating a file in its folder", error: SystemError(code: ENOENT)))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }

    @Test func `a folder is not replaced`() throws {
        let folder = try TemporaryFolder()
        let error = #expect(throws: PlotError.self) { try Sample.picture(matrix).writePNG(to: folder.url.path) }
        #expect(error == .notRegular(path: folder.url.path))
    }

    @Test func `a picture that exists is replaced whole, and no temporary file is left`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(String(repeating: "x", count: 1_000_000), to: "clip.png")
        let picture = try Sample.picture(matrix)
        try picture.writePNG(to: path)
        #expect(try Data(contentsOf: URL(filePath: path)) == Data(picture.pngBytes()))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["clip.png"])
    }

    @Test(arguments: [
        (10, 420, "width", "10"), (20_001, 420, "width", "20001"), (1000, 199, "height", "199"),
        (1000, Int.max, "height", "9223372036854775807"),
    ])
    func `sizes out of bounds are refused`(width: Int, height: Int, name: String, found: String) {
        let expected = name == "width" ? "320 to 20000 pixels" : "200 to 20000 pixels"
        #expect(throws: PlotError.invalidSetting(name: name, found: found, expected: expected)) {
            try Sample.picture(matrix, width: width, height: height)
        }
    }

    @Test func `an axis that does not fit the matrix is refused`() {
        for frequencies: [Float] in [
            [1, 2, 3], [1, 2, 2, 3], [1, 2, .nan, 3], [-1, 0, 1, 2], [1, 2, 3, .infinity], [],
        ] {
            #expect(throws: PlotError.self) { try Sample.picture(matrix, axis: .frequencies(frequencies)) }
        }
    }

    @Test func `times and ranges that are not numbers are refused`() {
        for period in [0, -1, .nan, .infinity, 1e300] {
            #expect(throws: PlotError.self) { try Sample.picture(matrix, period: period) }
        }
        #expect(throws: PlotError.self) { try Sample.picture(matrix, range: 0...Float.infinity) }
        #expect(throws: PlotError.self) {
            try SpectrogramPicture(
                matrix: matrix, axis: .coefficients, framePeriod: 1, firstFrameTime: .nan, title: "", valueLabel: "")
        }
    }

    @Test func `a start in the recording that is not a number is named`() {
        let expected = PlotError.invalidSetting(
            name: "start in the recording", found: "nan", expected: "−1e9 to 1e9 s")
        #expect(throws: expected) {
            _ = try SpectrogramPanel(
                matrix: matrix, axis: .coefficients, framePeriod: 1, signalStart: 0, recordingOffset: .nan, title: "")
        }
    }

    @Test func `an error of Cairo is reported in its words`() {
        let error = #expect(throws: PlotError.self) { _ = try Canvas(width: -1, height: 5, background: RGB(hex: 0)) }
        guard case .cairo("making an image of -1 × 5 pixels", _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}

/// The sentences about pictures, each once.
struct PlottingSentencesTests {
    private static let errors: [(PlotError, String)] = [
        (
            .invalidSetting(name: "width", found: "10", expected: "320 to 20000 pixels"),
            "picture width: expected 320 to 20000 pixels, found 10"
        ),
        (.cairo(operation: "drawing", status: "words"), "picture: words while drawing (Cairo)"),
        (.encoding(operation: "packing"), "picture: packing failed (libpng)"),
        (
            .file(path: "a.png", operation: "writing it", error: SystemError(code: ENOENT)),
            "picture 'a.png': \(SystemError(code: ENOENT)) while writing it"
        ),
        (.notRegular(path: "a.png"), "picture 'a.png': not a regular file while replacing it"),
    ]

    @Test(arguments: errors) func `an error of a picture`(error: PlotError, sentence: String) {
        #expect(error.description == sentence)
    }
}
