import FeatureModel

/// The fields of a file as a class reads them, and the settings that they come to.
struct Reading {
    let row: FrontEnd
    /// The value of every field of the class: the file's, or the default.
    private var values: [String: ConfigurationValue] = [:]
    /// The fields as the file has them.
    private var given: [String: JSONValue] = [:]
    private(set) var settings: [ModelSetting] = []
    private(set) var unused: [ModelConfiguration.Unused] = []
    private(set) var remarks: [String]

    /// Reads all fields; each is one of the row's, once, and of its type.
    ///
    /// - Parameters:
    ///   - prefix: What is in front of a field's name in the file, such as `frontend_conf.`.
    ///   - elsewhere: The full names of fields that lie outside of that section.
    ///   - neighbours: The text of a file in the folder of this one.
    init(
        _ row: FrontEnd, _ members: [JSONValue.Member], prefix: String = "", elsewhere: [String: String] = [:],
        neighbours: @escaping (String) -> String? = { _ in nil }
    ) throws(ModelFileError) {
        (self.row, remarks, self.prefix, self.elsewhere) = (row, row.remarks, prefix, elsewhere)
        self.neighbours = neighbours
        let fields = Dictionary(row.fields.map { ($0.name, $0) }) { first, _ in first }
        var problems: [String: ModelFileError] = [:]
        for member in members {
            guard given.updateValue(member.value, forKey: member.name) == nil else {
                throw .repeated(field: full(member.name))
            }
            guard fields[member.name] != nil else {
                let names = row.fields.map(\.name)
                problems[member.name] = .unknownField(
                    field: full(member.name), owner: "\(row.name) of \(row.format.title)",
                    nearest: nearestName(to: member.name, in: names))
                continue
            }
        }
        for entry in ConfigurationValue.entries(row.fixed) {
            settings.removeAll { $0.key == entry.key }
            settings.append(ModelSetting(key: entry.key, value: entry.value, fields: []))
        }
        for field in row.fields {
            do throws(ModelFileError) { try read(field) } catch { problems[field.name] = error }
        }
        let found = members.compactMap { problems[$0.name] }
        if let first = found.first { throw found.count == 1 ? first : .several(found) }
        try row.settle(&self)
        noteIdle()
    }

    /// Accounts for the fields of the file that no key comes from: they have their defaults, or act with other values alone.
    private mutating func noteIdle() {
        let named = Set(settings.flatMap(\.fields).map(\.field) + unused.map(\.field))
        for field in row.fields where given[field.name] != nil && !named.contains(full(field.name)) {
            let isDefault = isSame(given[field.name], values[field.name] ?? field.standard, field)
            let reason =
                isDefault
                ? "it has its default, for which no key has to be set"
                : "with the values of this file, no key has to be set for it"
            unused.append(.init(field: full(field.name), reason: reason))
        }
    }

    /// The text of a file in the folder of this one; nil: there is none.
    let neighbours: (String) -> String?
    private let prefix: String
    private let elsewhere: [String: String]

    /// A field's name with the sections that it lies in.
    func full(_ name: String) -> String { elsewhere[name] ?? prefix + name }

    private mutating func read(_ field: Field) throws(ModelFileError) {
        let stated = given[field.name]
        let value = try stated.map { json throws(ModelFileError) in try self.value(json, of: field) } ?? field.standard
        values[field.name] = value
        switch field.effect {
        case .sets(let keys): for key in keys { set(key, value, from: field.name) }
        case .part: break
        case .unused(let reason):
            if stated != nil { unused.append(.init(field: full(field.name), reason: reason)) }
        case .only(let reason):
            guard isSame(stated, value, field) else {
                throw .unsupported(
                    field: full(field.name), found: stated?.shown ?? "nothing", expected: field.standard.shown,
                    advice: reason)
            }
            if stated != nil {
                unused.append(.init(field: full(field.name), reason: "the one value that is computed"))
            }
        case .dither:
            if let noise = value.number, noise != 0 {
                remarks.append(
                    "\(full(field.name)) is \(value.shown)\(stated == nil ? " by default" : ""): the original adds noise, "
                        + "which is random; none is added here")
            }
            if stated != nil {
                unused.append(.init(field: full(field.name), reason: "noise is not added"))
            }
        }
    }

    /// Whether the value of a field is its default.
    private func isSame(_ stated: JSONValue?, _ value: ConfigurationValue, _ field: Field) -> Bool {
        guard let stated else { return true }
        if field.kind == .any { return stated == .null }
        return value == field.standard || value.number != nil && value.number == field.standard.number
    }

    // MARK: What a class asks

    func whole(_ name: String) -> Int { values[name]?.whole ?? 0 }
    func number(_ name: String) -> Double { values[name]?.number ?? 0 }
    func flag(_ name: String) -> Bool { values[name]?.scalar?.flag ?? false }
    func text(_ name: String) -> String { values[name]?.text ?? "" }
    func isNull(_ name: String) -> Bool { values[name]?.isNull ?? true }
    func isStated(_ name: String) -> Bool { given[name] != nil }
    /// The value as the file has it; nil: it has none, or null.
    func raw(_ name: String) -> JSONValue? { given[name].flatMap { $0 == .null ? nil : $0 } }

    /// A field of several kinds as a number; nil: it is null, or the file has none.
    func optionalNumber(_ name: String) throws(ModelFileError) -> Double? {
        guard let value = raw(name) else { return nil }
        let isWord = row.format.notation == .words || row.format.notation == .omegaConf
        if let number = value.number ?? (isWord ? value.string.flatMap(Double.init) : nil), number.isFinite {
            return number
        }
        throw .invalid(field: full(name), found: value.shown, expected: "a number, or null")
    }

    /// A list of numbers, as many as there are columns; nil: it is null, or the file has none.
    func numbers(_ name: String, _ count: Int) throws(ModelFileError) -> [Double]? {
        guard let value = raw(name) else { return nil }
        var list = value.elements ?? []
        // An array of NumPy is written with its axes, of which all but the last may have a length of 1.
        while list.count == 1, count != 1 || list[0].elements != nil, let inner = list[0].elements { list = inner }
        let numbers = list.compactMap(\.number)
        guard list.count == count, numbers.count == count else {
            throw .invalid(field: full(name), found: value.shown, expected: "a list of \(count) numbers, or null")
        }
        return numbers
    }

    /// The value that a key was set to.
    func value(of key: String) -> ConfigurationValue? { settings.last { $0.key == key }?.value }

    /// A whole number from 1 to 4194304, the longest frame.
    func positive(_ name: String) throws(ModelFileError) -> Int {
        let value = whole(name)
        guard (1...4_194_304).contains(value) else {
            throw .invalid(field: full(name), found: "\(value)", expected: "a whole number from 1 to 4194304")
        }
        return value
    }

    /// A number above 0.
    func positiveNumber(_ name: String) throws(ModelFileError) -> Double {
        let value = number(name)
        guard value > 0, value < 1e9 else {
            throw .invalid(field: full(name), found: "\(value.shortText)", expected: "a number above 0")
        }
        return value
    }

    /// A number of samples that times and rates come to.
    func samples(_ value: Double, of name: String) throws(ModelFileError) -> Int {
        guard value >= 1, value <= 4_194_304 else {
            throw .invalid(
                field: full(name), found: values[name]?.shown ?? "nothing",
                expected: "a time of 1 to 4194304 samples at the sample rate")
        }
        return Int(value)
    }

    /// One of several texts, and what it stands for.
    func choice(_ name: String, _ table: [String: String], _ advice: String = "") throws(ModelFileError) -> String {
        let found = values[name] ?? .null
        if let value = table[found.text ?? (found.isNull ? "null" : "")] { return value }
        throw .unsupported(
            field: full(name), found: given[name]?.shown ?? "nothing",
            expected: "one of \(table.keys.sorted().joined(separator: ", "))", advice: advice)
    }

    /// Sets a key, and says which fields it comes from, and from which file that these name.
    mutating func set(_ key: String, _ value: ConfigurationValue, from names: String..., file: String? = nil) {
        let fields = names.map { ModelSetting.Source(field: full($0), isStated: given[$0] != nil, file: file) }
        settings.removeAll { $0.key == key }
        settings.append(ModelSetting(key: key, value: value, fields: fields))
    }

    /// Sets the length of frames and their hop where the file has them as times: as times, which hold at any sample rate, where they come
    /// to the numbers of samples that the original has at the file's rate; otherwise as these numbers.
    ///
    /// - Parameters:
    ///   - length, hop: The field, its time in s, and the number of samples; a time of nil: the file has that number.
    ///   - rate: The file's, in Hz.
    ///   - rateField: The field that it comes from.
    mutating func setFrames(
        length: (field: String, seconds: Double?, samples: Int), hop: (field: String, seconds: Double?, samples: Int),
        rate: Double, rateField: String, rounding: TimeRounding
    ) {
        for (key, span) in [("frame.length", length), ("frame.hop", hop)] {
            guard let seconds = span.seconds else {
                set(key, .whole(span.samples), from: span.field)
                continue
            }
            let text = SampleSpan.seconds(seconds).description
            guard SampleSpan(text: text)?.samples(at: rate, rounding: rounding) == span.samples else {
                set(key, .whole(span.samples), from: span.field, rateField)
                continue
            }
            set(key, .text(text), from: span.field)
            set("frame.rounding", .text(rounding.rawValue))
        }
    }

    mutating func remark(_ text: String) { remarks.append(text) }

    /// Refuses the value of a field.
    func refuse(_ name: String, expected: String, _ advice: String) -> ModelFileError {
        .unsupported(
            field: full(name), found: given[name]?.shown ?? values[name]?.shown ?? "nothing", expected: expected,
            advice: advice)
    }
}
