import Concurrency
import DatasetExtraction
import DatasetInspection
import FeatureModel
import FeatureStorage
import Foundation
import Manifests
import TestSupport
import Testing

@testable import DatasetReports

struct ReportTests {
    @Test func `the planted faults are listed`() throws {
        let data = try SampleDataset()
        let report = try data.report()
        let lists = Dictionary(uniqueKeysWithValues: OutlierList.all(report).map { ($0.id, $0) })
        #expect(lists["silent"]?.table?.rows.map { $0[0].text } == ["2"])
        #expect(
            lists["duplicates"]?.table?.rows.map { $0.map(\.text) } == [
                ["4, leak", "train, test", "owl", "samples", "leak"]
            ])
        #expect(lists["duplicates"]?.notice == "1 group of equal clips lies in different splits")
        #expect(lists["longest"]?.table?.rows.map { $0[3].number } == [0.2, 0.2, 0.2, 0.1875, 0.1875])
        #expect(lists["shortest"]?.table?.rows.map { $0[0].text } == ["0", "5", "10", "1", "6"])
        #expect(lists["clipped"]?.table == nil && report.clipping.read == 13)
        #expect(report.summary.failures == 1)
        let page = try ReportPage.html(report)
        #expect(page.contains("1 clip could not be extracted") && page.contains("hop: &lt;128&gt;"))
    }

    @Test func `equal files give equal pages and figures, with any number of threads`() throws {
        let (one, other) = (try SampleDataset(), try SampleDataset())
        let reports = (try one.report(jobs: 1), try other.report(jobs: 3))
        #expect(try ReportPage.html(reports.0) == ReportPage.html(reports.1))
        let written = try PlotFolder.write(reports.0, to: one.folder.path("plots"))
        let again = try PlotFolder.write(reports.1, to: other.folder.path("plots"))
        #expect(written.count == again.count && written.count > 15)
        for (first, second) in zip(written, again) {
            #expect(URL(filePath: first).lastPathComponent == URL(filePath: second).lastPathComponent)
            #expect(try Data(contentsOf: URL(filePath: first)) == Data(contentsOf: URL(filePath: second)), "\(first)")
        }
    }

    @Test(arguments: [nil, 10.0])
    func `the page does not depend on how rows are cut into blocks, and its pictures are those of all values`(
        topDB: Double?
    ) throws {
        let data = try SampleDataset(topDB: topDB)
        let report = try data.report()
        let page = try ReportPage.html(report)
        for rows in [1, 7, 1000] {
            #expect(try ReportPage.html(data.report(blocks: RowBlocks(maximumValues: 12 * rows))) == page)
        }
        for tile in report.thumbnails.groups.flatMap(\.tiles) {
            guard let clipIndex = tile.clipIndex else { continue }
            let rows = try data.reader.features(of: data.reader.clip(at: clipIndex))
            #expect(try tile.png == report.thumbnails.style.png(rows))
        }
    }

    @Test func `figures fill their rows, two in each`() throws {
        let figures = try SampleDataset().report().figures
        try #require(figures.count == 5 && figures[0].height < 1.5 * ChartFrame.height)
        let tall = Figure(
            id: "labels", title: "", description: "", height: 400, drawing: SVGDrawing(), table: figures[0].table)
        for count in 0...5 {
            for isTall in [false, true] where count > 0 || !isTall {
                let shown = isTall ? [tall] + figures.dropFirst().prefix(count - 1) : Array(figures.prefix(count))
                let wide = Figure.contexts(shown).map { $0["wide"] as? Bool ?? false }
                #expect(wide.count == count && wide.count { !$0 } % 2 == 0)
                // Pairs are in rows of two, so that no row has a gap.
                #expect(wide.dropFirst().dropLast().allSatisfy { !$0 } && (!isTall || wide[0]))
            }
        }
    }

    @Test func `names of any content stay names`() throws {
        let report = try SampleDataset(labels: SampleDataset.hostile).report()
        let page = try ReportPage.html(report)
        for part in ["<script>alert", "<img src=x", "\" onmouseover", "quote\"", "\u{202E}", "line\nbreak"] {
            #expect(!page.contains(part), "\(part)")
        }
        // By bytes, since a mark and its accent are one character.
        #expect(Data(page.utf8).range(of: Data("quote\"\u{301}".utf8)) == nil)
        #expect(Data(page.utf8).range(of: Data("quote&quot;\u{301}".utf8)) != nil)
        #expect(page.contains("{{style}} {{{script}}}") && page.contains("鳥") && page.contains("line␊break"))
        #expect(!page.contains(String(repeating: "long ", count: 40)))
        for figure in report.figures { #expect(!figure.file.contains("<script>alert")) }
    }

    @Test func `few labels have more and larger pictures than many`() throws {
        let report = try SampleDataset().report()
        #expect(
            report.thumbnails.groups.map { $0.tiles.map(\.kind) }
                == Array(
                    repeating: [.mean, .typical, .typical, .typical, .extreme, .extreme, .extreme], count: 2))
        #expect(report.thumbnails.groups.allSatisfy { Set($0.tiles.compactMap(\.clipIndex)).count == 6 })
        #expect(report.thumbnails.groups[1].averaged == 6)
        let labels = (0..<210).map { "l\($0)" }
        let many = try SampleDataset(labels: labels).report()
        #expect(many.thumbnails.groups.count == LabelThumbnails.maximumLabels && many.thumbnails.leftOut == 10)
        #expect(try ReportPage.html(many).contains("The 10 labels with the fewest clips are left out."))
        // A label of one clip has neither a mean nor an extreme.
        #expect(many.thumbnails.groups[5].tiles.map(\.kind) == [.typical])
        #expect(many.figures.first?.drawing.markup.contains("… and 180 more labels") == true)
    }

    @Test func `a file without clips has a page, too`() throws {
        let folder = try TemporaryFolder()
        let manifest = try folder.write("path\nnoise.wav\n", to: "m.csv")
        _ = try folder.write("noise", to: "noise.wav")
        let configuration = try Preset.logMel.configuration()
        let json = String(decoding: try JSONEncoder().encode(configuration), as: UTF8.self)
        let options = ExtractionOptions(
            output: folder.path("f.h5"), root: folder.url.path, jobs: 1)
        _ = try Extraction(
            configuration, json: json, source: Manifest.scan(path: manifest, format: .csv), options: options
        ).run(
            progress: ExtractionProgress(), cancellation: Cancellation())
        let report = try DatasetReport.take(
            .init(path: folder.path("f.h5")), configurationText: { _ in "" }, root: folder.url.path, jobs: 1)
        let page = try ReportPage.html(report)
        #expect(page.contains("The file holds no clips."))
        // Nothing is said of clips that are not there.
        for name in ["sheet", "distributions", "outliers"] {
            #expect(!page.contains("id=\"\(name)\"") && !page.contains("href=\"#\(name)\""))
        }
        #expect(!page.contains("every clip has one") && !page.contains("the scale has none"))
    }

    @Test func `samples are drawn as waveforms`() throws {
        let folder = try TemporaryFolder()
        var random = RandomSource(seed: 6)
        for name in ["a", "b"] { try folder.writeWave([random.samples(4000)], sampleRate: 16_000, to: "\(name).wav") }
        let manifest = try folder.write("path,label\na.wav,x\nb.wav,x\n", to: "m.csv")
        let configuration = try Preset.wav2vec2.configuration()
        let json = String(decoding: try JSONEncoder().encode(configuration), as: UTF8.self)
        let options = ExtractionOptions(output: folder.path("f.h5"), root: folder.url.path, jobs: 1)
        _ = try Extraction(
            configuration, json: json, source: Manifest.scan(path: manifest, format: .csv), options: options
        ).run(progress: ExtractionProgress(), cancellation: Cancellation())
        let reader = try FeatureReader(path: folder.path("f.h5"))
        let report = try DatasetReport.take(
            reader, configurationText: { _ in "" }, root: folder.url.path, jobs: 1)
        let (style, tiles) = (report.thumbnails.style, report.thumbnails.groups.flatMap(\.tiles))
        #expect(style.isOfWaveforms && tiles.map(\.kind).contains(.mean))
        let first = try #require(tiles.first { $0.clipIndex == 0 })
        var cells = WaveformCells(frames: 4000, width: style.width)
        cells.add(try reader.frames(0..<4000, ofRows: 0..<4000))
        #expect(try first.png == style.png(waveform: cells.extremes))
        let page = try ReportPage.html(report)
        #expect(page.contains(" Waveforms, from the bottom to the top: ") && !page.contains("Colours: viridis"))
    }

    @Test(arguments: [-1e139, 1e308, -0.5, .infinity])
    func `a deviation that is not a number, as in a damaged file, causes no crash`(deviation: Double) throws {
        let dataset = try SampleDataset()
        let stored = withUnsafeBytes(of: dataset.reader.statistics.standardDeviation[1]) { Data($0) }
        var bytes = try Data(contentsOf: URL(filePath: dataset.reader.path))
        let offset = try #require(bytes.firstRange(of: stored))
        bytes.replaceSubrange(offset, with: withUnsafeBytes(of: deviation) { Data($0) })
        let path = dataset.folder.path("damaged.h5")
        try RawFile.write(bytes, to: path)
        let report = try DatasetReport.take(
            FeatureReader(path: path), configurationText: { _ in "version: 1\n" }, root: dataset.folder.url.path,
            jobs: 1)
        #expect(report.summary.statistics.std[1] == deviation)
        let page = try ReportPage.html(report)
        #expect(page.contains("bins-before") && !page.contains("=\"nan"))
    }
}
