/// Finds keys in the bytes that a terminal sends, which may be cut anywhere.
package struct KeyParser: Sendable {
    private enum State {
        case ground
        /// After ESC.
        case escape
        /// Within a sequence after ESC [, before its last byte.
        case sequence(hasParameters: Bool)
        /// After ESC O.
        case single
        /// Within a character of several bytes.
        case character([UInt8], left: Int)
    }

    private var state = State.ground

    package init() {}

    /// Whether a sequence is incomplete: if nothing follows soon, call `end`.
    package var isWaiting: Bool { if case .ground = state { false } else { true } }

    package mutating func push(_ byte: UInt8) -> TerminalKey? {
        switch state {
        case .ground: return start(byte)
        case .escape:
            switch byte {
            case UInt8(ascii: "["): state = .sequence(hasParameters: false)
            case UInt8(ascii: "O"): state = .single
            // Escape, and then a key of its own.
            case 0x1B: return .escape
            default:
                state = .ground
                return .other
            }
            return nil
        case .single:
            state = .ground
            return Self.arrow(byte) ?? .other
        case .sequence(let hasParameters):
            guard (0x40...0x7E).contains(byte) else {
                // Any other byte ends the sequence, so that a broken one does not swallow keys.
                state = (0x20...0x3F).contains(byte) ? .sequence(hasParameters: true) : .ground
                return nil
            }
            state = .ground
            return hasParameters ? .other : Self.arrow(byte) ?? .other
        case .character(let bytes, let left):
            guard byte & 0xC0 == 0x80 else {
                state = .ground
                return start(byte)
            }
            guard left == 1 else {
                state = .character(bytes + [byte], left: left - 1)
                return nil
            }
            state = .ground
            return String(validating: bytes + [byte], as: UTF8.self)?.first.map { .character($0) }
        }
    }

    /// Ends an incomplete sequence: a lone ESC was the key of that name.
    package mutating func end() -> TerminalKey? {
        defer { state = .ground }
        if case .escape = state { return .escape }
        return nil
    }

    private mutating func start(_ byte: UInt8) -> TerminalKey? {
        switch byte {
        case 0x1B: state = .escape
        case 0x09: return .tab
        case 0x0A, 0x0D: return .enter
        case 0x20...0x7E: return .character(Character(Unicode.Scalar(byte)))
        case 0xC2...0xDF: state = .character([byte], left: 1)
        case 0xE0...0xEF: state = .character([byte], left: 2)
        case 0xF0...0xF4: state = .character([byte], left: 3)
        default: return .other
        }
        return nil
    }

    private static func arrow(_ byte: UInt8) -> TerminalKey? {
        switch byte {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "C"): .right
        case UInt8(ascii: "D"): .left
        default: nil
        }
    }
}

/// A key as a terminal reports it.
package enum TerminalKey: Hashable, Sendable {
    /// A key with a character; letters as they were typed.
    case character(Character)
    case up, down, left, right
    case tab
    case enter
    case escape
    /// A sequence that means nothing here.
    case other
}
