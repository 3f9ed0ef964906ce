import ArgumentParser
import Manifests

/// `--set key value`, which should be `--set key=value`: the library takes the value for an argument.
struct DividedAssignment {
    let command: any ParsableCommand.Type
    private let key, value: String

    var message: String {
        "--set \(UnknownCommand.shown(key)) \(UnknownCommand.shown(value)): write key and value as one word: --set "
            + UnknownCommand.shown(ShellText.word("\(key)=\(value)"))
    }

    /// The first one of a command line that was refused; nil: there is none.
    init?(in arguments: [String]) {
        guard let command = KnownOptions.command(of: arguments) else { return nil }
        for (index, word) in arguments.enumerated().dropFirst() {
            if word == "--" { return nil }
            guard word == "--set", arguments.count > index + 2 else { continue }
            let (key, value) = (arguments[index + 1], arguments[index + 2])
            let isKey = !key.isEmpty && key.allSatisfy { $0.isLetter || $0.isNumber || "._".contains($0) }
            guard isKey, key.contains("."), !value.isEmpty,
                !value.hasPrefix("-") || Double(value) != nil
            else { continue }
            self.init(command: command, key: key, value: value)
            return
        }
        return nil
    }

    private init(command: any ParsableCommand.Type, key: String, value: String) {
        (self.command, self.key, self.value) = (command, key, value)
    }
}
