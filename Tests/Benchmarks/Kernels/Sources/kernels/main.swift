import Foundation

// Prints a Markdown table that compares Veery's kernels with the bare libraries.
// Usage: kernels FOLDER [ROUNDS]     FOLDER: .demo/bench, with the lists of recordings that bench.py makes
//        kernels --lanes ROUNDS      the transform over lanes alone
//        kernels --rows ROUNDS       the same of one frame at a time
//        kernels --resampling ROUNDS   resamplers alone
//        kernels --calls SECONDS     times calls of the library, as its standard input asks for them

/// The first recordings of a list, a path on each line.
func recordings(_ list: String) -> [String] {
    guard let text = try? String(contentsOfFile: list, encoding: .utf8) else { return [] }
    return text.split(separator: "\n").prefix(300).map(String.init)
}

do {
    let arguments = CommandLine.arguments
    if arguments.count == 3, arguments[1] == "--calls", let seconds = Double(arguments[2]) {
        try Calls.serve(seconds: seconds)
        exit(0)
    }
    let heading =
        "| kernel | **time, Veery ÷ bare** | least–most | a second | Veery | bare |\n|---|---|---|---|---|---|"
    if arguments.count == 3, ["--lanes", "--rows"].contains(arguments[1]), let rounds = Int(arguments[2]), rounds > 0 {
        print(heading)
        let comparisons = arguments[1] == "--rows" ? SingleRows.comparisons : Lanes.comparisons
        for comparison in try comparisons() { print(try comparison.row(rounds: rounds)) }
        exit(0)
    }
    if arguments.count == 3, arguments[1] == "--resampling", let rounds = Int(arguments[2]), rounds > 0 {
        print(heading)
        for comparison in try Resampling.comparisons() { print(try comparison.row(rounds: rounds)) }
        exit(0)
    }
    guard arguments.count >= 2, let rounds = arguments.count > 2 ? Int(arguments[2]) : 7, rounds > 0 else {
        throw KernelError("usage: kernels FOLDER [ROUNDS]")
    }
    let folder = arguments[1]
    print(heading)
    var comparisons = try Transforms.comparisons()
    for (name, list) in [("WAV", "speech-wav"), ("FLAC", "speech-flac")] {
        let paths = recordings("\(folder)/\(list).list")
        if paths.isEmpty {
            FileHandle.standardError.write(Data("kernels: no \(list).list in \(folder): row left out\n".utf8))
        } else {
            comparisons.append(try Decoding.comparison(name, paths))
        }
    }
    comparisons.append(try Resampling.comparison(from: 44_100, to: 22_050))
    comparisons.append(try Resampling.comparison(from: 48_000, to: 16_000))
    comparisons.append(Writing.comparison(in: folder))
    for comparison in comparisons { print(try comparison.row(rounds: rounds)) }
} catch {
    FileHandle.standardError.write(Data("kernels: \(error)\n".utf8))
    exit(1)
}
