import Platform

/// A pattern of names as a shell has it: `*`, `?`, `[a-z]`.
package struct NamePattern: Hashable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    /// Whether anything but the text itself may match.
    package var isPattern: Bool { text.contains { "*?[".contains($0) } }

    /// A pattern that matches a text and nothing else.
    package static func escaped(_ text: some StringProtocol) -> String {
        text.map { "*?[".contains($0) ? "[\($0)]" : $0 == "\\" ? "\\\\" : "\($0)" }.joined()
    }

    /// Whether it matches all of a name; `*` matches slashes, too.
    package func matches(_ name: String) -> Bool { fnmatch(text, name, 0) == 0 }
}
