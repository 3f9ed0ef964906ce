import FeatureModel
import Foundation
import TestSupport
import Testing

@testable import Plotting

struct PictureFileTests {
    private static let frequencies = Sample.mel(bins: 40, top: 8000)

    private func picture(dpi: Double = 96, theme: Theme = .light) throws -> SpectrogramPicture {
        let panel = try SpectrogramPanel(
            matrix: Sample.chirp(rows: 100, frequencies: Self.frequencies, top: 8000),
            axis: .frequencies(Self.frequencies), framePeriod: 0.01, title: "clip & <1>", subtitle: "label")
        return try Sample.picture(
            panels: [panel], style: PictureStyle(theme: theme, width: 600, height: 300, dpi: dpi))
    }

    @Test(arguments: PictureFormat.allCases)
    func `equal pictures give equal bytes, also the second time and after others`(format: PictureFormat) throws {
        let bytes = try picture().file(as: format).bytes
        _ = try picture(theme: .dark).file(as: format)
        #expect(try picture().file(as: format).bytes == bytes)
        #expect(try picture(theme: .dark).file(as: format).bytes != bytes)
    }

    @Test func `a PNG states its resolution, and has as many more pixels`() throws {
        for (dpi, perMetre) in [(96.0, 3780), (192.0, 7559), (300.0, 11_811)] {
            let bytes = try picture(dpi: dpi).file(as: .png).bytes
            func number(_ at: Int) -> Int { bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
            #expect(number(16) == Int((600 * dpi / 96).rounded()) && number(20) == Int((300 * dpi / 96).rounded()))
            #expect(bytes[37..<41].elementsEqual("pHYs".utf8) && number(33) == 9)
            #expect(number(41) == perMetre && number(45) == perMetre && bytes[49] == 1)
        }
    }

    @Test(arguments: [96.0, 192])
    func `SVG and PDF have the same size in points at any resolution`(dpi: Double) throws {
        let svg = String(decoding: try picture(dpi: dpi).file(as: .svg).bytes, as: UTF8.self)
        #expect(svg.contains("viewBox=\"0 0 450 225\""))
        #expect(svg.contains("image-rendering:pixelated") && svg.contains("data:image/png;base64,"))
        let pdf = String(decoding: try picture(dpi: dpi).file(as: .pdf).bytes, as: UTF8.self)
        #expect(pdf.hasPrefix("%PDF-"))
        #expect(!pdf.contains("CreationDate"))
    }

    @Test func `ids in an SVG are unique, and what refers to them is there`() throws {
        let svg = String(decoding: try picture().file(as: .svg).bytes, as: UTF8.self)
        let ids = svg.matches(of: /\bid="([^"]+)"/).map { String($0.1) }
        #expect(Set(ids).count == ids.count && !ids.isEmpty)
        for reference in svg.matches(of: /"#([^"]+)"|url\(#([^)]+)\)/) {
            let name = String(reference.1 ?? reference.2 ?? "")
            #expect(ids.contains(name), "\(name)")
        }
    }

    @Test func `numbered ids are counted anew, and nothing else changes`() {
        let text =
            "<g id=\"surface7\"><image id=\"image12\"/><use href=\"#image12\"/></g><a id=\"image3\" b=\"image12\" c=\"#f00012\"/>"
        let expected =
            "<g id=\"surface0\"><image style=\"image-rendering:pixelated\" id=\"image0\"/><use href=\"#image0\"/></g>"
            + "<a id=\"image1\" b=\"image12\" c=\"#f00012\"/>"
        #expect(String(decoding: StableSVG.text(Array(text.utf8)), as: UTF8.self) == expected)
    }

    @Test func `the extension decides the format`() {
        #expect(PictureFormat(path: "a/b.PNG") == .png && PictureFormat(path: "b.svg") == .svg)
        #expect(PictureFormat(path: "b.tar.pdf") == .pdf)
        for path in ["png", "a.png/b", "a.jpg", "a.", ""] { #expect(PictureFormat(path: path) == nil, "\(path)") }
    }

    @Test func `a dark picture has dark paper and light print`() throws {
        let (pixels, layout) = try picture(theme: .dark).drawn()
        #expect(pixels[0, 0] == 0x15171C && pixels[pixels.width - 1, pixels.height - 1] == 0x15171C)
        #expect(pixels[layout.body.x - 1, layout.body.y + 10] == 0xE4E6EA)
        #expect(try picture().drawn().pixels[0, 0] == 0xFFFFFF)
    }

    @Test func `at twice the resolution everything is at twice the coordinates`() throws {
        let one = try picture().drawn().layout
        let two = try picture(dpi: 192).drawn().layout
        let pairs = [
            (one.body.x, two.body.x), (one.body.y, two.body.y), (one.body.width, two.body.width),
            (one.body.height, two.body.height), (one.bar.x, two.bar.x),
        ]
        for (single, double) in pairs { #expect(abs(double - 2 * single) <= 6, "\(single), \(double)") }
        #expect(one.timeTicks.map(\.label) == two.timeTicks.map(\.label))
        #expect(one.bins.ticks.map(\.label) == two.bins.ticks.map(\.label))
    }

    @Test func `larger print takes more room`() throws {
        let panel = try picture().panels[0]
        let large = try Sample.picture(
            panels: [panel], style: PictureStyle(width: 600, height: 300, fontSize: 18)
        ).drawn().layout
        #expect(large.body.x > (try picture().drawn().layout.body.x) + 10)
        #expect(large.sizes.number.size == 11.5 * 1.5)
    }
}
