import ArgumentParser
import FeatureModel

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

            Exit status: 0 done; 1 could not run; 3 written, but more clips failed
            than --max-failures allows; 64 wrong usage; 130 or 143 stopped by
            Ctrl-C or SIGTERM.
            """,
        version: VeeryVersion.number,
        subcommands: [
            ExtractCommand.self, InspectCommand.self, RenderCommand.self, LiveCommand.self, FilterCommand.self,
            CrawlCommand.self, CheckCommand.self, PresetsCommand.self,
        ])
}
