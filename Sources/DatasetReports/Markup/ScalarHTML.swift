import Mustache

/// How texts are made safe between HTML's tags and in its attributes.
///
/// By Unicode scalars: the template library's own way goes by characters, and lets pass a quotation mark that has a
/// combining accent behind it, since the two are one character; a browser sees the mark, and an attribute would end there.
struct ScalarHTML: MustacheContentType {
    /// The pragma at the beginning of every template; a template that is used by another begins anew.
    static let pragma = "{{% CONTENT_TYPE: SCALARS}}\n"

    /// Makes the name in `pragma` known; does so once.
    static let isKnown: Bool = {
        MustacheContentTypes.register(ScalarHTML(), named: "SCALARS")
        return true
    }()

    func escapeText(_ text: String) -> String { Self.escaped(text) }

    /// The text with `&`, `<`, `>` and both quotation marks as entities.
    static func escaped(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result.append(contentsOf: "&amp;".unicodeScalars)
            case "<": result.append(contentsOf: "&lt;".unicodeScalars)
            case ">": result.append(contentsOf: "&gt;".unicodeScalars)
            case "\"": result.append(contentsOf: "&quot;".unicodeScalars)
            case "'": result.append(contentsOf: "&#39;".unicodeScalars)
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}
