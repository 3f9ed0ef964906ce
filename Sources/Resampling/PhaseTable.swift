/// The rows of weights of a design, each made when it is first needed, and kept where all of them fit into a few megabytes.
final class PhaseTable {
    /// Blocks of eight weights in a row; zeros come first, so that no sample is waited for.
    let blocks: Int
    /// Samples before the whole part of a position that a row begins with.
    let before: Int
    /// Rows that can be used at a time; nil: any number.
    let usable: Int?

    private let design: any PhaseDesign
    private let zeros: Int
    /// Rows in memory.
    private let held: Int
    private let rows: UnsafeMutablePointer<Double>
    /// For each kept row, whether it is made; nil: none are kept.
    private let isMade: UnsafeMutablePointer<Bool>?
    /// Where the next row is made, where none are kept.
    private var next = 0

    private static let keptBytes = 3 << 20
    private static let passingBytes = 1 << 18

    init(_ design: any PhaseDesign) {
        let (reach, count) = (design.reach, design.ratio.up + 1)
        let weights = reach.before + 1 + reach.after
        blocks = (weights + 7) / 8
        zeros = 8 * blocks - weights
        before = reach.before + zeros
        self.design = design
        let bytes = 64 * blocks
        let isKept = count <= Self.keptBytes / bytes
        held = isKept ? count : max(1, Self.passingBytes / bytes)
        usable = isKept ? nil : held
        isMade = isKept ? .allocate(capacity: count) : nil
        isMade?.initialize(repeating: false, count: count)
        rows = .allocate(capacity: 8 * blocks * held)
    }

    deinit {
        rows.deallocate()
        isMade?.deallocate()
    }

    /// The row of a phase, 0 ... up; valid until `usable` others were asked for.
    func row(_ phase: Int) -> UnsafePointer<Double> {
        guard let isMade else {
            let row = rows + next * 8 * blocks
            next = next + 1 == held ? 0 : next + 1
            return make(phase, in: row)
        }
        let row = rows + phase * 8 * blocks
        guard !isMade[phase] else { return UnsafePointer(row) }
        isMade[phase] = true
        return make(phase, in: row)
    }

    private func make(_ phase: Int, in row: UnsafeMutablePointer<Double>) -> UnsafePointer<Double> {
        row.update(repeating: 0, count: zeros)
        design.weigh(phase, into: row + zeros)
        return UnsafePointer(row)
    }
}
