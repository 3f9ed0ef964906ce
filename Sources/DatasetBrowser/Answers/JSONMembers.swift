import FeatureModel
import PageRequests

extension JSONBuilder {
    /// Appends a member that is null where the value is nil.
    mutating func member(_ name: String, optional value: (some JSONElement)?) {
        key(name)
        element(value)
    }

    /// Appends a value that is null where it is nil.
    mutating func element(_ value: (some JSONElement)?) {
        if let value { value.append(to: &self) } else { raw("null") }
    }

    mutating func member(_ name: String, _ value: Bool) {
        key(name)
        raw(value ? "true" : "false")
    }

    /// Appends a member with an array.
    mutating func member<Value>(
        _ name: String, of values: some Sequence<Value>, _ append: (inout JSONBuilder, Value) -> Void
    ) {
        key(name)
        array { json in for value in values { append(&json, value) } }
    }
}

extension PageResponse {
    static func json(_ members: (inout JSONBuilder) -> Void) -> PageResponse {
        var json = JSONBuilder()
        json.object(members)
        return .json(json.bytes)
    }

    /// Little-endian float32.
    static func floats(_ values: [Float], headers: [(String, String)]) -> PageResponse {
        PageResponse(
            contentType: "application/octet-stream", headers: headers.map { PageHeader($0.0, $0.1) },
            body: .bytes(values.withUnsafeBytes { Array($0) }))
    }
}
