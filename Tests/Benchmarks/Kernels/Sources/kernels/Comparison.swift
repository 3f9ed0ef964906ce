/// A kernel of Veery's and the library's own way, timed by turns.
struct Comparison {
    /// What is compared with what.
    let name: String
    /// What is counted in a second: frames, samples, bytes.
    let unit: String
    /// How many of these one run of Veery's handles, and one of the library's.
    let amounts: (veery: Int, bare: Int)
    /// One run each.
    let veery: () throws -> Void
    let bare: () throws -> Void

    /// Runs both by turns and returns a row of a Markdown table: medians, and how far the ratios lie apart.
    func row(rounds: Int) throws -> String {
        try veery()
        try bare()
        var measured: (ratios: [Double], veery: [Double], bare: [Double]) = ([], [], [])
        for round in 0..<rounds {
            var (ours, theirs) = (0.0, 0.0)
            for turn in 0..<2 {
                if (turn + round) % 2 == 0 {
                    ours = try Self.seconds(veery) / Double(amounts.veery)
                } else {
                    theirs = try Self.seconds(bare) / Double(amounts.bare)
                }
            }
            measured.ratios.append(ours / theirs)
            measured.veery.append(1 / ours)
            measured.bare.append(1 / theirs)
        }
        let ratios = measured.ratios.sorted()
        return "| \(name) | **\(Self.text(Self.median(ratios)))** | \(Self.text(ratios[0]))–"
            + "\(Self.text(ratios[ratios.count - 1])) | \(unit) | \(Self.text(Self.median(measured.veery))) "
            + "| \(Self.text(Self.median(measured.bare))) |"
    }

    private static func seconds(_ run: () throws -> Void) rethrows -> Double {
        let duration = try ContinuousClock().measure(run)
        return Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
    }

    private static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }

    /// Three digits, and k, M or G where there are more.
    private static func text(_ value: Double) -> String {
        let (scaled, suffix): (Double, String) =
            switch value {
            case 1e9...: (value / 1e9, " G")
            case 1e6...: (value / 1e6, " M")
            case 1e3...: (value / 1e3, " k")
            default: (value, "")
            }
        let digits = scaled < 10 ? 100.0 : scaled < 100 ? 10.0 : 1.0
        let rounded = (scaled * digits).rounded() / digits
        return (digits == 1 ? "\(Int(rounded))" : "\(rounded)") + suffix
    }
}
