/// The page's style sheet, and the part of it that figures in files of their own have, too.
enum PageStyle {
    private static let light = """
        --page:#f6f7f9;--surface:#ffffff;--text:#1c2430;--soft:#55606e;--line:#d9dee5;--grid:#e6eaef;--link:#0b57a4;
        --accent:#8a5200;--notice:#fff5e0;--code:#f1f3f6;--s0:#2f6fb3;--s1:#c9691c;--s2:#2f8554;--s3:#8450a8;--s4:#7c8794

        """
    private static let dark = """
        --page:#14181e;--surface:#1b2129;--text:#e6eaef;--soft:#a7b1be;--line:#333d49;--grid:#2a323d;--link:#8ec1ff;
        --accent:#ffc46b;--notice:#2f2818;--code:#12161b;--s0:#68a8e8;--s1:#f0a35c;--s2:#66c08e;--s3:#c294e4;--s4:#97a2af

        """

    /// Both themes: that of the system, unless the reader chose the other one on the page; paper is light.
    private static let themes = """
        :root{color-scheme:light dark;\(light)}
        @media screen and (prefers-color-scheme:dark){:root:not([data-theme=light]){\(dark)}}
        :root[data-theme=light]{color-scheme:light}
        @media screen{:root[data-theme=dark]{color-scheme:dark;\(dark)}}
        @media print{:root{color-scheme:light}}

        """

    static let figure = """
        .t{font:12px system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;fill:var(--text)}
        .small{font-size:10.5px;fill:var(--soft)}
        .name{fill:var(--soft)}
        .grid{stroke:var(--grid);stroke-width:1}
        .axis{stroke:var(--soft);stroke-width:1}
        .band{fill:var(--s0);fill-opacity:.22}
        .curve{fill:none;stroke:var(--s0);stroke-width:1.8;stroke-linejoin:round}
        .s0{fill:var(--s0)}.s1{fill:var(--s1)}.s2{fill:var(--s2)}.s3{fill:var(--s3)}.s4{fill:var(--s4)}

        """

    /// The style sheet of a figure's own file: with colours instead of variables, which not every viewer of SVG knows; dark if the
    /// system is and the viewer supports it.
    static let alone: String = {
        let sheet = "svg{background:var(--surface)}\n" + figure
        return named(sheet, by: light) + "@media screen and (prefers-color-scheme:dark){\n" + named(sheet, by: dark)
            + "}\n"
    }()

    /// A style sheet with the values of variables filled in.
    private static func named(_ sheet: String, by variables: String) -> String {
        variables.split(whereSeparator: { $0 == ";" || $0.isNewline }).reduce(sheet) { sheet, entry in
            let parts = entry.split(separator: ":")
            guard parts.count == 2 else { return sheet }
            return sheet.replacing("var(\(parts[0]))", with: parts[1])
        }
    }

    static let page = themes + figure + layout

    private static let layout = String(decoding: PackageResources.layout_css, as: UTF8.self)
}
