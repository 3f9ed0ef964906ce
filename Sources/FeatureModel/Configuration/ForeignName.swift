/// What other programs call a key or a value of a configuration: the one table of such names.
///
/// librosa, torchaudio, Kaldi, HTK, lhotse, ESPnet, SciPy and MATLAB. A line of `foreign-names.txt` has three columns with tabs
/// between them: the key here, or a value after `=`, or nothing where there is no counterpart; the other names, in lower case with
/// underscores (`snip-edges` and `SNIP_EDGES` match, too); and a note. The first line that has a name counts.
package enum ForeignName {
    /// The keys here for what other programs call `name`, empty where there is no counterpart, and a note; nil: an unknown
    /// name.
    static func key(_ name: String) -> (ours: [String], note: String)? {
        let name = normalized(name)
        return rows.first { !$0.ours.hasPrefix("=") && has($0.names, name) }
            .map { ($0.ours.isEmpty ? [] : [$0.ours], $0.note) }
    }

    /// The value among `choices` that other programs call `name`; nil: there is none.
    static func value(_ name: String, among choices: [String]) -> String? {
        let name = normalized(name)
        return rows.lazy.filter { $0.ours.hasPrefix("=") && has($0.names, name) }.map { String($0.ours.dropFirst()) }
            .first { choices.contains($0) }
    }

    private static func has(_ names: String, _ name: String) -> Bool {
        names.split(separator: " ").contains { $0 == name }
    }

    private static func normalized(_ name: String) -> String {
        String(name.lowercased().map { $0 == "-" || $0 == " " ? "_" : $0 })
    }

    /// The lines, read after an error alone. A test counts them.
    static let rows = String(decoding: PackageResources.foreign_names_txt, as: UTF8.self).split(separator: "\n")
        .compactMap { line -> (ours: String, names: String, note: String)? in
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            return columns.count == 3 ? (columns[0], columns[1], columns[2]) : nil
        }
}
