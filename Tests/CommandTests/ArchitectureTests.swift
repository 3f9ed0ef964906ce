import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import FeatureStorage
@testable import veery

struct ArchitectureTests {
    private static let sources = Fixtures.repository.appending(path: "Sources")
    private static let adapters: Set = [
        "Manifests", "AudioDecoding", "SignalProcessing", "FeatureStorage", "Plotting", "Terminal",
    ]
    /// The one module that may import each C library.
    private static let owners = [
        "CSndfile": "AudioDecoding", "CSoxr": "Resampling", "CFFTW": "SignalProcessing", "CHDF5": "FeatureStorage",
        "CCairo": "Plotting", "CPNG": "Plotting", "CFontconfig": "Plotting", "CXXHash": "FileIO",
        "CNettle": "FileIO",
        "CDeflate": "FeatureStorage",
        "CZlib": "Archives", "CZstd": "Archives", "CExpat": "Annotations",
    ]

    /// A Swift file of `Sources`.
    private struct Source {
        let module: String
        let path: String
        let lines: [String]
        /// The lines without comments and texts.
        let code: [String]

        /// The folder that it lies in.
        var folder: String { path.split(separator: "/").dropLast().joined(separator: "/") }

        /// The modules that it imports.
        var imports: [String] {
            let accesses = ["public", "package", "internal", "fileprivate", "private"]
            return lines.compactMap { line in
                let words = line.split(separator: " ").map(String.init)
                guard let index = words.firstIndex(of: "import"),
                    words[..<index].allSatisfy({ $0.hasPrefix("@") || accesses.contains($0) }),
                    index + 1 < words.count
                else { return nil }
                let kinds = ["struct", "class", "enum", "func", "var", "let", "typealias", "protocol"]
                let name = kinds.contains(words[index + 1]) ? words.last ?? "" : words[index + 1]
                return name.split(separator: ".").first.map(String.init)
            }
        }
    }

    /// A line without its comments and texts, so that words in them do not count.
    private static func code(_ line: String) -> String {
        var text = line
        if text.utf8.contains(UInt8(ascii: "\"")) { text.replace(/"(\\.|[^"\\])*"/, with: "\"\"") }
        guard text.utf8.contains(UInt8(ascii: "/")) else { return text }
        return String(text.prefix(upTo: text.firstRange(of: "//")?.lowerBound ?? text.endIndex))
    }

    /// The Swift files, read once for all tests.
    private static let swiftFiles = Result { try read(ending: ".swift") }

    private func files() throws -> [Source] { try Self.swiftFiles.get() }

    private static func read(ending: String) throws -> [Source] {
        let root = sources.resolvingSymlinksInPath().path
        let names = try #require(FileManager.default.enumerator(atPath: root)).compactMap { $0 as? String }
        let files = try names.filter { $0.hasSuffix(ending) }.sorted().map { name in
            let text = try String(contentsOfFile: root + "/" + name, encoding: .utf8)
            let module = name.split(separator: "/").first.map(String.init) ?? ""
            let lines = text.components(separatedBy: "\n")
            return Source(module: module, path: name, lines: lines, code: ending == ".swift" ? lines.map(code) : [])
        }
        try #require(files.count > (ending == ".swift" ? 100 : 0), "the sources were not found")
        return files
    }

    private func imports() throws -> [String: Set<String>] {
        try files().reduce(into: [:]) { $0[$1.module, default: []].formUnion($1.imports) }
    }

    /// The targets of `Package.swift` that have sources of their own, each with what it depends on.
    private func dependencies() throws -> [String: Set<String>] {
        let text = try String(contentsOf: Fixtures.repository.appending(path: "Package.swift"), encoding: .utf8)
        let target = /\.(?:target|executableTarget)\(\s*name: "(\w+)"(?:,\s*dependencies: \[([^\]]*)\])?/
        return text.matches(of: target).reduce(into: [:]) { targets, match in
            targets[String(match.1)] = Set((match.2 ?? "").matches(of: /"(\w+)"/).map { String($0.1) })
        }
    }

    /// What arrows lead to from `starts`, directly or through others; a start itself only where it is on a cycle.
    private static func reached(from starts: Set<String>, by arrows: [String: Set<String>]) -> Set<String> {
        var (reached, waiting): (Set<String>, [String]) = ([], starts.flatMap { arrows[$0] ?? [] })
        while let name = waiting.popLast() {
            if reached.insert(name).inserted { waiting += arrows[name] ?? [] }
        }
        return reached
    }

    @Test(arguments: [
        "import M", "public import M", "package import M", "internal import M", "private import M",
        "@testable import M",
        "@preconcurrency fileprivate import struct M.S", "import M.Part",
    ])
    func `an import is found whatever its access level and kind`(line: String) {
        #expect(Source(module: "A", path: "Sources/A/A.swift", lines: [line], code: []).imports == ["M"])
    }

    @Test func `imports are found where they are known to be`() throws {
        let imports = try imports()
        #expect(
            imports["ClipFeatures"]?.isSuperset(of: ["FeatureModel", "AudioDecoding", "SignalProcessing"]) == true)
        for (library, owner) in Self.owners { #expect(imports[owner]?.contains(library) == true, "\(library)") }
        #expect(Set(imports.keys).isSuperset(of: Self.adapters))
    }

    /// A line of the picture in CONTRIBUTING: modules of one level.
    private struct Level {
        let name: String
        let modules: [String]
        /// 0 for the lowest. Lines that know nothing of each other have the same.
        let rank: Int
    }

    /// The section "Where things are" of CONTRIBUTING.
    private static func modulesPage() throws -> String {
        let text = try String(contentsOf: Fixtures.repository.appending(path: "CONTRIBUTING.md"), encoding: .utf8)
        let parts = text.components(separatedBy: "\n## ")
        return try #require(parts.first { $0.hasPrefix("Where things are") })
    }

    /// The levels of the picture in CONTRIBUTING.
    private static func levels() throws -> [Level] {
        let picture = try #require(try modulesPage().components(separatedBy: "```").dropFirst().first)
        let apart: [Set<String>] = [["command", "library"], ["audio", "data in", "store", "pictures"]]
        var levels: [Level] = []
        for line in picture.split(separator: "\n").reversed() {
            let (_, name, modules) = try #require(line.wholeMatch(of: /(\w+(?: \w+)?) {2,}(.+)/)).output
            let isApart = apart.contains { $0.contains(String(name)) && $0.contains(levels.last?.name ?? "") }
            levels.append(
                Level(
                    name: String(name), modules: modules.components(separatedBy: " · "),
                    rank: (levels.last?.rank ?? -1) + (isApart ? 0 : 1)))
        }
        return levels
    }

    @Test func `the picture in CONTRIBUTING shows every module once, and none imports upwards or sideways`() throws {
        let (levels, packaged, imports) = (try Self.levels(), try dependencies(), try imports())
        let shown = levels.flatMap(\.modules)
        let tests: Set = ["TestSupport", "ExtractionSupport", "Fuzz"]
        #expect(shown.sorted() == packaged.keys.filter { !tests.contains($0) }.sorted())
        #expect(Set(levels.map(\.rank)) == Set(0...7), "\(levels)")
        for level in levels {
            let allowed = Set(levels.filter { $0.rank < level.rank }.flatMap(\.modules) + level.modules)
            for module in level.modules {
                let used = (packaged[module] ?? []).union(imports[module] ?? []).intersection(shown)
                #expect(used.isSubset(of: allowed), "\(module), \(level.name): \(used.subtracting(allowed))")
            }
        }
        let rows = try Self.modulesPage().matches(of: /(?m)^\| `(\w+)` \|/).map { String($0.1) }
        #expect(rows.sorted() == shown.sorted(), "the table has other modules than the picture")
    }

    @Test func `adapters never import one another`() throws {
        for (module, imported) in try imports() where Self.adapters.contains(module) {
            #expect(
                imported.isDisjoint(with: Self.adapters), "\(module) imports \(imported.intersection(Self.adapters))")
            // A feature file is checked on all cores; of the other adapters, callers bring the threads.
            #expect(!imported.contains("Concurrency") || module == "FeatureStorage", "\(module)")
            #expect(
                imported.isDisjoint(with: [
                    "ClipFeatures", "DatasetExtraction", "LiveAnalysis", "DatasetInspection",
                    "DatasetReports", "ConfigurationFiles", "Mustache", "ArgumentParser",
                ]), "\(module)")
        }
    }

    @Test func `each C library is imported in its own module alone`() throws {
        let folders = try FileManager.default.contentsOfDirectory(
            atPath: Self.sources.appending(path: "SystemLibraries").path)
        #expect(Set(folders) == Set(Self.owners.keys))
        for (module, imported) in try imports() {
            for (library, owner) in Self.owners where imported.contains(library) {
                #expect(module == owner, "\(module) imports \(library)")
            }
        }
    }

    @Test func `the core imports nothing, and the pipeline knows neither pictures nor the command line`() throws {
        let imports = try imports()
        #expect(imports["FeatureModel"] == nil || imports["FeatureModel"] == [])
        #expect(imports["Presentation"] == ["FeatureModel"])
        #expect(
            imports["Annotations"]
                == ["FeatureModel", "Presentation", "FileIO", "Manifests", "CExpat", "Essentials"])
        for module in ["ClipFeatures", "DatasetExtraction", "LiveAnalysis", "DatasetInspection"] {
            #expect(
                imports[module]?.isDisjoint(with: [
                    "Plotting", "Terminal", "DatasetReports", "Mustache", "ArgumentParser", "ConfigurationFiles",
                ]) == true, "\(module)")
        }
        for module in ["DatasetInspection", "DatasetReports"] {
            #expect(imports[module]?.isDisjoint(with: ["DatasetExtraction", "LiveAnalysis"]) == true, "\(module)")
        }
        #expect(imports["DatasetReports"]?.isDisjoint(with: ["ArgumentParser", "ConfigurationFiles"]) == true)
        #expect(Set(imports.filter { $0.value.contains("Mustache") }.keys) == ["DatasetReports"])
        let outer = Set(imports.filter { $0.value.contains("ArgumentParser") }.keys)
        #expect(outer == ["veery"])
    }

    @Test
    func `one module has the network, the command alone imports it, and no declaration of it names a type of SwiftNIO`()
        throws
    {
        let imports = try imports()
        #expect(imports["PageServer"]?.isSuperset(of: ["NIOCore", "NIOPosix", "NIOHTTP1"]) == true)
        for (module, imported) in imports {
            #expect(!imported.contains { $0.hasPrefix("NIO") } || module == "PageServer", "\(module)")
            #expect(!imported.contains("PageServer") || module == "veery", "\(module)")
        }
        // Threads of its own would be more than the one loop that Concurrency starts a thread for.
        let group =
            /MultiThreadedEventLoopGroup(?!\.withCurrentThreadAsEventLoop)|NIOThreadPool|NIOSingletons|\.singleton/
        let types = /\bpackage\b.*\b(EventLoop\w*|Channel\w*|NIO\w+|HTTP\w+|ByteBuffer|TimeAmount)\b/
        for file in try files() where file.module == "PageServer" {
            for line in file.code {
                #expect(line.firstMatch(of: group) == nil && line.firstMatch(of: types) == nil, "\(file.path): \(line)")
            }
        }
    }

    @Test func `the system's C library is imported in one file`() throws {
        let names: Set = ["Glibc", "Musl", "Darwin"]
        let importers = try files().filter { !names.isDisjoint(with: $0.imports) }.map(\.path)
        #expect(importers == ["Platform/Platform.swift"])
    }

    @Test func `no file is longer than 600 lines`() throws {
        for file in try files() { #expect(file.lines.count <= 601, "\(file.path)") }
    }

    @Test(arguments: ["try!", "fatalError(", "as!", "@unchecked Sendable", "nonisolated(unsafe)"])
    func `no source traps on data or evades the compiler's checks`(word: String) throws {
        for file in try files() {
            for line in file.lines where line.contains(word) {
                #expect(!Self.code(line).contains(word), "\(file.path): \(line)")
            }
        }
    }

    @Test func `no two folders of a module need each other`() throws {
        let declaration = /^(?:(?:public|package|final|indirect) )*(?:struct|class|enum|protocol|actor|typealias) (\w+)/
        let word = /[A-Z]\w*/
        var homes: [String: [String: String]] = [:]
        for file in try files() {
            for line in file.lines {
                guard let name = line.prefixMatch(of: declaration)?.1 else { continue }
                homes[file.module, default: [:]][String(name)] = file.folder
            }
        }
        var arrows: [String: [String: Set<String>]] = [:]
        for file in try files() {
            for line in file.code {
                for name in line.matches(of: word).map({ String($0.output) }) {
                    guard let home = homes[file.module]?[name], home != file.folder else { continue }
                    arrows[file.folder, default: [:]][home, default: []].insert("\(file.path): \(name)")
                }
            }
        }
        #expect(arrows["DatasetExtraction/Run"]?["DatasetExtraction/Planning"] != nil, "no arrows were found")
        for start in arrows.keys {
            let reached = Self.reached(from: [start], by: arrows.mapValues { Set($0.keys) })
            let back = arrows.filter { reached.contains($0.key) }.compactMap { $0.value[start] }.flatMap(\.self)
            #expect(!reached.contains(start), "\(start) is needed by what it needs: \(back.sorted())")
        }
    }

    @Test func `modules that turn audio into features need neither the file format nor libraries of storage`() throws {
        let reached = Self.reached(from: ["ClipFeatures"], by: try imports())
        #expect(reached.isSuperset(of: ["AudioDecoding", "SignalProcessing", "CSndfile", "CFFTW"]))
        #expect(reached.isDisjoint(with: ["CHDF5", "CDeflate", "FeatureStorage", "Manifests"]))
    }

    @Test func `modules of the small library need nothing of Foundation`() throws {
        let roots: Set = ["FeatureModel", "SignalProcessing", "Resampling", "AudioDecoding", "CKernels"]
        let (dependencies, imports) = (try dependencies(), try imports())
        let modules = roots.union(Self.reached(from: roots, by: dependencies))
        #expect(modules.isSuperset(of: ["Platform", "FileIO", "CSndfile", "CFFTW"]), "\(modules)")
        let system: Set = ["Synchronization"]
        for module in modules {
            let others = (imports[module] ?? []).subtracting(dependencies[module] ?? []).subtracting(system)
            #expect(others.isEmpty || module == "Platform", "\(module) imports \(others)")
        }
        // The same modules by what their sources import: the arrows of Package.swift hide none.
        let hidden = Self.reached(from: roots, by: imports).subtracting(modules)
        #expect(hidden.isSubset(of: system.union(["Glibc", "Musl", "Darwin"])), "\(hidden)")
        #expect(imports["DatasetExtraction"]?.contains("Essentials") == true, "an import of Essentials is not seen")
    }

    @Test func `the library with a C interface takes no more of Foundation than its essentials, for JSON`() throws {
        let modules = Self.reached(from: ["VeeryInterface"], by: try dependencies())
        #expect(modules.isSuperset(of: ["FeatureModel", "SignalProcessing", "Resampling", "CVeery"]))
        #expect(
            modules.isDisjoint(with: ["AudioDecoding", "FileIO", "FeatureStorage", "ConfigurationFiles", "Concurrency"])
        )
        let users = try files().filter {
            $0.imports.contains("Essentials") && modules.union(["VeeryInterface"]).contains($0.module)
        }
        #expect(users.map(\.path) == ["VeeryInterface/ConfigurationJSON.swift"])
    }

    @Test func `no file imports Foundation without a reason`() throws {
        let reasons = [
            "Essentials/Essentials.swift": "macOS has no FoundationEssentials",
            "DatasetChecks/CheckAnalysis.swift": "the compatibility form of Unicode, which FoundationEssentials lacks",
            "veery/Live/LiveStyle.swift": "the composed form of Unicode, which FoundationEssentials lacks",
        ]
        let parts: Set = ["Foundation", "FoundationEssentials", "FoundationInternationalization", "FoundationXML"]
        let found = try files().filter { !parts.isDisjoint(with: $0.imports) }.map(\.path)
        #expect(Set(found) == Set(reasons.keys), "import Essentials, or Platform for the system's functions")
    }

    @Test func `nothing is looked up in tables of languages, calendars and time zones, which the program lacks`() throws
    {
        // Members of Foundation are seen wherever a file of the module, or a package that it imports, imports Foundation.
        let names =
            "Locale|Calendar|TimeZone|\\w*Formatter|FormatStyle|NSRegularExpression|formatted|localized\\w*|folding"
        func looksUp(_ line: String) -> Bool {
            line.range(of: "\\b(\(names))\\b", options: .regularExpression) != nil
        }
        for file in try files() {
            for line in file.lines where looksUp(line) { #expect(!looksUp(Self.code(line)), "\(file.path): \(line)") }
        }
        #expect(looksUp("DateFormatter().string(from: time)"))
    }

    @Test func `libraries name no option of the program: Messages has the words`() throws {
        let dump = try #require(
            JSONSerialization.jsonObject(with: Data(VeeryCommand._dumpHelp().utf8)) as? [String: Any])
        let names = Self.longNames(dump)
        try #require(names.isSuperset(of: ["overwrite", "frame-labels", "time-unit", "set", "no-ffmpeg"]), "\(names)")
        // Texts of public types, which belong to the products of the library, and of files.
        let reasons = [
            "FeatureModel/Data/ClipFailure+Reason.swift": "the text is stored in files, for every edge",
            "FeatureModel/Resources/foreign-names.txt": "a part of ConfigurationError, which libveery prints, too",
            "FeatureModel/Configuration/FeatureConfiguration.swift": "the same",
        ]
        var found: Set<String> = []
        // Presets and names of other programs are texts.
        for file in try files() + Self.read(ending: ".txt") where !["veery", "Messages"].contains(file.module) {
            // Variables of style sheets look the same, and a space follows in a comment's marks alone.
            for line in file.lines where line.contains("--") && !line.drop(while: \.isWhitespace).hasPrefix("//") {
                let text = line.prefix(upTo: line.firstRange(of: " // ")?.lowerBound ?? line.endIndex)
                for match in text.matches(of: /(?:^|[^-\w(]|[^r]\()--([a-z][a-z-]*)(?![\w\-]|:[^ ])/)
                where names.contains(String(match.1)) {
                    found.insert(file.path)
                    #expect(reasons[file.path] != nil, "\(file.path): \(line)")
                }
            }
        }
        #expect(found == Set(reasons.keys))
    }

    /// The names of all long options in a dump of the program's help.
    static func longNames(_ value: Any) -> Set<String> {
        if let list = value as? [Any] { return list.reduce(into: []) { $0.formUnion(longNames($1)) } }
        guard let object = value as? [String: Any] else { return [] }
        let own = object["kind"] as? String == "long" ? [object["name"] as? String].compactMap(\.self) : []
        return object.values.reduce(into: Set(own)) { $0.formUnion(longNames($1)) }
    }

    @Test func `HDF5's gateway knows no name of the feature file`() throws {
        let names = try Self.formatNames()
        /// The texts of a folder that are names of the format, or paths with one.
        func known(in folder: String) throws -> Set<String> {
            let literals = try files().filter { $0.folder.hasPrefix(folder) }.flatMap(\.lines)
                .filter { !$0.drop(while: \.isWhitespace).hasPrefix("//") }
                .flatMap { $0.matches(of: /"((?:\\.|[^"\\])*)"/).map { String($0.1) } }
            return Set(
                literals.filter { text in
                    text.wholeMatch(of: /\w+/) != nil
                        ? names.contains(text) : text.matches(of: /\/(\w+)/).contains { names.contains(String($0.1)) }
                })
        }
        #expect(try known(in: "FeatureStorage/HDF5").isEmpty)
        let written = try known(in: "FeatureStorage/File")
        #expect(written.isSuperset(of: ["/features", "/clips", "mean"]), "the test sees no names: \(written)")
    }

    /// The names of all objects and attributes that the format's description and its own table list.
    private static func formatNames() throws -> Set<String> {
        let text = try String(
            contentsOf: Fixtures.repository.appending(path: "Schemas/features-1.0.md"), encoding: .utf8)
        var names = Set(FeatureFormat.statistics)
        for path in FeatureFormat.groups { names.formUnion(path.split(separator: "/").map(String.init)) }
        let known = names
        names = []
        for row in text.split(separator: "\n") where row.hasPrefix("| `/") {
            // Objects by their paths in the first column; attributes are in the second, after the object.
            let cells = row.split(separator: "|", omittingEmptySubsequences: false).dropFirst().prefix(2)
            for name in cells.joined(separator: " ").matches(of: /`([\w\/]+)`/) {
                names.formUnion(name.1.split(separator: "/").map(String.init))
            }
        }
        try #require(names.isSuperset(of: known) && names.isSuperset(of: ["features", "time", "record_xxh3", "units"]))
        return names
    }

    @Test func `threads, queues and tasks are started in one module and waited for in few`() throws {
        let pattern =
            /\b(Thread|DispatchQueue|DispatchSource|DispatchSemaphore|DispatchGroup|OperationQueue|Task|TaskGroup)\b[ .({]/
        var users: Set<String> = []
        for file in try files() where file.code.contains(where: { $0.firstMatch(of: pattern) != nil }) {
            users.insert(file.module)
        }
        #expect(users.contains("Concurrency"))
        #expect(users.isSubset(of: ["Concurrency", "DatasetExtraction", "LiveAnalysis", "veery"]), "\(users)")
    }

    @Test func `public declarations of a module name no C type`() throws {
        let pattern =
            /\b(public|package)\b.*\b(hid_t|hsize_t|fftwf?_\w+|soxr_\w+|SNDFILE|SF_INFO|cairo_\w+|XXH\w*_t|OpaquePointer)\b/
        for file in try files() {
            for line in file.code where line.contains("public ") || line.contains("package ") {
                let declaration = line.prefix { $0 != "{" }
                #expect(declaration.firstMatch(of: pattern) == nil, "\(file.path): \(line)")
            }
        }
    }

    @Test func `the kind of a run is known where requests are made, and nowhere else in the libraries`() throws {
        let pattern = /\b(RunKind|RunTask)\b|\bUpdate\.\w|\bupdate\b *[!=]=|\.(retryFailed|append|sync)\b(?! *\()/
        let makers = ["DatasetExtraction/Run/Request.swift", "DatasetExtraction/Planning/Update.swift"]
        for file in try files() where file.module == "DatasetExtraction" && !makers.contains(file.path) {
            // What a file forgives has rows of the same names.
            for line in file.code where !line.contains("tolerance: .") && !line.contains("static func ") {
                #expect(line.firstMatch(of: pattern) == nil, "\(file.path): \(line)")
            }
        }
    }

    @Test func `no initialiser changes a ledger of clips that it is given`() throws {
        for file in try files() where !file.path.hasSuffix("/SpoolIndex.swift") {
            let text = file.code.joined(separator: " ")
            #expect(text.firstMatch(of: /\binit[?]?\([^)]*: SpoolIndex\b/) == nil, "\(file.path)")
        }
    }

    @Test func `the next part of a work is handed out in one module`() throws {
        let users = try files().filter { $0.code.contains { $0.contains("wrappingAdd(") } }.map(\.path)
        #expect(users == ["Concurrency/WorkerPool.swift", "FeatureStorage/HDF5/CrashGuard.swift"])
    }
}
