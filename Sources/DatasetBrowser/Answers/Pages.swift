import PageRequests

/// The files of the page, which are in the program.
enum Pages {
    private static let html = "text/html; charset=utf-8"
    private static let script = "text/javascript; charset=utf-8"

    private static let files: [String: (type: String, bytes: [UInt8])] = [
        "": (html, PackageResources.page_html), "page.css": ("text/css; charset=utf-8", PackageResources.page_css),
        "favicon.svg": ("image/svg+xml", PackageResources.favicon_svg),
        "columns.js": (script, PackageResources.columns_js), "correcting.js": (script, PackageResources.correcting_js),
        "corrections.js": (script, PackageResources.corrections_js),
        "details.js": (script, PackageResources.details_js), "dialogs.js": (script, PackageResources.dialogs_js),
        "elements.js": (script, PackageResources.elements_js), "filters.js": (script, PackageResources.filters_js),
        "keys.js": (script, PackageResources.keys_js), "lists.js": (script, PackageResources.lists_js),
        "looking.js": (script, PackageResources.looking_js), "opened.js": (script, PackageResources.opened_js),
        "order.js": (script, PackageResources.order_js),
        "page.js": (script, PackageResources.page_js), "pane.js": (script, PackageResources.pane_js),
        "picture.js": (script, PackageResources.picture_js), "server.js": (script, PackageResources.server_js),
        "sound.js": (script, PackageResources.sound_js), "table.js": (script, PackageResources.table_js),
        "view.js": (script, PackageResources.view_js),
    ]

    /// The file with a name, the page itself for an empty one; nil: there is none.
    static func response(_ name: String) -> PageResponse? {
        files[name].map { PageResponse(contentType: $0.type, body: .bytes($0.bytes)) }
    }
}
