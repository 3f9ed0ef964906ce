import PageRequests

/// What a request has to be like, and what it may do.
struct RequestRules: Sendable {
    enum Admission: Hashable, Sendable {
        /// It is for the handler, once its body is there.
        case admitted(PageRequest)
        /// It brought the token in its address, and its answer sets a cookie of this name.
        case signedIn(cookieName: String, isFromOtherPage: Bool)
    }

    let token: AccessToken
    /// Opens the page once, as `token` does any number of times.
    let once = SingleUseToken()

    /// The query item with the token.
    static let tokenName = "token"

    /// - Throws: The first rule that the request breaks.
    func admit(_ head: RequestHead) throws(Refusal) -> Admission {
        let hosts = head.values("host")
        guard let name = hosts.first, hosts.count == 1 else { throw .noHost }
        guard let host = LoopbackHost(name) else { throw .foreignHost }
        guard let method = PageMethod(rawValue: head.method) else { throw .method }
        guard let target = RequestTarget(head.target) else { throw .target }
        let origins = head.values("origin")
        guard origins.allSatisfy({ $0.lowercased() == host.origin }),
            origins.count == 1 || method != .post && origins.isEmpty
        else { throw .foreignOrigin }
        let isFromOtherPage = !head.values("sec-fetch-site").allSatisfy { ["same-origin", "none"].contains($0) }
        if method != .post, head.hasBody { throw .unexpectedBody }

        let tokens = target.query.filter { $0.name == Self.tokenName }
        if method != .post, target.path.isEmpty, let given = tokens.first {
            guard tokens.count == 1, token.matches(given.value) || method == .get && once.take(given.value)
            else { throw .noAccess }
            return .signedIn(cookieName: host.cookieName, isFromOtherPage: isFromOtherPage)
        }
        if isFromOtherPage { throw .foreignOrigin }
        guard isSignedIn(head, host.cookieName) else { throw .noAccess }
        if method == .post {
            let types = head.values("content-type")
            guard types.count == 1, types.allSatisfy(Self.isJSON) else { throw .contentType }
        }
        return .admitted(PageRequest(method: method, path: target.path, query: target.query))
    }

    /// Whether the token is in a cookie. Another program of this machine may have set one of the same name, so any one will do.
    private func isSignedIn(_ head: RequestHead, _ cookieName: String) -> Bool {
        head.values("cookie").flatMap { $0.split(separator: ";") }.contains { cookie in
            let sides = cookie.split(separator: "=", maxSplits: 1)
            return sides.count == 2 && sides[0].trimmed == cookieName && token.matches(sides[1].trimmed)
        }
    }

    private static func isJSON(_ contentType: String) -> Bool {
        contentType.prefix { $0 != ";" }.trimmed.lowercased() == "application/json"
    }
}

extension Substring {
    /// Without spaces and tabs at its ends.
    fileprivate var trimmed: Substring {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        guard let last = lastIndex(where: { !isBlank($0) }) else { return "" }
        return self[...last].drop(while: isBlank)
    }
}
