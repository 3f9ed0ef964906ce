import FeatureModel
import Mustache

/// The page's templates, each with the pragma that makes texts safe.
enum PageTemplates {
    /// A page by the name of its template; `context` is what no other page has. Equal contexts give equal texts.
    static func html(
        _ name: String, fileName: String, lead: String, _ context: [String: Any]
    ) throws(ReportError) -> String {
        let common: [String: Any] = [
            "version": VeeryVersion.number, "fileName": DisplayName.text(fileName, maximum: 200), "lead": lead,
            "style": PageStyle.page, "script": PageScript.text,
        ]
        guard let page = try library().render(context.merging(common) { $1 }, withTemplate: name) else {
            throw .template(name: name, reason: "there is none")
        }
        return page
    }

    /// All of them by name.
    private static func library() throws(ReportError) -> MustacheLibrary {
        var library = MustacheLibrary()
        guard ScalarHTML.isKnown else { return library }
        for (name, text) in [
            ("page", page), ("figure", figure), ("table", table), ("sheet", sheet), ("list", list), ("origin", origin),
            ("check", check),
        ] {
            do {
                try library.register(ScalarHTML.pragma + text, named: name)
            } catch {
                throw .template(name: name, reason: "\(error)")
            }
        }
        return library
    }

    /// A whole page: its title and kind, what comes before its main part, and in that, after the cards and what is found, sections.
    private static func document(
        title: String, kind: String, navigation: String = "", notices: String, quiet: String, sections: String
    ) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="generator" content="veery {{version}}">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>{{fileName}} – \(title)</title>
        <style>
        {{{style}}}</style>
        </head>
        <body>
        <a class="skip" href="#main">Skip to the report</a>
        <header class="top">
        <div>
        <p class="kind">\(kind)</p>
        <h1><bdi>{{fileName}}</bdi></h1>
        <p class="lead">{{lead}}</p>
        </div>
        <div class="theme" role="group" aria-label="Colours of the page" hidden>
        <button type="button" data-theme-choice="auto">Auto</button><button type="button" data-theme-choice="light">Light</button><button type="button" data-theme-choice="dark">Dark</button>
        </div>
        </header>
        \(navigation)<main id="main" tabindex="-1">
        <section aria-labelledby="overview">
        <h2 id="overview">Overview</h2>
        <dl class="cards">
        {{#cards}}
        <div><dt>{{name}}</dt><dd>{{value}}<span>{{detail}}</span></dd></div>
        {{/cards}}
        </dl>
        {{#hasNotices}}
        <div class="notices">
        <h3>\(notices)</h3>
        <ul>
        {{#notices}}
        <li><a href="#{{href}}">{{text}}</a></li>
        {{/notices}}
        </ul>
        </div>
        {{/hasNotices}}
        {{^hasNotices}}
        <p class="quiet">\(quiet)</p>
        {{/hasNotices}}
        </section>
        \(sections)</main>
        <footer>
        <p>Written by veery {{version}}. The page holds everything it shows; it loads nothing.</p>
        </footer>
        <script>
        {{{script}}}</script>
        </body>
        </html>

        """
    }

    private static let page = document(
        title: "dataset report", kind: "Dataset report",
        navigation: """
            <nav aria-label="Sections">
            <ul>
            {{#sections}}
            <li><a href="#{{href}}">{{name}}</a></li>
            {{/sections}}
            </ul>
            </nav>

            """,
        notices: "Worth a look",
        quiet: """
            No equal, overlapping, silent or unchanging clips, {{^isClippingUnknown}}no clipped recordings {{/isClippingUnknown}}and no \
            failures were found.{{#isClippingUnknown}} Recordings were not found, so that clipping is not known.{{/isClippingUnknown}}
            """,
        sections: """
            {{#hasClips}}
            <section aria-labelledby="distributions">
            <h2 id="distributions">Distributions</h2>
            <div class="figures">
            {{#figures}}
            {{> figure}}
            {{/figures}}
            </div>
            </section>
            {{/hasClips}}
            {{^hasClips}}
            <p class="quiet">The file holds no clips.</p>
            {{/hasClips}}
            {{#sheet}}
            {{> sheet}}
            {{/sheet}}
            {{#hasClips}}
            <section aria-labelledby="outliers">
            <h2 id="outliers">Unusual clips</h2>
            {{#outliers}}
            {{> list}}
            {{/outliers}}
            </section>
            {{/hasClips}}
            {{#origin}}
            {{> origin}}
            {{/origin}}

            """)

    private static let check = document(
        title: "check", kind: "Check of a dataset", notices: "Found", quiet: "No problems were found.",
        sections: """
            {{#hasNotices}}
            <section aria-labelledby="outliers">
            <h2 id="outliers">Problems</h2>
            {{#problems}}
            <section>
            <h3 id="{{listID}}">{{title}}</h3>
            <p>{{text}}</p>
            <p class="note">{{mend}}</p>
            {{#listTable}}
            {{> table}}
            {{/listTable}}
            </section>
            {{/problems}}
            </section>
            {{/hasNotices}}

            """)

    private static let figure = """
        <figure class="chart{{#wide}} wide{{/wide}}" aria-labelledby="{{figureID}}">
        <h3 id="{{figureID}}">{{title}}</h3>
        {{{svg}}}
        <figcaption>{{description}}</figcaption>
        {{#table}}
        <details{{#open}} open{{/open}}>
        <summary>The same as a table</summary>
        {{> table}}
        </details>
        {{/table}}
        </figure>

        """

    private static let table = """
        <div class="scroll" role="group" aria-label="{{caption}}" tabindex="0">
        <table{{#sortable}} class="sortable"{{/sortable}}{{#filterable}} data-filterable="1"{{/filterable}}>
        <caption>{{caption}}</caption>
        <thead>
        <tr>{{#header}}<th scope="col"{{#numeric}} class="n"{{/numeric}}>{{name}}</th>{{/header}}</tr>
        </thead>
        <tbody>
        {{#rows}}
        <tr>{{#first}}<th scope="row"{{#numeric}} class="n"{{/numeric}}{{#hasSortKey}} data-v="{{sortKey}}"{{/hasSortKey}}><bdi>{{text}}</bdi></th>{{/first}}{{#cells}}<td{{#numeric}} class="n"{{/numeric}}{{#hasSortKey}} data-v="{{sortKey}}"{{/hasSortKey}}><bdi>{{text}}</bdi></td>{{/cells}}</tr>
        {{/rows}}
        </tbody>
        </table>
        </div>
        {{#hasNote}}
        <p class="note">{{note}}</p>
        {{/hasNote}}

        """

    private static let sheet = """
        <section aria-labelledby="sheet">
        <h2 id="sheet">Contact sheet</h2>
        <p>{{sheetText}}</p>
        {{#hasFilter}}
        <p class="filter" hidden><label for="label-filter">Show labels that contain</label> <input id="label-filter" type="search" autocomplete="off"></p>
        {{/hasFilter}}
        <div class="sheet {{density}}">
        {{#groups}}
        <section class="label">
        <h3 id="{{groupID}}"><bdi>{{label}}</bdi> <span>{{clips}}</span></h3>
        <ul class="tiles">
        {{#tiles}}
        <li class="{{kind}}"><img src="data:image/png;base64,{{data}}" width="{{width}}" height="{{height}}" alt="{{alt}}"><span class="what">{{what}}</span><bdi class="id" title="{{fullName}}">{{name}}</bdi></li>
        {{/tiles}}
        </ul>
        </section>
        {{/groups}}
        </div>
        </section>

        """

    private static let list = """
        <section>
        <h3 id="{{listID}}">{{title}}</h3>
        <p>{{text}}</p>
        {{#listTable}}
        {{> table}}
        {{/listTable}}
        {{#hasPairs}}
        <ul class="tiles pairs">
        {{#pairs}}
        <li><span class="what">{{what}}</span><span class="duo">{{#pictures}}<span><img src="data:image/png;base64,{{data}}" width="{{width}}" height="{{height}}" alt="{{alt}}"><bdi class="id" title="{{fullName}}">{{name}}</bdi><span class="what">{{split}}</span></span>{{/pictures}}</span></li>
        {{/pairs}}
        </ul>
        {{/hasPairs}}
        </section>

        """

    private static let origin = """
        <section aria-labelledby="failures">
        <h2 id="failures">Failures</h2>
        <p>{{failureText}}</p>
        {{#failureTable}}
        {{> table}}
        {{/failureTable}}
        </section>
        <section aria-labelledby="python">
        <h2 id="python">Load it in Python</h2>
        <p>With {{#isSet}}the package <code>veery</code>{{/isSet}}{{^isSet}}h5py and NumPy (<code>pip install h5py numpy</code>){{/isSet}}, in the file’s folder:</p>
        <div class="code"><pre id="python-text" role="group" tabindex="0" aria-label="Python program"><code>{{python}}</code></pre><button type="button" class="copy" data-copy="python-text" hidden>Copy</button></div>
        </section>
        <section aria-labelledby="provenance">
        <h2 id="provenance">Provenance</h2>
        <dl class="facts">
        {{#facts}}
        <div><dt>{{name}}</dt><dd>{{value}}</dd></div>
        {{/facts}}
        </dl>
        <h3 id="configuration">Configuration</h3>
        <div class="code"><pre id="configuration-text" role="group" tabindex="0" aria-label="Configuration as YAML"><code>{{configuration}}</code></pre><button type="button" class="copy" data-copy="configuration-text" hidden>Copy</button></div>
        </section>

        """
}
