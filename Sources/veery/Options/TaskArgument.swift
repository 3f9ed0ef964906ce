import ArgumentParser
import DatasetExtraction
import Essentials

/// The number of a task: `i/n`, or `auto/n` for the i of the engine that runs the command.
struct TaskArgument {
    /// i; nil: `auto`.
    let number: Int?
    /// n
    let count: Int

    /// The environment variables that `auto` looks at, in this order, and the number of the first task in each.
    static let variables = [("VEERY_SHARD_INDEX", 1), ("SLURM_ARRAY_TASK_ID", 1), ("JOB_COMPLETION_INDEX", 0)]

    /// - Throws: `ValidationError` if the text is not a number of a task.
    init(_ text: String, maximum: Int) throws {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let count = Int(parts[1]), (1...maximum).contains(count),
            parts[0] == "auto" || Int(parts[0]).map({ (1...count).contains($0) }) ?? false
        else {
            throw ValidationError(
                "expected i/n with i from 1 to n, such as 3/16, or auto/n, with n up to \(maximum)")
        }
        (number, self.count) = (Int(parts[0]), count)
    }

    /// i
    ///
    /// - Parameter option: The name of the option in messages.
    /// - Throws: `ValidationError` where no variable names one.
    func index(
        _ option: String, _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> Int {
        if let number { return number }
        for (name, first) in Self.variables {
            guard let text = environment[name], !text.isEmpty else { continue }
            guard let index = Int(text), (first..<first + count).contains(index) else {
                throw ValidationError(
                    "\(option) auto/\(count): expected \(first) to \(count + first - 1) in \(name), found '\(text)'")
            }
            return index - first + 1
        }
        throw ValidationError(
            "\(option) auto/\(count): none of \(Self.variables.map(\.0).joined(separator: ", ")) is set: give \(option) i/\(count)"
        )
    }
    /// The part that `make` makes of i and n.
    ///
    /// - Throws: `ValidationError` where no variable names one.
    func part<Part>(_ option: String, _ make: (Int, Int) -> Part?) throws -> Part {
        guard let part = make(try index(option), count) else {
            throw ValidationError("\(option): there is no such part of \(count)")
        }
        return part
    }
}
