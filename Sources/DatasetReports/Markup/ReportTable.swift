import Presentation

struct ReportTable: Sendable {
    struct Cell: Sendable {
        let text: String
        /// What it is sorted by; nil: its text.
        var number: Double?
        /// Below the text; nil: none.
        var player: SoundPlayer?

        static func text(_ text: String) -> Cell { Cell(text: text) }
        /// A name that a manifest gave.
        static func name(_ name: String) -> Cell { Cell(text: name.isEmpty ? "(none)" : DisplayName.text(name)) }
        static func count(_ count: Int) -> Cell { Cell(text: Wording.count(count), number: Double(count)) }
        static func value(_ value: Double) -> Cell { Cell(text: Wording.value(value), number: value) }
        /// −0.0625, to the last digit of a number that is a multiple of a power of two
        static func edge(_ value: Double) -> Cell { Cell(text: Wording.exact(value), number: value) }
        static func duration(_ seconds: Double) -> Cell { Cell(text: Wording.duration(seconds), number: seconds) }
        static func share(_ share: Double) -> Cell { Cell(text: Wording.share(share), number: share) }
    }

    /// What it shows, for screen readers.
    let caption: String
    let header: [String]
    let rows: [[Cell]]
    var note = ""
    /// Whether the page's script offers sorting and filtering of rows.
    var isSortable = false

    var context: [String: Any] {
        let numeric = header.indices.map { column in
            !rows.isEmpty && rows.allSatisfy { $0[column].number != nil || $0[column].text.isEmpty }
        }
        return [
            "caption": caption, "sortable": isSortable && rows.count > 1, "filterable": isSortable && rows.count > 12,
            "header": zip(header, numeric).map { ["name": $0, "numeric": $1] as [String: Any] },
            "rows": rows.map { row in
                [
                    "first": cell(row[0], numeric[0]),
                    "cells": row.indices.dropFirst().map { cell(row[$0], numeric[$0]) },
                ] as [String: Any]
            },
            "note": note, "hasNote": !note.isEmpty,
        ]
    }

    private func cell(_ cell: Cell, _ isNumeric: Bool) -> [String: Any] {
        let isFinite = cell.number?.isFinite == true
        return [
            "text": cell.text, "numeric": isNumeric, "hasSortKey": isSortable && isFinite,
            "sortKey": isFinite ? "\(cell.number ?? 0)" : "", "player": cell.player.map { [$0.context] } ?? [],
        ]
    }
}

/// A label, an id or a path as the page shows it: any text that a manifest may hold.
enum DisplayName {
    static let maximumCharacters = 64

    /// The text with control characters made visible, shortened in the middle if it is too long.
    static func text(_ text: String, maximum: Int = maximumCharacters) -> String {
        // Bounds the work of a very long text.
        let bounded = text.utf8.count > 16 * maximum ? String(text.prefix(maximum)) + "…" + text.suffix(maximum) : text
        let characters = Array(bounded.visible)
        guard characters.count > maximum else { return String(characters) }
        return String(characters.prefix(maximum / 2)) + "…" + String(characters.suffix((maximum - 1) / 2))
    }

    /// The end of a text, which distinguishes clips of one folder: without the first folders if it is too long, then shortened
    /// in the middle.
    static func ending(of text: String, maximum: Int) -> String {
        let characters = Array(String(text.suffix(16 * maximum)).visible)
        guard text.count > maximum || characters.count > maximum else { return String(characters) }
        let rest = characters.suffix(maximum - 1)
        // Starts at a folder, unless that leaves half of the characters unused.
        guard let slash = rest.firstIndex(of: "/"), rest.endIndex - slash > maximum / 2 else {
            return "…" + String(rest)
        }
        return "…" + String(rest[slash...])
    }
}
