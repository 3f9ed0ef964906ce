import ArgumentParser
import AudioDecoding
import ConfigurationFiles
import DatasetReports
import Plotting

extension ExitCode {
    /// The machine failed: no memory, threads, descriptors or room on the disk, or a file server gone. The same command may
    /// succeed another time (`EX_TEMPFAIL`).
    static let tryAgain = ExitCode(75)

    /// The status of a program that ends by an error that no option of it could have caused.
    init(of error: any Error) { self = Self.isSystemFault(error) ? .tryAgain : .failure }

    private static func isSystemFault(_ error: any Error) -> Bool {
        switch error {
        case PlotError.file(_, _, let reason), ReportError.file(_, _, let reason): MachineError.isNamed(in: reason)
        case ConfigurationFileError.unreadable(_, let reason): MachineError.isNamed(in: reason)
        case let error as UnwritableOutput: MachineError.isNamed(in: error.reason)
        case let error as PictureError: MachineError.isNamed(in: error.reason)
        default: error.isSystemFault
        }
    }
}
