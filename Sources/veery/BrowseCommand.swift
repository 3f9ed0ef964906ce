import Annotations
import ArgumentParser
import Concurrency
import DatasetBrowser
import FeatureModel
import FeatureStorage
import FileIO
import Manifests
import PageServer
import Platform
import Presentation

struct BrowseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "browse",
        abstract: "Look at a dataset in the browser, listen to it, and correct its labels.",
        discussion: """
            Serves a page on this machine (127.0.0.1) and opens it in the browser: a table
            of all clips with sorting and filters; spectrogram, waveform and sound of each;
            clips that may be wrong, the most suspicious first. It takes a feature file, the
            index of a set, or a manifest without features.

            Corrections that are given there are lines of a CSV file, which 'veery extract',
            'split', 'clips' and 'check' apply with --corrections. Nothing else is written.

            Only a browser with the printed address is answered. On another machine, make a
            tunnel by ssh, as the note says. Ctrl-C ends the server.

            Examples:
              veery browse features.h5
              veery browse manifest.csv --root recordings
              veery browse features.h5 --no-open --port 8765
            """)

    @Argument(
        help:
            "A feature file, the index of a set, or what 'veery extract' reads: a manifest, a dataset, a folder of recordings.",
        completion: .file())
    var file: String

    @OptionGroup var reading: ManifestReading

    @Option(
        help: ArgumentHelp(
            "The file of corrections. Default: NAME.corrections.csv in the same folder.", valueName: "corrections.csv"),
        completion: .file(extensions: ["csv"]))
    var labels: String?

    @Option(
        help: ArgumentHelp(
            """
            A file of annotations to show with the clips. Any file that 'veery clips' reads. Default: the other clips of the same \
            recording.
            """, valueName: "table"),
        completion: .file())
    var annotations: String?

    @Flag(help: "Print the address, and do not open a browser.")
    var noOpen = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The port to listen on; 0: any that is free. Default: 0.", valueName: "n"))
    var port = 0

    @Option(
        help: ArgumentHelp(
            "What to show first: sorting, filters and clip, as the page copies it by its button.", valueName: "view"))
    var view: String?

    @Option(parsing: .unconditional, help: .jobs)
    var jobs: Int?

    func validate() throws {
        try Jobs.check(jobs)
        try ValidationError.check("port", port, in: 0...65_535)
        guard file != "-" else {
            throw ValidationError("-: a manifest from standard input cannot be browsed; give the name of a file.")
        }
    }

    func run() throws {
        if let root = reading.root, FileStatus(path: root)?.isFolder != true {
            throw FileRefusal(path: root, reason: "there is no such folder; check --root")
        }
        // Before the first thread.
        let stopped = Delivery<Void>()
        try? SignalThread.start([SIGINT, SIGTERM]) { _ in stopped.bring(()) }
        let handler = try browser()
        let server: PageServer
        do throws(PageServerError) { server = try PageServer(port: port, handler: handler) } catch {
            throw BrowseError(error)
        }
        let fragment = view.map { "#" + $0.drop { $0 == "#" } } ?? ""
        try Console.output(data: server.address + fragment + "\n")
        Console.note(
            "note: from another machine: ssh -L \(server.port):127.0.0.1:\(server.port) \(Self.host), and open this address there; "
                + "Ctrl-C ends the server")
        if !noOpen, let opener = BrowserProgram.installed { opener.open(server.singleUseAddress() + fragment) }
        stopped.wait()
        server.stop()
    }

    private func browser() throws -> DatasetBrowser {
        var options = DatasetBrowser.Options(corrections: labels ?? Self.corrections(of: file))
        options.annotations = try annotations.map { try AnnotationTable(path: $0) }
        options.jobs = Jobs.count(jobs)
        options.version = "veery \(VeeryVersion.number)"
        options.command = command
        guard GivenFile.areFeatures(file) else {
            let (manifest, root) = try reading.dataset(file)
            return try DatasetBrowser(manifest: manifest, root: root, options)
        }
        if let option = reading.given.first {
            throw ValidationError("--\(option) says how a manifest is read; \(file) is a feature file.")
        }
        CrashGuard.start(file.printable)
        return try DatasetBrowser(features: file, root: reading.root, options)
    }

    /// Next to what is browsed: `a.h5`, `a.index.json`, `a.csv` and the folder `a` have `a.corrections.csv`.
    private static func corrections(of path: String) -> String {
        var name = path
        while name.count > 1, name.hasSuffix("/") { name.removeLast() }
        if FileStatus(path: path)?.isFolder == true {
            // '.' and '..' have names, too.
            if name == "." || name.hasSuffix("..") || name.hasSuffix("/.") { name += "/dataset" }
            return name + ".corrections.csv"
        }
        for ending in [".gz", ".index.json", ".h5", ".hdf5", ".csv", ".tsv", ".jsonl"] where name.hasSuffix(ending) {
            name.removeLast(ending.count)
        }
        return name + ".corrections.csv"
    }

    /// The command with what is not about this one run, for the page to show and copy.
    private var command: String {
        var words = ["veery", "browse", ShellText.word(file)]
        for (name, value) in [("root", reading.root), ("labels", labels), ("annotations", annotations)] {
            if let value { words += ["--\(name)", ShellText.word(value)] }
        }
        return words.joined(separator: " ")
    }

    private static var host: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "HOST" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self).printable
    }
}

/// Why the page is not served.
private struct BrowseError: SystemFaultReporting, CustomStringConvertible {
    private let error: PageServerError

    init(_ error: PageServerError) { self.error = error }

    var isSystemFault: Bool {
        if case .portInUse = error { false } else { true }
    }

    var description: String {
        switch error {
        case .portInUse(let port): "port \(port) is in use by another program: give another one, or leave out --port"
        default: error.description
        }
    }
}
