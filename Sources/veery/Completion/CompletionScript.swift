/// Additions to the completion scripts that the library generates.
enum CompletionScript {
    /// A generated script with the additions; other texts and other scripts as they are.
    static func completed(_ script: String) -> String {
        guard script.hasPrefix("#") else { return script }
        return script.replacing(bashRegistration, with: bash, maxReplacements: 1)
            .replacing(zshRegistration, with: zsh + "\n\n" + zshRegistration, maxReplacements: 1)
    }

    private static let bashRegistration = "complete -o filenames -F _veery veery"

    private static let zshRegistration = #"if [[ "${funcstack[1]}" = _veery ]]; then"#

    /// Bash divides words at = and :, too. The script joins them again, so that section.key=value and ids with colons can be
    /// completed.
    private static let bash = text(PackageResources.completion_bash)

    /// Adds no space after key= and after a part of a path.
    private static let zsh = text(PackageResources.completion_zsh)

    /// A file without its last line end.
    private static func text(_ file: [UInt8]) -> String { String(decoding: file.dropLast(), as: UTF8.self) }
}
