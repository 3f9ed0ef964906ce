import PageRequests

/// The content of an answer could not be read, or was not of the length that it had promised.
struct UnreadableContent: Error {}

/// An answer as it is sent: the lines of its head, and what is left of its body.
struct Answer: Sendable {
    let status: PageStatus
    let lines: [PageHeader]
    private let body: PageResponse.Body
    /// What is left to send of the body.
    private var rest: Range<Int>

    /// What every answer says: that it is not kept, guessed at, framed or read by pages of other servers, and that the page runs
    /// no script but the server's own files.
    private static let standard = [
        PageHeader(
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; "
                + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"),
        PageHeader("X-Content-Type-Options", "nosniff"),
        PageHeader("Referrer-Policy", "no-referrer"),
        PageHeader("Cache-Control", "no-store"),
        PageHeader("Cross-Origin-Resource-Policy", "same-origin"),
        PageHeader("X-Frame-Options", "DENY"),
    ]

    /// Further lines that the server sets, in lower case, as those of `standard`.
    private static let reserved = Set([
        "accept-ranges", "connection", "content-length", "content-range", "content-type", "keep-alive", "location",
        "set-cookie", "trailer", "transfer-encoding", "upgrade",
    ]).union(standard.map { $0.name.lowercased() })

    /// - Parameters:
    ///   - response: What to answer.
    ///   - method: That of the request; nil if it is not known.
    ///   - ranges: The values of the request's `Range` lines.
    init(_ response: PageResponse, to method: PageMethod?, ranges: [String] = []) {
        let isSafe = Self.isSafe(response.contentType) && response.headers.allSatisfy(Self.isAllowed)
        let response = isSafe ? response : .error(.internalError, "The server made an answer that is not valid.")
        self.init(response, own: response.headers, to: method, ranges: ranges)
    }

    /// The answer to a request with the token in its address: a cookie, and the way to the page.
    ///
    /// - Parameter isFromOtherPage: Whether a link of another page led here. Browsers call what a redirect then leads to a request of
    ///   that page and send no strict cookie with it, so a page of this server leads on.
    init(cookie: String, isFromOtherPage: Bool, to method: PageMethod) {
        let own = [PageHeader("Set-Cookie", "\(cookie); HttpOnly; SameSite=Strict; Path=/")]
        if isFromOtherPage {
            // The script, which is the handler's, keeps the fragment, which a refresh would drop.
            let page =
                "<!doctype html><meta charset=\"utf-8\"><title>Open</title><link rel=\"icon\" href=\"/favicon.svg\">"
                + "<script src=\"/opened.js\"></script><noscript><meta http-equiv=\"refresh\" content=\"0; url=/\"></noscript>"
                + "<a href=\"/\">Open the page</a>\n"
            let response = PageResponse(contentType: "text/html; charset=utf-8", body: .bytes(Array(page.utf8)))
            self.init(response, own: own, to: method)
        } else {
            self.init(.text("", status: .seeOther), own: own + [PageHeader("Location", "/")], to: method)
        }
    }

    private init(_ response: PageResponse, own: [PageHeader], to method: PageMethod?, ranges: [String] = []) {
        var (status, lines) = (
            response.status, Self.standard + [PageHeader("Content-Type", response.contentType)] + own
        )
        body = response.body
        switch body {
        case .bytes(let bytes): rest = bytes.indices
        case .content(let content):
            rest = 0..<max(content.count, 0)
            lines.append(PageHeader("Accept-Ranges", "bytes"))
            let requested: RequestedRange =
                method == .get && status == .ok ? RequestedRange(ranges, count: rest.count) : .whole
            switch requested {
            case .whole: break
            case .part(let part):
                status = .partialContent
                lines.append(
                    PageHeader("Content-Range", "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(rest.count)"))
                rest = part
            case .unsatisfiable:
                status = .rangeNotSatisfiable
                lines.append(PageHeader("Content-Range", "bytes */\(rest.count)"))
                rest = 0..<0
            }
        }
        lines.append(PageHeader("Content-Length", "\(rest.count)"))
        if method == .head { rest = 0..<0 }
        (self.status, self.lines) = (status, lines)
    }

    /// Whether all is sent.
    var isComplete: Bool { rest.isEmpty }

    /// Whether `next` may block.
    var isRead: Bool { if case .content = body { true } else { false } }

    /// The next bytes of the body; none at its end.
    ///
    /// - Parameter most: How many at most.
    mutating func next(_ most: Int) throws(UnreadableContent) -> ArraySlice<UInt8> {
        let range = rest.prefix(max(most, 1))
        guard !range.isEmpty else { return [] }
        rest = range.upperBound..<rest.upperBound
        switch body {
        case .bytes(let bytes): return bytes[range]
        case .content(let content):
            guard let bytes = try? content.read(range), bytes.count == range.count else { throw UnreadableContent() }
            return bytes[...]
        }
    }

    private static func isAllowed(_ header: PageHeader) -> Bool {
        let name = header.name.lowercased()
        return !name.isEmpty
            && name.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
            && !reserved.contains(name) && isSafe(header.value)
    }

    /// Whether a value cannot end its line.
    private static func isSafe(_ value: String) -> Bool { value.utf8.allSatisfy { (0x20...0x7E).contains($0) } }
}
