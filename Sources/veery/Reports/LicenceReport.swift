import CProgram
import FeatureModel
import Presentation

/// What `veery --version --licences` prints: the parts of this program, and the licence of each.
enum LicenceReport {
    /// The options that ask for it, in both spellings.
    static let options = ["--licences", "--licenses"]

    static var text: String {
        if let list = veery_components() { return linked(String(cString: list)) }
        return shared(sharedLibraries())
    }

    private static let own = "Veery's own source is under Apache-2.0."

    /// Of a program that has its libraries in it: `components` as `veery_components` returns them.
    static func linked(_ components: String) -> String {
        let rows = components.split(separator: "\n").map { line in
            line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
        return """
            veery \(VeeryVersion.number)
            \(own) Linked into this program:

            \(table(rows))

            Where a licence is a choice (OR), this program has the first. THIRD-PARTY.md has
            the addresses of the sources, and the folder third-party next to it the texts of
            the licences: in share/doc/veery, or in licenses of the wheel's dist-info.
            """
    }

    /// Of a program that the system loads the libraries of `paths` for.
    static func shared(_ paths: [String]) -> String {
        let components = Component.all
        var known: [String: Component] = [:]
        var others: Set<String> = []
        // Those of macOS are parts of the system.
        for path in paths where !(path.hasSuffix(".dylib") && path.hasPrefix("/usr/lib/")) {
            let name = path.split(separator: "/").last.map(String.init) ?? ""
            guard name.hasPrefix("lib"), name.contains(".so") || name.contains(".dylib") else { continue }
            if let component = Component.archives(of: name).lazy.compactMap({ components[$0] }).first {
                known[component.name] = component
            } else {
                others.insert(name)
            }
        }
        let parts = Component.compiledIn.compactMap { components[$0] }
        func rows(_ components: some Sequence<Component>) -> [[String]] {
            components.sorted { $0.name.lowercased() < $1.name.lowercased() }.map { [$0.name, $0.licence] }
        }
        let gpl = known.values.filter { $0.licence.hasPrefix("GPL") && !$0.licence.contains("WITH") }.map(\.name)
            .sorted()
        var text = """
            veery \(VeeryVersion.number)
            \(own) Compiled into this program:

            \(table(rows(parts)))

            Libraries of the system that it uses:

            \(table(rows(known.values)))
            """
        if !others.isEmpty {
            text += "\n\nand others, whose packages say their licences:\n\n\(wrapped(others.sorted()))"
        }
        if !gpl.isEmpty {
            text += """


                \(gpl.joined(separator: " and ")) is under the GPL: if you pass this program on, the whole of it is under the
                GPL. The wheel, the tarball and libveery are built without it.
                """
        }
        return text
    }

    /// Words in lines of up to 80 columns.
    private static func wrapped(_ words: [String]) -> String {
        var lines = [" "]
        for word in words {
            if lines[lines.count - 1].count + 1 + word.count > 80 { lines.append(" ") }
            lines[lines.count - 1] += " " + word
        }
        return lines.joined(separator: "\n")
    }

    private static func sharedLibraries() -> [String] {
        var paths: [String] = []
        withUnsafeMutablePointer(to: &paths) { paths in
            veery_each_library(
                { path, context in
                    guard let path else { return }
                    context?.assumingMemoryBound(to: [String].self).pointee.append(String(cString: path))
                }, paths)
        }
        return paths
    }

    /// Rows of equal length, in columns.
    private static func table(_ rows: [[String]]) -> String {
        let columns = rows.first?.count ?? 0
        let widths = (0..<columns).map { column in rows.map { $0[column].columns }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row.dropLast(), widths).map { $0.padded(to: $1) } + row.suffix(1)
            return "  " + cells.joined(separator: "  ")
        }.joined(separator: "\n")
    }
}
