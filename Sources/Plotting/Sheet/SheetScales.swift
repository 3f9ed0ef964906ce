/// The values that a contact sheet's colours span.
struct SheetScales: Sendable {
    /// Those of clips and means.
    let values: ValueScale
    /// Whether clips have values below and above them.
    let beyond: (below: Bool, above: Bool)
    /// Those of spreads, from 0 on; nil: there are none.
    let spread: ValueScale?
    /// Whether there are greater spreads.
    let isSpreadBeyond: Bool

    /// Finds them from the clips, or from the means where no clip is shown; from the spreads, theirs: up to the 99.5th
    /// percentile.
    init(_ sheet: ContactSheet) {
        let ranks = RankedValues(sheet.values(of: sheet.has(.clip) ? .clip : .mean))
        let values = ValueScale(sheet.span, of: ranks)
        self.values = values
        beyond = (
            below: ranks.value(at: 0).map { Double($0) < values.range.lowerBound } ?? false,
            above: ranks.value(at: 1).map { Double($0) > values.range.upperBound } ?? false
        )
        guard sheet.has(.spread) else {
            spread = nil
            isSpreadBeyond = false
            return
        }
        let spreads = RankedValues(sheet.values(of: .spread))
        let most = max(spreads.value(at: 0.995) ?? 0, 0)
        let scale = ValueScale(0...(most > 0 ? most : 1))
        spread = scale
        isSpreadBeyond = spreads.value(at: 1).map { Double($0) > scale.range.upperBound } ?? false
    }
}
