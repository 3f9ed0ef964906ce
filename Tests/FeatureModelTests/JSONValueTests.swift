import Testing

@testable import FeatureModel

struct JSONValueTests {
    private func value(_ text: String) throws -> JSONValue { try JSONValue(line: Array(text.utf8)) }

    @Test func `digits, order and nesting are kept`() throws {
        let object = try value(#"{"b": 1.50, "a": [1, {"x": null}], "c": "é\n", "d": true, "e": null}"#)
        #expect(object.members.map(\.name) == ["b", "a", "c", "d", "e"])
        #expect(object["b"]?.text == "1.50" && object["b"]?.number == 1.5)
        #expect(object["a"]?.text == #"[1,{"x":null}]"#)
        #expect(object["c"]?.string == "é\n" && object["d"]?.text == "true" && object["e"] == nil)
        #expect(object["z"] == nil && object["b"]?.string == nil && object["c"]?.number == nil)
    }

    @Test(arguments: [
        "", "[1]", "{", #"{"a"}"#, #"{"a": }"#, #"{"a": 1} x"#, #"{"a": 1,}"#,
        "{\"a\": " + String(repeating: "[", count: 99),
        #"{"a": "\ud800"}"#, #"{"a": 01}"#, "{\"a\": \"\u{1}\"}",
    ])
    func `JSON that is not an object is refused`(text: String) {
        #expect(throws: JSONValue.Failure.self) { try value(text) }
    }
}
