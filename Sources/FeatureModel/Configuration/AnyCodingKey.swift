/// A coding key for any name, so that a section can see the keys it does not know.
struct AnyCodingKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init(_ name: String) { stringValue = name }
    init?(intValue: Int) { nil }
}
