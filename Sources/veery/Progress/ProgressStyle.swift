import ArgumentParser

/// How progress is shown.
enum ProgressStyle: String, ExpressibleByArgument, CaseIterable {
    /// A bar on a terminal, lines elsewhere.
    case auto
    /// A bar that is drawn again and again in one line.
    case bar
    /// A line now and then.
    case plain
    /// A JSON object a line, now and then (`Schemas/progress-event.schema.json`).
    case json
    /// Nothing.
    case none
}
