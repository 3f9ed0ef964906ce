import Testing

@testable import FeatureModel

struct JSONBuilderTests {
    @Test func `JSON has commas between values, and escapes what it must`() {
        var json = JSONBuilder()
        json.object { json in
            json.member("a", "\"\\\n\u{1}é")
            json.member("b", [1.5, .nan, 1e-7])
            json.key("c")
            json.object { _ in }
            json.member("d", [String]())
        }
        json.endLine()
        json.value(1)
        let expected = #"{"a":"\"\\\n\u0001é","b":[1.5,null,1e-07],"c":{},"d":[]}"# + "\n1"
        #expect(String(decoding: json.bytes, as: UTF8.self) == expected)
    }
}
