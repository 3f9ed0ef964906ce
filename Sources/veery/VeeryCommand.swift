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

            Exit status: 0 done; 1 could not run (an invalid configuration file,
            too); 3 written, but more clips failed than --max-failures allows;
            64 wrong usage (--preset and --set, too); 130 or 143 stopped by Ctrl-C
            or SIGTERM.
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
            var command = try parseAsRoot()
            do {
                try command.run()
            } catch let error where exitCode(for: error) == .failure && !(error is ExitCode) {
                Console.note("Error: \(words(error))")
                throw ExitCode.failure
            } catch let error as ValidationError where !(command is VeeryCommand) {
                let type = type(of: command)
                Console.note(
                    """
                    Error: \(printable(error.message))
                    Usage: \(usageString(for: type))
                      See 'veery \(type.configuration.commandName ?? "") --help' for more information.
                    """)
                throw ExitCode.validationFailure
            }
        } catch {
            exit(withError: error)
        }
    }

    /// What an error says. One of Foundation's has a sentence beside its description.
    private static func words(_ error: any Error) -> String {
        printable(type(of: error) is NSError.Type ? error.localizedDescription : "\(error)")
    }

    /// Names of files may hold anything, but a terminal is not to obey it.
    private static func printable(_ lines: String) -> String {
        lines.components(separatedBy: "\n").map(\.printable).joined(separator: "\n")
    }
}
