import Foundation
import Terminal
import Testing

@testable import LiveAnalysis
@testable import veery

/// Texts on the live screen are whole, or show that they are cut, and never lie over one another.
struct LiveHeadingTests {
    private static let style = LiveStyle(depth: .full, colors: Array(repeating: 0, count: 256))

    private func rows(
        _ title: [String], width: Int, seconds: Double = 7, isRecorded: Bool = false, hasBand: Bool = false,
        isPaused: Bool = false, depth: ColorDepth = .full
    ) -> (top: String, bottom: String) {
        var grid = CellGrid(width: width, height: 5)
        let heading = LiveHeading(title: title, isRecorded: isRecorded, hasBand: hasBand, hasKeys: true)
        heading.draw(
            into: &grid, seconds: seconds, isPaused: isPaused, isStopped: false,
            style: LiveStyle(depth: depth, colors: Array(repeating: 0, count: 256)))
        return (LiveText.row(0, of: grid), LiveText.row(4, of: grid))
    }

    @Test(arguments: [
        "song.wav", "a long name of a recording of something, take 17.wav", "e\u{301}te\u{301}\u{301}\u{301}.wav",
        "\u{1B}[31mred\u{7}\n.wav", "日本語の録音.wav", "👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦.wav",
    ])
    func `a title of any letters does not overlap the state`(name: String) {
        for width in 20...100 {
            for (seconds, clock) in [(7.0, "0:07"), (3723, "1:02:03"), (123_723, "34:22:03")] {
                for isRecorded in [false, true] {
                    let parts = ["scrolling-dct", CellText.name("/some/where/" + name), "44,100 Hz stereo"]
                    let top = rows(parts, width: width, seconds: seconds, isRecorded: isRecorded).top
                    let state = "● live  " + clock + " "
                    #expect(top.hasSuffix(state), "\(width): \(top)")
                    if isRecorded, width >= 40 { #expect(top.hasSuffix("  ● rec  " + state), "\(width): \(top)") }
                    #expect(top.unicodeScalars.count == width && !top.contains("/"))
                    // The title ends with a part, or with an ellipsis.
                    let left = top.dropLast(state.count).replacing("● rec  ", with: "").replacing("● ", with: "")
                        .trimmingCharacters(in: .whitespaces)
                    let isWhole =
                        left.isEmpty || left.contains("…") || left == "scrolling-dct"
                        || left.hasSuffix("44,100 Hz stereo") || left.hasSuffix(".wav")
                    #expect(isWhole, "\(width): \(top)")
                }
            }
        }
    }

    @Test(arguments: [false, true])
    func `the key that ends it is always named, and keys are named whole`(hasBand: Bool) {
        let all = ["space pause", "s stop", "r reset", "q quit", "←→ move", "↑↓ width", "tab pass/stop"]
        for width in 20...100 {
            let bottom = rows([], width: width, hasBand: hasBand).bottom
            let found = bottom.trimmingCharacters(in: .whitespaces).components(separatedBy: "   ")
            #expect(found.allSatisfy(all.contains) && found.contains("q quit"), "\(width): \(bottom)")
            if width >= 40 { #expect(found.count >= (hasBand ? 3 : 4)) }
            if width >= 80 { #expect(found.count == (hasBand ? 7 : 4)) }
        }
    }

    @Test func `labels of values are whole or not there`() {
        #expect([0.25, -90, 20_000, 3e6, 2.5e9].map(PaneAxes.short) == ["0.25", "-90", "20k", "3M", "2.5G"])
        for high: Float in [0.001, 1, 999, 123_456, 1e7, 3e12] {
            var grid = CellGrid(width: 30, height: 20)
            let picture = PaneAxes.picture(in: grid.region)
            PaneAxes.vertical(LevelRange(-high...high), around: picture, into: &grid, Self.style)
            let labels = (0..<20).map { LiveText.row($0, of: grid).trimmingCharacters(in: .whitespaces) }
            for label in labels where !label.isEmpty { #expect(Double(label.filter { !"kMG".contains($0) }) != nil) }
        }
    }

    @Test func `the name of a file cannot control the terminal that shows the report`() {
        let name = "\u{1B}]0;x\u{7}a\nb.wav"
        let track = LiveSummary.Track(
            name: name, seconds: 1, rows: 2,
            end: LiveTrack.End(
                failure: LiveError.unreadable(name: name, code: 5), strayBytes: 3, clippedSamples: 4))
        let file = LiveSummary.File(
            path: name, clips: 1, rows: 2, bins: 3, bytes: 4, failures: [name], warnings: [name],
            patch: nil)
        let report = LiveReport(summary: LiveSummary(tracks: [track], file: file), missedRows: 0)
        for text in report.warnings + report.failures + report.text.components(separatedBy: "\n") {
            #expect(text.printable == text && !text.unicodeScalars.contains { $0.value < 0x20 })
        }
        #expect(report.text.components(separatedBy: "\n").count == 2)
    }
}
