import ArgumentParser
import FeatureModel
import FeatureStorage
import Messages
import Presentation

/// `--strict`, and the only place where an account becomes lines.
struct StrictOption: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "Fail if anything is left out.",
            discussion: """
                The command ends before the work if the dataset has something that is not read, and after it if recordings are \
                not what their metadata say. The exit status is 1, and nothing is written. What an option allows, such as --truncated keep, does \
                not count.
                """))
    var strict = false

    /// Prints the remarks of a source, before the work.
    ///
    /// - Parameter cutting: The command that cuts clips to the length that the features take.
    /// - Throws: `RefusedLosses` with `--strict` where something was left out.
    func report(_ account: Account, isQuiet: Bool, cutting: CuttingAdvice = CuttingAdvice()) throws {
        if strict, account.hasLoss { throw RefusedLosses(account: account, cutting: cutting) }
        if !isQuiet { Console.report(account, cutting: cutting) }
    }
}

extension Console {
    /// Prints what was read but not used.
    static func report(_ account: Account, cutting: CuttingAdvice = CuttingAdvice()) {
        for line in RemarkWords.lines(account, cutting: cutting) { note(line.printable) }
    }
}

/// The losses that `--strict` does not allow.
struct RefusedLosses: Error, CustomStringConvertible {
    let account: Account
    let cutting: CuttingAdvice

    var description: String {
        (["--strict: not everything would be used, and nothing was written:"]
            + RemarkWords.losses(account, cutting: cutting).map { "  " + $0.printable }).joined(separator: "\n")
    }
}
