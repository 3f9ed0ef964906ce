import ArgumentParser
import FeatureModel
import Foundation

/// The program.
@main
struct VeeryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "veery",
        abstract: "Turn labelled audio clips into one HDF5 file of spectrogram tensors, and look at what is in it.",
        discussion: """
            A first run, from a folder of recordings to a picture:

              veery crawl recordings -o manifest.csv
              veery extract manifest.csv -o features.h5
              veery inspect features.h5
              veery render features.h5 --clip ID -o clip.png

            Exit status: 0 done; 1 could not run: something is wrong with a file, such
            as a manifest, a recording or a configuration; 3 written, but more clips
            failed than --max-failures allows; 64 wrong usage: something is wrong with
            the words of the command, --preset and --set included; 75 the machine
            failed (no memory, threads, descriptors or disk space): try again; 130 or
            143 stopped by Ctrl-C or SIGTERM.
            """,
        version: VeeryVersion.number,
        subcommands: [
            ExtractCommand.self, InspectCommand.self, RenderCommand.self, LiveCommand.self, FilterCommand.self,
            CrawlCommand.self, CheckCommand.self, PresetsCommand.self,
        ])

    /// Runs the command that the arguments name.
    ///
    /// The library shows the whole program's usage with an error that a command throws while it runs, since it no
    /// longer knows which one that was; here it shows the command's.
    static func main() {
        ProcessLimits.prepare()
        do {
            let arguments = ProcessArguments.all
            try UnknownCommand.check(arguments ?? [])
            var command = try parseAsRoot(arguments)
            do {
                try command.run()
            } catch let error where exitCode(for: error) == .failure && !(error is ExitCode) {
                Console.note("Error: \(words(error))")
                throw ExitCode(of: error)
            } catch let error as ValidationError where !(command is VeeryCommand) {
                let type = type(of: command)
                Console.note(
                    """
                    Error: \(error.message)
                    Usage: \(usageString(for: type))
                      See 'veery \(type.configuration.commandName ?? "") --help' for more information.
                    """)
                throw ExitCode.validationFailure
            }
        } catch {
            finish(error)
        }
    }

    /// Ends the program as the library would, but for what it says: that goes where everything goes.
    private static func finish(_ error: any Error) -> Never {
        let (code, text) = (exitCode(for: error), fullMessage(for: error))
        if !text.isEmpty {
            // Help, the version and completion scripts hold nothing that was given.
            if code.isSuccess { try? Console.write(text + "\n") } else { Console.note(text) }
        }
        Foundation.exit(code.rawValue)
    }

    /// What an error says. One of Foundation's has a sentence beside its description.
    private static func words(_ error: any Error) -> String {
        type(of: error) is NSError.Type ? error.localizedDescription : "\(error)"
    }
}
