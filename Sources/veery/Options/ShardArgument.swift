import ArgumentParser
import DatasetExtraction
import Foundation

/// The value of `--shard`: `i/n`, or `auto/n` for the i of the engine that runs the command.
struct ShardArgument {
    /// i; nil: `auto`.
    let number: Int?
    /// n
    let count: Int

    /// The environment variables that `auto` looks at, in this order, and what the first of n is there.
    static let variables = [("VEERY_SHARD_INDEX", 1), ("SLURM_ARRAY_TASK_ID", 1), ("JOB_COMPLETION_INDEX", 0)]

    /// - Throws: `ValidationError` if the text is no shard.
    init(_ text: String) throws {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let count = Int(parts[1]), Shard(number: 1, count: count) != nil,
            parts[0] == "auto" || Int(parts[0]).flatMap({ Shard(number: $0, count: count) }) != nil
        else {
            throw ValidationError(
                "expected i/n with i from 1 to n, such as 3/16, or auto/n, with n up to \(Shard.maximumCount)")
        }
        (number, self.count) = (Int(parts[0]), count)
    }

    /// The shard.
    ///
    /// - Throws: `ValidationError` where no variable names one.
    func shard(_ environment: [String: String] = ProcessInfo.processInfo.environment) throws -> Shard {
        if let number, let shard = Shard(number: number, count: count) { return shard }
        for (name, first) in Self.variables {
            guard let text = environment[name], !text.isEmpty else { continue }
            guard let index = Int(text), let shard = Shard(number: index - first + 1, count: count) else {
                throw ValidationError(
                    "--shard auto/\(count): expected \(first) to \(count + first - 1) in \(name), found '\(text)'")
            }
            return shard
        }
        throw ValidationError(
            "--shard auto/\(count): none of \(Self.variables.map(\.0).joined(separator: ", ")) is set: give --shard i/\(count)"
        )
    }
}
