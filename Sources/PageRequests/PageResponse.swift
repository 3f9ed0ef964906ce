import FeatureModel

/// How a request ended.
package enum PageStatus: Int, CaseIterable, Sendable {
    case ok = 200
    case partialContent = 206
    case seeOther = 303
    case badRequest = 400
    case forbidden = 403
    case notFound = 404
    case methodNotAllowed = 405
    case requestTimeout = 408
    case conflict = 409
    case gone = 410
    case contentTooLarge = 413
    case unsupportedMediaType = 415
    case rangeNotSatisfiable = 416
    case headerFieldsTooLarge = 431
    case internalError = 500
    case unavailable = 503
}

/// A line of a response's head.
package struct PageHeader: Hashable, Sendable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
}

/// Bytes that are read as they are sent, such as sound.
package protocol PageContent: Sendable {
    /// Number of bytes, which does not change.
    var count: Int { get }

    /// Some of the bytes. Called on one of the server's threads, which it may block.
    ///
    /// - Parameter range: Within `0..<count`; not longer than `PageLimits.chunk`.
    /// - Returns: As many bytes as `range` has.
    func read(_ range: Range<Int>) throws -> [UInt8]
}

/// What a browser receives.
package struct PageResponse: Sendable {
    package enum Body: Sendable {
        case bytes([UInt8])
        /// A request may ask for a range of it.
        case content(any PageContent)
    }

    package var status: PageStatus
    package var contentType: String
    /// Further lines of the head. Those that the server sets are not allowed, and nor are control characters: then the status is
    /// `internalError`.
    package var headers: [PageHeader] = []
    package var body: Body

    package init(_ status: PageStatus = .ok, contentType: String, headers: [PageHeader] = [], body: Body) {
        (self.status, self.contentType, self.headers, self.body) = (status, contentType, headers, body)
    }

    /// JSON, given as its UTF-8 bytes.
    package static func json(_ bytes: [UInt8], status: PageStatus = .ok) -> PageResponse {
        PageResponse(status, contentType: "application/json", body: .bytes(bytes))
    }

    /// Plain text.
    package static func text(_ text: String, status: PageStatus = .ok) -> PageResponse {
        PageResponse(status, contentType: "text/plain; charset=utf-8", body: .bytes(Array(text.utf8)))
    }

    /// An error as an object of JSON with one sentence.
    package static func error(_ status: PageStatus, _ sentence: String) -> PageResponse {
        var json = JSONBuilder()
        json.object { $0.member("error", sentence) }
        return .json(json.bytes, status: status)
    }
}
