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

    /// Both themes: that of the system, unless the element that a theme is chosen on says otherwise; paper is light.
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

    private static let layout = """
        *{box-sizing:border-box}
        html{scroll-behavior:smooth;-webkit-text-size-adjust:100%}
        body{margin:0;background:var(--page);color:var(--text);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
        header.top,nav,main,footer{max-width:1160px;margin:0 auto;padding:0 20px}
        header.top{display:flex;flex-wrap:wrap;gap:12px 24px;justify-content:space-between;align-items:flex-start;padding-top:28px}
        header.top>div:first-child{min-width:0;flex:1 1 320px}
        .kind{margin:0;color:var(--soft);font-size:14px;letter-spacing:.04em;text-transform:uppercase}
        h1{margin:2px 0 4px;font-size:30px;line-height:1.2;overflow-wrap:anywhere}
        .lead{margin:0;color:var(--soft)}
        h2{margin:40px 0 12px;font-size:22px;line-height:1.3}
        h3{margin:0 0 8px;font-size:17px;line-height:1.35;overflow-wrap:anywhere}
        h3 span{color:var(--soft);font-weight:400;font-size:14px;white-space:nowrap}
        p{margin:0 0 12px;max-width:78ch;overflow-wrap:anywhere}
        a{color:var(--link)}
        :focus-visible{outline:3px solid var(--link);outline-offset:2px;border-radius:3px}
        main:focus{outline:none}
        .skip{position:absolute;left:-9999px}
        .skip:focus{left:12px;top:12px;padding:8px 14px;background:var(--surface);z-index:3}
        nav{position:sticky;top:0;z-index:2;background:var(--page);border-bottom:1px solid var(--line);margin-top:16px}
        nav ul{display:flex;gap:2px 20px;margin:0;padding:0;list-style:none;overflow-x:auto;white-space:nowrap}
        nav a{display:block;padding:10px 0;text-decoration:none;font-size:15px}
        nav a:hover{text-decoration:underline}
        [id]{scroll-margin-top:60px}
        .theme:not([hidden]){display:flex;border:1px solid var(--line);border-radius:8px;overflow:hidden}
        button{font:inherit;font-size:14px;padding:6px 12px;border:0;background:var(--surface);color:var(--text);cursor:pointer}
        button:focus-visible{outline-offset:-3px}
        .theme button[aria-pressed=true]{background:var(--link);color:var(--surface)}
        .cards{display:flex;flex-wrap:wrap;gap:12px;margin:0 0 16px}
        .cards div,.chart,.label,.notices,.code,#outliers~section,.facts{background:var(--surface);border:1px solid var(--line);border-radius:10px}
        .cards div{flex:1 1 calc(50% - 12px);padding:12px 14px;min-width:min-content}
        dt{color:var(--soft);font-size:14px}
        .cards dd{margin:0;font-size:24px;line-height:1.25;font-variant-numeric:tabular-nums}
        .cards dd span{display:block;color:var(--soft);font-size:13px;line-height:1.35;margin-top:2px}
        .notices{background:var(--notice);border-left:4px solid var(--accent);padding:14px 18px}
        .notices ul{margin:0;padding-left:20px}
        .quiet{color:var(--soft)}
        .figures{display:grid;grid-template-columns:minmax(0,1fr);gap:16px}
        .chart{margin:0;padding:16px;min-width:0}
        svg.figure{display:block;width:100%;height:auto;max-width:640px}
        figcaption{color:var(--soft);font-size:14px;margin:10px 0;overflow-wrap:anywhere}
        summary{cursor:pointer;color:var(--link);font-size:14px}
        .scroll{position:relative;overflow-x:auto;max-width:100%;margin-top:8px}
        details .scroll{max-height:420px;overflow-y:auto}
        table{border-collapse:collapse;font-size:14px;min-width:100%}
        caption{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
        th,td{text-align:left;padding:6px 20px 6px 0;border-bottom:1px solid var(--line);vertical-align:top;font-weight:400;max-width:340px;overflow-wrap:break-word}
        .chart th,.chart td{padding-right:14px}
        thead th{color:var(--soft);font-size:13px;white-space:nowrap}
        th[scope=row]{min-width:110px}
        .n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
        th button{padding:0;background:none;color:inherit;font-size:inherit;text-decoration:underline dotted}
        th[aria-sort=ascending] button::after{content:" ▲"}
        th[aria-sort=descending] button::after{content:" ▼"}
        .note{color:var(--soft);font-size:14px;margin-top:8px}
        .filter:not([hidden]){display:flex;flex-wrap:wrap;gap:8px;align-items:center;font-size:14px;color:var(--soft);margin:8px 0}
        input{font:inherit;padding:5px 10px;border:1px solid var(--soft);border-radius:6px;background:var(--surface);color:var(--text);min-width:0;max-width:100%}
        .sheet{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,340px),1fr));gap:12px}
        .sheet.wide{grid-template-columns:minmax(0,1fr)}
        .sheet.two{grid-template-columns:repeat(auto-fill,minmax(min(100%,520px),1fr))}
        .label{padding:12px 14px;min-width:0}
        .tiles{display:flex;flex-wrap:wrap;gap:10px;margin:0;padding:0;list-style:none}
        .tiles li,.duo>span{width:min-content;min-width:0}
        .sheet.wide img{max-width:100%;height:auto}
        .pairs li{width:auto;padding:8px 10px;border:1px solid var(--line);border-radius:8px}
        .duo{display:flex;gap:10px}
        .duo>span{display:block}
        .tiles img{display:block;border-radius:3px}
        .tiles .what,.tiles .id{display:block;font-size:12px;line-height:1.35;overflow-wrap:anywhere}
        .tiles .what{color:var(--soft);margin-top:3px}
        .mean img{outline:2px solid var(--s0);outline-offset:1px}
        .extreme img{outline:2px solid var(--s1);outline-offset:1px}
        #outliers~section{padding:16px;margin-bottom:12px}
        #outliers~section>p:last-child{margin-bottom:0}
        .pairs{margin-top:12px}
        .code{position:relative;margin-bottom:16px;background:var(--code)}
        pre{margin:0;padding:14px 16px;overflow-x:auto;font:13.5px/1.5 ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace}
        code{font-family:ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace}
        .copy:not([hidden]){position:absolute;top:8px;right:8px;border:1px solid var(--line);border-radius:6px}
        .facts{margin:0 0 20px;padding:6px 16px}
        .facts div{display:grid;grid-template-columns:minmax(0,220px) minmax(0,1fr);gap:2px 16px;padding:8px 0;border-bottom:1px solid var(--line)}
        .facts div:last-child{border:0}
        .facts dd{margin:0;overflow-wrap:anywhere}
        footer{color:var(--soft);font-size:14px;padding-top:24px;padding-bottom:40px}
        @media (min-width:560px){.cards div{flex-basis:calc(25% - 12px)}}
        @media (min-width:1180px){.cards div{flex-basis:0}}
        @media (min-width:760px){.sheet.wide .tiles{display:grid;grid-template-columns:repeat(7,minmax(0,144px))}.sheet.wide .tiles li{width:auto}}
        @media (min-width:980px){
        .figures{grid-template-columns:minmax(0,1fr) minmax(0,1fr)}
        .wide{grid-column:1/-1;display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);grid-template-rows:auto auto 1fr;column-gap:32px}
        .wide h3{grid-column:1/-1}
        .wide svg{grid-row:2/span 2}
        }
        @media (max-width:600px){
        header.top,nav,main,footer{padding-left:14px;padding-right:14px}
        h1{font-size:24px}
        .chart{padding:12px}
        .t{font-size:14px}
        .small{font-size:12.5px}
        .other{display:none}
        .facts div{grid-template-columns:1fr}
        th[scope=row]{max-width:46vw;overflow-wrap:anywhere}
        td{min-width:64px}
        }
        @media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
        @media print{
        nav,.theme,.copy,.skip,.filter,details:not([open]),summary{display:none!important}
        body{background:#fff;font-size:11pt}
        .figures{grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:8px}
        .chart{padding:8px}
        .t{font-size:14px}
        .small{font-size:12.5px}
        .other{display:none}
        .wide{grid-column:1/-1}
        .wide svg{max-width:420px}
        h2,h3{break-after:avoid}
        .chart,.label,.cards div,.tiles li,tr{break-inside:avoid}
        .scroll,details .scroll{overflow:visible;max-height:none}
        table{font-size:9pt}
        th,td{max-width:none;padding-right:10px;overflow-wrap:anywhere}
        th[scope=row]{min-width:0}
        pre{white-space:pre-wrap;overflow-wrap:anywhere;font-size:9pt}
        }

        """
}
