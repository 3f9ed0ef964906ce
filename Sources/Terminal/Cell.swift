/// A place of the screen: a character one column wide, and its colours.
package struct Cell: Hashable, Sendable {
    /// The character.
    package var scalar: Unicode.Scalar
    /// Its colour.
    package var foreground: TerminalColor
    /// The colour behind it.
    package var background: TerminalColor

    /// Keeps the values.
    package init(
        _ scalar: Unicode.Scalar, foreground: TerminalColor = .standard, background: TerminalColor = .standard
    ) {
        self.scalar = scalar
        self.foreground = foreground
        self.background = background
    }

    /// Nothing.
    package static let blank = Cell(" ")
}
