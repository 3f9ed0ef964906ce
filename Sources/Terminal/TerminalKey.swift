/// A key as a terminal reports it.
package enum TerminalKey: Hashable, Sendable {
    /// A key with a character; letters as they were typed.
    case character(Character)
    /// The arrows.
    case up, down, left, right
    /// Tab.
    case tab
    /// Enter.
    case enter
    /// Escape alone.
    case escape
    /// A sequence that means nothing here.
    case other
}
