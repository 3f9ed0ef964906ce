import FeatureModel
import Testing

/// A configuration that is refused, the key that is named, and what is said to be found and expected there.
struct RefusedConfiguration: Sendable, CustomTestStringConvertible {
    let json, key, found, expected: String
    var testDescription: String { json }

    /// - Parameters:
    ///   - found: A part of what the error says was found.
    ///   - expected: A part of what it says was expected.
    init(_ json: String, _ key: String, found: String, expected: String) {
        (self.json, self.key, self.found, self.expected) = (json, key, found, expected)
    }

    /// Reads it and compares the error.
    func check() throws {
        let error = try #require(refusal(json), "it was accepted, or refused with another error")
        let (key, found, expected): (String, String, String)
        switch error {
        case .invalidValue(let at, let value, let wanted): (key, found, expected) = (at, value, wanted)
        case .notBelow(let at, let value, let other, let upper):
            (key, found, expected) = (at, value, "less than \(other), \(upper)")
        case .unknownKey, .foreignKey:
            Issue.record("expected an invalid value, found \(error)")
            return
        }
        #expect(key == self.key)
        #expect(found.contains(self.found), "found: \(found)")
        #expect(expected.contains(self.expected), "expected: \(expected)")
        #expect(error.description == "configuration \(key): expected \(expected), found \(found)")
    }
}
