import FeatureModel
import SignalProcessing

/// Variations of the number of rows: how they are resized, of what it is a multiple, where it is fixed, what added rows hold, and how they are grouped.
enum RowVariations {
    /// Numbers of rows that models take.
    private static let usualCounts: Set = [98, 100, 200, 300, 400, 500, 998, 1000, 1001, 1024, 1500, 3000]
    private static let multiples = [16, 8, 32, 64, 128, 4, 2]

    static func all(_ context: VariationContext) -> [Variation] {
        resized(context) + own(context) + patches(context) + others(context)
    }

    /// Variations of a configuration that resizes rows: none at all, the other method, no rows added for a multiple.
    private static func resized(_ context: VariationContext) -> [Variation] {
        let rows = context.configuration.rows
        guard rows.isResized else { return [] }
        let method = RowsConfiguration.ResizeMethod.allCases.filter { $0 != rows.resizeMethod }
        var changes = method.map { Variation("rows.resize_method=\($0.rawValue)") }
        if rows.resizeMultiple > 1 {
            changes.append(Variation("rows.resize_multiple=1", note: "no zeros after the clip"))
        }
        // With columns that are resized, the number of bins says whether they were.
        if rows.resizeBins == nil {
            changes.append(
                Variation(
                    "rows.resize=null rows.resize_method=bilinear rows.resize_multiple=1", note: "rows of single frames"
                ))
        }
        return changes
    }

    /// Variations of a configuration with patches: where they start, how long they are, none at all.
    private static func patches(_ context: VariationContext) -> [Variation] {
        let patches = context.configuration.patches
        guard let shape = patches.shape else { return [] }
        let none = "patches.length=null patches.hop=null patches.rest=drop patches.stacked=false patches.lead=0"
        let length = shape.length
        let hops = Set([length, length / 2, length / 4, 1, 48, 96]).filter { $0 > 0 && $0 <= length && $0 != shape.hop }
        return [Variation(none, note: "rows that are not grouped")]
            + hops.sorted().map { Variation("patches.hop=\($0)") }
            + ["drop", "fill", "zeros", "repeat"].map { Variation("patches.rest=\($0)") }
            + [0, (length - 1) / 2].filter { $0 != shape.lead }.map { Variation("patches.lead=\($0)") }
            + [48, 64, 96, 100, 128].filter { $0 != length && context.rows % $0 == 0 }.map {
                Variation("patches.length=\($0) patches.hop=\(min($0, shape.hop))")
            }
    }

    /// Variations of a configuration with rows of its own.
    private static func own(_ context: VariationContext) -> [Variation] {
        guard context.configuration.rows.isActive else { return [] }
        let fillValues = Set([0, context.endValue].compactMap { $0 }).sorted()
        let none = "rows.count=null rows.multiple=1 rows.fill=0 rows.fill_order=after"
        return [Variation(none, note: "rows of the clip's own length")]
            + Variation.each("rows.fill_order", "before after") + fillValues.map { Variation("rows.fill=\($0.word)") }
            + [Variation("rows.fill=min", note: "added rows hold the clip's least value")]
    }

    /// The numbers of rows that the array has.
    private static func others(_ context: VariationContext) -> [Variation] {
        let (given, expected) = (context.rows, context.plan.frameCount(samples: context.sampleCount))
        // Less is a matter of where frames lie.
        guard given > 0, abs(given - expected) > 2 || given % 8 == 0 && given > expected else { return [] }
        let count = "rows.count=\(given) rows.multiple=1"
        guard given > expected else { return [Variation(count, note: "later rows are dropped")] }
        let isUsual = usualCounts.contains(given)
        let multiples = isUsual ? [] : multiples.filter { (expected + $0 - 1) / $0 * $0 == given }
        var sizes: [(words: String, note: String?)] = multiples.prefix(1).map {
            ("rows.count=null rows.multiple=\($0)", "or rows.count=\(given); one recording cannot tell")
        }
        sizes.append((count, nil))
        return sizes.flatMap { size in
            paddings(context).map { Variation("\(size.words) \($0)", note: size.note) }
        }
    }

    /// What the rows that are added hold, and when they are added.
    private static func paddings(_ context: VariationContext) -> [String] {
        func padding(_ fill: Double, _ order: String) -> String { "rows.fill=\(fill.word) rows.fill_order=\(order)" }
        let normalize = context.configuration.normalize
        let value = context.endValue
        var paddings = [value ?? 0].map { padding($0, "after") }
        switch normalize.scope {
        case .none, .dataset: break
        case .clip: paddings.append(padding(0, "before"))
        case .constant:
            guard let value, let (mean, std) = normalize.constants else { break }
            let fill = value * std + mean
            paddings.insert(padding(abs(fill) < 1e-5 * std ? 0 : fill, "before"), at: 0)
        }
        return paddings
    }
}
