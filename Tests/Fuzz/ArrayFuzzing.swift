import Foundation
import Messages

@testable import ArrayFiles
@testable import Conformance

/// Files of arrays in every format that `veery conform` reads, told apart by their first bytes.
enum ArrayFuzzing {
    static func take(_ bytes: UnsafeRawBufferPointer) {
        let path = ScratchFile.write(bytes, "array")
        do throws(ArrayFileError) {
            let arrays = try ArrayCollection(path: path)
            for name in arrays.names.prefix(20) { look(try arrays.array(named: name)) }
        } catch {
            law(!error.description.isEmpty, "an error has words")
        }
    }

    private static func look(_ array: NumericArray) {
        law(NumericArray.count(array.shape) == array.values.count, "a value for each element")
        for (rows, bins) in [(3, 4), (array.shape.first ?? 1, 80), (1, max(array.shape.last ?? 1, 1))] {
            for layout in ArrayLayout.candidates(array, rows: rows, bins: bins) {
                let matrix = layout.withoutPadding(after: rows).matrix
                law(matrix.values.count == matrix.rows * matrix.bins, "whole rows")
                law(matrix.values.count <= array.values.count, "no more values than there were")
            }
        }
    }
}
