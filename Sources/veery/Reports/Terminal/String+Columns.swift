extension String {
    /// The columns that the text takes in a terminal.
    var columns: Int {
        utf8.allSatisfy { (0x20..<0x7F).contains($0) } ? utf8.count : reduce(0) { $0 + $1.columns }
    }

    /// The text in at most `limit` columns: where it is wider, its beginning and its end with `ellipsis` between them.
    func shortened(to limit: Int, ellipsis: String) -> String {
        guard columns > limit else { return self }
        let room = limit - ellipsis.columns
        guard room > 0 else { return String(ellipsis.prefix(max(limit, 0))) }
        func fitting(_ characters: some Sequence<Character>, _ room: Int) -> [Character] {
            var left = room
            return Array(
                characters.prefix { character in
                    left -= character.columns
                    return left >= 0
                })
        }
        let head = fitting(self, (room + 1) / 2)
        let tail = fitting(reversed(), room - String(head).columns)
        return String(head) + ellipsis + String(tail.reversed())
    }

    /// The text with spaces behind it, or before it, up to `width` columns.
    func padded(to width: Int, isRight: Bool = false) -> String {
        let spaces = String(repeating: " ", count: max(0, width - columns))
        return isRight ? spaces + self : self + spaces
    }
}
