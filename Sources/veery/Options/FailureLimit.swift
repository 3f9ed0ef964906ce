import ArgumentParser
import Presentation

/// How many clips may fail before the exit status says so.
enum FailureLimit: ExpressibleByArgument, Equatable {
    case clips(Int)
    case percent(Double)

    init?(argument: String) {
        if argument.hasSuffix("%"), let share = Double(argument.dropLast()), (0...100).contains(share) {
            self = .percent(share)
        } else if let count = Int(argument), count >= 0 {
            self = .clips(count)
        } else {
            return nil
        }
    }

    var defaultValueDescription: String {
        switch self {
        case .clips(let count): "\(count)"
        case .percent(let share): "\(Wording.number(share))%"
        }
    }

    /// Whether so many failures of so many clips are within the limit.
    func allows(_ failures: Int, of clips: Int) -> Bool {
        switch self {
        case .clips(let most): failures <= most
        case .percent(let share): Double(failures) * 100 <= share * Double(clips)
        }
    }
}
