extension Preset {
    /// The presets that an unknown name may mean: those whose names contain it or are contained in it, else the nearest.
    package static func likely(_ name: String) -> [String] {
        let names = allCases.map(\.rawValue)
        guard name.utf8.count <= 100 else { return [] }
        let typed = String(name.lowercased().map { $0 == "_" || $0 == " " ? "-" : $0 })
        if names.contains(typed) { return [typed] }
        let parts = typed.count < 3 ? [] : names.filter { $0.contains(typed) || typed.contains($0) }
        if !parts.isEmpty { return parts }
        return nearestName(to: typed, in: names).map { [$0] } ?? []
    }

    /// `Did you mean 'a' or 'b'?`, or nothing.
    package static func question(about name: String) -> String {
        let likely = likely(name).map { "'\($0)'" }
        return likely.isEmpty ? "" : "did you mean \(likely.joined(separator: " or "))?"
    }
}
