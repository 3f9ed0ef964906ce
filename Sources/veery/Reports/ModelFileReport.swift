import ConfigurationFiles
import Essentials
import FeatureModel
import ModelFiles
import Presentation

/// What was understood of a model's own file: each key with the field that it comes from, which fields set none, and the
/// configuration.
struct ModelFileReport {
    let source: ModelSource

    /// The configuration as feature files store it.
    var json: String { get throws { try ConfigurationText.json(FeatureConfiguration(source.model.tree.root)) + "\n" } }

    /// The configuration with the file's name and what of the original is not part of the features, as the library takes it: with times,
    /// and edges of half the rate, where the file has them, so that settings may change the rate.
    ///
    /// - Parameter rate: What is set over the file's sample rate, as it is written; nil: nothing.
    func jsonOfModel(at rate: String?) throws -> String {
        let own = source.model
        let about = JSONObject(entries: [
            "name": ConfigurationInput.name(of: source.path), "remarks": own.remarks.joined(separator: "\n"),
            "open": own.open?.section, "open_remark": own.open?.remark, "left": own.left.joined(separator: " "),
            "rate": own.rate.text,
        ])
        let text = String(decoding: try JSONEncoder.reports([.withoutEscapingSlashes]).encode(about), as: UTF8.self)
        let hertz = rate.flatMap { AudioConfiguration.sampleRate(of: .text($0)) }
        let tree = (hertz.flatMap { own.at(rate: $0) } ?? own).tree
        let configuration = try ConfigurationText.json(FeatureConfiguration(tree.root, isResolved: false))
        return "{\"model\":\(text),\(configuration.dropFirst())\n"
    }

    /// Comments, and the configuration as YAML.
    var text: String {
        get throws {
            let model = source.model
            var lines = ["\(source.path.printable): \(model.className), as in \(model.format.title)"]
            let width = (model.settings.map { $0.key.count + $0.value.shown.count }.max() ?? 0) + 3
            for setting in model.settings {
                let key = "\(setting.key)=\(setting.value.shown)"
                lines.append("  \(key.padded(to: width))\(origin(setting))")
            }
            if !model.unused.isEmpty { lines.append("Fields that set no key:") }
            for unused in model.unused { lines.append("  \(unused.field.printable): \(unused.reason)") }
            if !model.remarks.isEmpty { lines.append("Not part of the features:") }
            for remark in model.remarks { lines.append("  \(remark)") }
            if let open = model.open { lines += ["What the file leaves open:", "  \(open.remark)"] }
            let configuration = try FeatureConfiguration(model.tree.root, isResolved: false)
            return lines.map { "# \($0)\n" }.joined() + (try ConfigurationText.yaml(configuration))
        }
    }

    /// Where a key's value comes from.
    private func origin(_ setting: ModelSetting) -> String {
        guard !setting.fields.isEmpty else { return "(\(source.model.className))" }
        return setting.fields.map { source in
            let notes = [source.file?.printable, source.isStated ? nil : "by default"].compactMap(\.self)
            return notes.isEmpty ? source.field : "\(source.field) (\(notes.joined(separator: ", ")))"
        }.joined(separator: ", ")
    }
}
