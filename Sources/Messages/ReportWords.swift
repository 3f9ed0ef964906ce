import Presentation

/// Sentences of a report's page that name options.
package enum ReportWords {
    /// Some values of a number of clips are infinite or not a number.
    ///
    /// - Parameter profiled: The clips that were looked at, in words.
    package static func invalid(_ values: Int, clips: Int, among profiled: String) -> String {
        "\(Wording.count(values, "value")) in \(Wording.count(clips, "clip")) among \(profiled) "
            + "\(values == 1 ? "is" : "are") infinite or not a number, and left out of all other "
            + "statistics. Suspicious clips are not searched for. Such values were not written by veery: see inspect --verify."
    }

    /// Where to find the remarks that the page does not show.
    package static let rest = "'veery inspect --json' has all"

    /// No recording was found, so it is not known which are clipped.
    package static let noRecordings =
        "Not known: the recordings were not found. Paths in the file are relative to the manifest's folder; give that "
        + "folder as --root."

    /// How many of the clips are heard, and why others are not.
    ///
    /// - Parameters:
    ///   - heard: Clips with a player.
    ///   - shortened: Those of them whose players have the first `seconds` alone.
    ///   - leftOut: Clips without one, so that the page is not too large.
    package static func sounds(_ heard: Int, shortened: Int, seconds: Int, unreadable: Int, leftOut: Int) -> String {
        if heard == 0, leftOut == 0 {
            return
                "No clip has a player: the recordings were not found. Paths in the file are relative to the manifest's folder; "
                + "give that folder as --root."
        }
        var sentences = [
            "Players have the sound of the clips\(shortened > 0 ? ", of longer ones the first \(seconds) s" : "")."
        ]
        if unreadable > 0 {
            sentences.append(
                "\(Wording.count(unreadable, "clip")) \(unreadable == 1 ? "has" : "have") none: \(self.unreadable(recordings: unreadable))"
            )
        }
        if leftOut > 0 {
            sentences.append(
                "\(Wording.count(leftOut, "clip")) \(leftOut == 1 ? "has" : "have") none, so that the page does not become too large; "
                    + "'veery browse' plays every clip.")
        }
        return sentences.joined(separator: " ")
    }

    /// Some recordings were not found.
    package static func unreadable(recordings: Int) -> String {
        "\(Wording.count(recordings, "recording")) could not be read; --root names the folder of the manifest."
    }
}
