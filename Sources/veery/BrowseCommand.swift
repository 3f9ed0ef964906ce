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
import Synchronization

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
        help: ArgumentHelp(
            "The port to listen on; 0: any that is free. Default: the same for a dataset at every start, if it is free.",
            valueName: "n"))
    var port: Int?

    @Option(
        help: ArgumentHelp(
            "What to show first: sorting, filters and clip, as the page copies it by its button.", valueName: "view"))
    var view: String?

    @Option(parsing: .unconditional, help: .jobs)
    var jobs: Int?

    func validate() throws {
        try Jobs.check(jobs)
        try ValidationError.check("port", port, in: 0...65_535)
        if labels?.isEmpty == true { throw ValidationError("--labels is empty; expected the name of a file.") }
        guard file != "-" else {
            throw ValidationError("-: a manifest from standard input cannot be browsed; give the name of a file.")
        }
    }

    func run() throws {
        if let root = reading.root, FileStatus(path: root)?.isFolder != true {
            throw FileRefusal(path: root, reason: "there is no such folder; check --root")
        }
        let labels = labels ?? Self.corrections(of: file)
        let folder = Folder.containing(labels)
        guard FileStatus(path: folder)?.isFolder == true else {
            throw FileRefusal(path: folder, reason: "there is no such folder; check --labels")
        }
        // Before the first thread.
        let stopped = Delivery<Void>()
        let isServing = Atomic(false)
        try? SignalThread.start([SIGINT, SIGTERM]) { number in
            // Nothing is half done while a dataset is opened.
            guard isServing.load(ordering: .relaxed) else { _exit(128 + number) }
            stopped.bring(())
        }
        let handler = try browser(labels)
        let server = try server(handler)
        isServing.store(true, ordering: .relaxed)
        let fragment = Self.fragment(view)
        try Console.output(data: server.address + fragment + "\n")
        Console.note(
            "note: from another machine: ssh -L \(server.port):127.0.0.1:\(server.port) \(Self.host), and open this address there; "
                + "Ctrl-C ends the server")
        if !noOpen, let opener = BrowserProgram.installed { opener.open(server.singleUseAddress() + fragment) }
        stopped.wait()
        server.stop()
    }

    /// Listens on the given port. Without one, a dataset has the same port at every start, if it is free: what a page could not save is in
    /// the browser's storage, which belongs to the port.
    private func server(_ handler: DatasetBrowser) throws -> PageServer {
        do throws(PageServerError) {
            guard let port else {
                if let server = try? PageServer(port: Self.usualPort(of: file), handler: handler) { return server }
                return try PageServer(port: 0, handler: handler)
            }
            return try PageServer(port: port, handler: handler)
        } catch {
            throw BrowseError(error)
        }
    }

    /// A port that no service is known by, and that systems do not give to other connections.
    private static func usualPort(of path: String) -> Int {
        let path = RelativeFolder.resolved(path) ?? path
        return 20_000 + Int(Array(path.utf8).withUnsafeBytes { xxh3($0) } % 12_000)
    }

    /// The view as the fragment of an address; empty: there is none.
    private static func fragment(_ view: String?) -> String {
        guard let view = view?.drop(while: { $0 == "#" }), !view.isEmpty else { return "" }
        let bytes = view.utf8.map { byte in
            byte > 0x20 && byte < 0x7F && !Array("\"<>`\\^{|}".utf8).contains(byte)
                ? String(Unicode.Scalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
        return "#" + bytes.joined()
    }

    private func browser(_ labels: String) throws -> DatasetBrowser {
        var options = DatasetBrowser.Options(corrections: labels)
        options.areCorrectionsGiven = self.labels != nil
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
        words += reading.words.map(ShellText.word)
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
