import FeatureModel
import Mustache

/// The pages' templates (`Resources`), each with the pragma that makes texts safe. The pages begin and end alike.
enum PageTemplates {
    /// A page by the name of its template; `context` has the values of this page alone. Equal contexts give equal texts.
    static func html(
        _ name: String, fileName: String, lead: String, _ context: [String: Any]
    ) throws(ReportError) -> String {
        let common: [String: Any] = [
            "version": VeeryVersion.number, "fileName": DisplayName.text(fileName, maximum: 200), "lead": lead,
            "style": PageStyle.page, "script": String(decoding: PackageResources.page_js, as: UTF8.self),
        ]
        return try text(name, context.merging(common) { $1 })
    }

    /// The text that a template makes of a context.
    static func text(_ name: String, _ context: [String: Any]) throws(ReportError) -> String {
        guard let text = try library().render(context, withTemplate: name) else {
            throw .template(name: name, reason: "there is none")
        }
        return text
    }

    /// All of them by name.
    private static func library() throws(ReportError) -> MustacheLibrary {
        var library = MustacheLibrary()
        guard ScalarHTML.isKnown else { return library }
        for (name, text) in [
            ("page", PackageResources.page_mustache), ("check", PackageResources.check_mustache),
            ("top", PackageResources.top_mustache), ("overview", PackageResources.overview_mustache),
            ("foot", PackageResources.foot_mustache), ("figure", PackageResources.figure_mustache),
            ("table", PackageResources.table_mustache), ("sheet", PackageResources.sheet_mustache),
            ("list", PackageResources.list_mustache), ("origin", PackageResources.origin_mustache),
            ("python", PackageResources.python_mustache),
        ] {
            do {
                try library.register(ScalarHTML.pragma + String(decoding: text, as: UTF8.self), named: name)
            } catch {
                throw .template(name: name, reason: "\(error)")
            }
        }
        return library
    }
}
