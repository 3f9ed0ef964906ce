import ArgumentParser
import ConfigurationFiles
import DatasetReports
import FeaturePipeline
import Plotting

extension ExitCode {
    /// The machine failed: no memory, threads, descriptors or room on the disk, or a file server gone. The same command may
    /// succeed another time (`EX_TEMPFAIL`).
    static let tryAgain = ExitCode(75)

    /// The status of a program that ends by an error that no option of it could have caused.
    init(of error: any Error) { self = Self.isFaultOfMachine(error) ? .tryAgain : .failure }

    private static func isFaultOfMachine(_ error: any Error) -> Bool {
        switch error {
        case PlotError.file(_, _, let reason), ReportError.file(_, _, let reason): MachineFault.isNamed(in: reason)
        case ConfigurationFileError.unreadable(_, let reason): MachineFault.isNamed(in: reason)
        case let error as UnwritableOutput: MachineFault.isCode(error.code)
        case let error as PictureError: MachineFault.isNamed(in: error.reason)
        default: MachineFault.isCause(of: error)
        }
    }
}
