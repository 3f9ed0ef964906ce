import PageRequests

/// Why the server refuses a request before its handler sees it.
enum Refusal: Error, Hashable, CaseIterable, Sendable {
    case malformed
    case headTooLarge
    case noHost
    case foreignHost
    case method
    case target
    case foreignOrigin
    case noAccess
    case contentType
    case unexpectedBody
    case bodyTooLarge
    case slow
    case busy

    var status: PageStatus {
        switch self {
        case .malformed, .noHost, .target, .unexpectedBody: .badRequest
        case .headTooLarge: .headerFieldsTooLarge
        case .foreignHost, .foreignOrigin, .noAccess: .forbidden
        case .method: .methodNotAllowed
        case .contentType: .unsupportedMediaType
        case .bodyTooLarge: .contentTooLarge
        case .slow: .requestTimeout
        case .busy: .unavailable
        }
    }

    var sentence: String {
        switch self {
        case .malformed: "This is not a request of HTTP/1.1."
        case .headTooLarge: "The head of the request is too long."
        case .noHost: "The request does not name exactly one host."
        case .foreignHost: "This server answers requests to 127.0.0.1 and localhost only."
        case .method: "The method is not one of \(Self.methods)."
        case .target: "The address of the request is not valid."
        case .foreignOrigin:
            "The request comes from a page of another server. Copy the address into the address bar of your browser."
        case .noAccess:
            "Only the address that the command printed opens this page: it has a secret in it, which is new at every start. "
                + "Copy the whole of it into the address bar of your browser."
        case .contentType: "The body of the request is not application/json."
        case .unexpectedBody: "A request of this method has no body."
        case .bodyTooLarge: "The body of the request is too long."
        case .slow: "The request took too long to arrive."
        case .busy: "Too many requests are waiting. Try again in a second."
        }
    }

    private static let methods = PageMethod.allCases.map(\.rawValue).joined(separator: ", ")

    private var headers: [PageHeader] {
        switch self {
        case .method: [PageHeader("Allow", Self.methods)]
        case .busy: [PageHeader("Retry-After", "1")]
        default: []
        }
    }

    /// - Parameter isForPerson: Whether a person reads it in a browser, and not a script.
    func response(isForPerson: Bool) -> PageResponse {
        var response =
            isForPerson ? PageResponse.text(sentence + "\n", status: status) : PageResponse.error(status, sentence)
        response.headers = headers
        return response
    }
}
