import FeatureModel
import Mustache

/// What a check of a dataset has found, as one page of HTML that needs no other files.
package struct CheckPage: Sendable {
    /// A number at the top of the page.
    package struct Card: Sendable {
        let name: String
        let value: String
        let detail: String

        package init(_ name: String, _ value: String, _ detail: String) {
            (self.name, self.value, self.detail) = (name, value, detail)
        }
    }

    /// A kind of problem.
    package struct Section: Sendable {
        /// A name without blanks, unique on the page.
        let id: String
        let title: String
        let text: String
        let mend: String
        /// Id, path and what was found, of each clip that is listed.
        let rows: [[String]]
        /// How many clips are not listed, in words; empty: all are.
        let note: String

        package init(id: String, title: String, text: String, mend: String, rows: [[String]], note: String) {
            (self.id, self.title, self.text, self.mend) = (id, title, text, mend)
            (self.rows, self.note) = (rows, note)
        }

        fileprivate var context: [String: Any] {
            let table = ReportTable(
                caption: title, header: ["Clip", "Recording", "Found"],
                rows: rows.map { row in
                    [
                        .name(row[0]), .text(DisplayName.ending(of: row[1], maximum: 80)),
                        .text(DisplayName.text(row[2], maximum: 300)),
                    ]
                }, note: note, isSortable: true)
            return [
                "listID": id, "title": title, "text": text, "mend": mend,
                "listTable": rows.isEmpty ? [] : [table.context],
            ]
        }
    }

    private let fileName: String
    private let lead: String
    private let cards: [Card]
    private let sections: [Section]

    package init(fileName: String, lead: String, cards: [Card], sections: [Section]) {
        (self.fileName, self.lead, self.cards, self.sections) = (fileName, lead, cards, sections)
    }

    /// The page; equal findings give equal texts.
    package func html() throws(ReportError) -> String {
        let cards = cards.map {
            ["name": $0.name, "value": $0.value, "detail": DisplayName.text($0.detail, maximum: 80)]
        }
        return try PageTemplates.html(
            "check", fileName: fileName, lead: lead,
            [
                "title": "check", "kind": "Check of a dataset", "noticesTitle": "Found",
                "quiet": "No problems were found.", "cards": cards, "hasNotices": !sections.isEmpty,
                "notices": sections.map { ["href": $0.id, "text": $0.title] }, "problems": sections.map(\.context),
            ])
    }
}
