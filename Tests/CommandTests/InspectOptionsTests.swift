import ArgumentParser
import Testing

@testable import veery

struct InspectOptionsTests {
    @Test(
        arguments: [
            ("q/report.html", "q"), ("q/report.html", "./q/"), ("q/p/report.html", "q"), ("report.html", "."),
        ])
    func `a page within the folder of the figures is refused at once`(page: String, figures: String) {
        #expect(throws: (any Error).self) {
            try InspectCommand.parse(["f.h5", "--html", page, "--plots", figures])
        }
    }

    @Test(arguments: [("report.html", "q"), ("q/report.html", "q/figures"), ("qq/report.html", "q")])
    func `a page beside the folder of the figures is not`(page: String, figures: String) throws {
        _ = try InspectCommand.parse(["f.h5", "--html", page, "--plots", figures])
    }
}
