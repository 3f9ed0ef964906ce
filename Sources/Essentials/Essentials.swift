// The part of Foundation that needs no tables of languages and calendars, under one name. Foundation itself would add ICU's tables,
// 34 MB, to the program. macOS has both in the system, as one.
#if canImport(FoundationEssentials)
    @_exported import FoundationEssentials
#else
    @_exported import Foundation
#endif

extension Encodable {
    /// JSON with sorted keys: equal values give equal texts.
    package func sortedJSON(_ formatting: JSONEncoder.OutputFormatting = []) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = formatting.union([.sortedKeys, .withoutEscapingSlashes])
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}

extension Error {
    /// The system's code of an error of `FileManager`, if there is one.
    package var systemCode: Int32? { ((self as? CocoaError)?.underlying as? POSIXError)?.code.rawValue }
}
