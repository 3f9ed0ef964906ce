import Synchronization

/// A secret that opens the page once. Arguments of programs can be read by other users of the machine: one who sees this secret there
/// comes too late, or keeps the user's own browser out, which then says so.
final class SingleUseToken: Sendable {
    private let token = Mutex<AccessToken?>(nil)

    /// A new one; an older one is no longer valid.
    func make() -> AccessToken {
        let made = AccessToken()
        token.withLock { $0 = made }
        return made
    }

    /// Whether a text is the token, which is used up then.
    func take(_ text: String) -> Bool {
        token.withLock { token in
            guard let own = token, own.matches(text) else { return false }
            token = nil
            return true
        }
    }
}
