/// Paths that another system or program would understand, and this one does not.
struct PathLook {
    private enum Kind: CaseIterable {
        case backslash, home, address
    }

    private var counts = Array(repeating: 0, count: Kind.allCases.count)

    /// Looks at a path.
    mutating func take(_ path: UnsafeRawBufferPointer) {
        guard let first = path.first else { return }
        if first == UInt8(ascii: "~"), path.count > 1, path[1] == Byte.slash {
            count(.home)
        } else if path.starts(with: "http://".utf8) || path.starts(with: "https://".utf8)
            || path.starts(with: "s3://".utf8)
        {
            count(.address)
        } else if path.contains(Byte.backslash), !path.contains(Byte.slash) {
            count(.backslash)
        }
    }

    private mutating func count(_ kind: Kind) { counts[Kind.allCases.firstIndex(of: kind) ?? 0] += 1 }

    /// Sentences for standard error.
    var warnings: [String] {
        zip(Kind.allCases, counts).filter { $0.1 > 0 }.map { kind, count in
            let paths = count == 1 ? "1 path" : "\(count) paths"
            return switch kind {
            case .backslash:
                "\(paths) with backslashes: write '/' between folders, unless the backslash is part of a name"
            case .home:
                "\(paths) with '~', which a shell expands and a manifest does not: write the folder out, or give --root"
            case .address: "\(paths) with an address of the network: recordings are read from files; fetch them first"
            }
        }
    }
}
