import FeatureModel
import Testing

@testable import FeatureStorage

/// Where rows lie in the dataset, by counting through it.
struct TensorBlockTests {
    static let patches: [PatchShape?] = [
        nil, PatchShape(length: 1, hop: 1, isStacked: false), PatchShape(length: 3, hop: 2, isStacked: false),
        PatchShape(length: 3, hop: 3, isStacked: true),
    ]

    private func shape(_ layout: StoreConfiguration.Layout, _ patch: PatchShape?) throws -> TensorShape {
        guard layout == .fixed else { return .packed(rows: 24, clips: 4, bins: 2, chunkRows: 6, patch: patch) }
        return try #require(TensorShape.fixed(frames: 6, clips: 4, bins: 2, chunkRows: 3, patch: patch))
    }

    /// The indices, in row-major order, of the values of a block of a dataset.
    private func indices(_ start: [Int], _ count: [Int], in extents: [Int]) -> [Int] {
        var found = [0]
        for dimension in extents.indices {
            found = found.flatMap { base in
                (start[dimension]..<start[dimension] + count[dimension]).map { base * extents[dimension] + $0 }
            }
        }
        return found
    }

    @Test(arguments: [StoreConfiguration.Layout.packed, .fixed], patches)
    func `blocks of rows are their values, in order`(layout: StoreConfiguration.Layout, patch: PatchShape?) throws {
        let shape = try shape(layout, patch)
        #expect(shape.extents.reduce(1, *) == 48)
        #expect(shape.rowExtents.reduce(1, *) == 24)
        for lower in 0...24 {
            for upper in lower...24 {
                let blocks = shape.blocks(of: lower..<upper)
                #expect(blocks.filter { !$0.rows.isEmpty }.flatMap(\.rows) == Array(lower..<upper))
                let values = blocks.filter { !$0.rows.isEmpty }.flatMap { block -> [Int] in
                    let (start, count) = shape.selection(block)
                    return indices(start, count, in: shape.extents)
                }
                #expect(values == Array(2 * lower..<2 * upper), "\(lower)..<\(upper)")
                // Whole clips and patches are not taken apart.
                if lower % 6 == 0, upper % 6 == 0, lower < upper { #expect(blocks.count == 1) }
            }
        }
    }

    @Test(arguments: [StoreConfiguration.Layout.packed, .fixed], patches)
    func `chunks start where their first row lies`(layout: StoreConfiguration.Layout, patch: PatchShape?) throws {
        let shape = try shape(layout, patch)
        let rows = try #require(shape.chunkRows)
        let extents = try #require(shape.chunkExtents)
        #expect(extents.reduce(1, *) == rows * 2)
        for row in stride(from: 0, to: 24, by: rows) {
            #expect(
                indices(shape.chunkOffset(row: row), extents, in: shape.extents) == Array(2 * row..<2 * (row + rows)))
        }
    }

    @Test func `a chunk has whole patches`() {
        for patchRows in [1, 2, 20, 96] {
            for frames in [1, 7, 50, 4000] {
                let rows = ChunkSize.rows(
                    rowBytes: 320, lengths: [frames * patchRows: 10, 3 * patchRows: 2], patchRows: patchRows)
                #expect(rows > 0 && rows % patchRows == 0)
                #expect(rows == patchRows || rows * 320 <= 1 << 20)
            }
        }
    }
}
