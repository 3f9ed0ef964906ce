import Manifests

/// Ketos' annotation and selection tables: filename, start, end, label, and often annot_id or sel_id, freq_min, freq_max.
struct KetosTable: DatasetReader {
    static let format = DatasetFormat.ketos
    private let location: DatasetLocation

    init?(_ location: DatasetLocation) throws(ManifestError) {
        guard location.hasColumns("filename", "start", "end"), location.start?.has("path") == false,
            ["label", "annot_id", "sel_id"].contains(where: { location.start?.has($0) == true })
        else { return nil }
        self.location = location
    }

    var roots: [String] { [location.folder] }

    func read(into clips: ManifestBuilder) throws(ManifestError) {
        try TableRows(location.input, Self.format, "filename", "start", "end").add(to: clips) { values, row in
            let (file, annotation) = (values["filename"], values["annot_id"])
            let selection = values["sel_id"]
            row.path = file
            row.label = values["label"]
            (row.start, row.end) = (values["start"], values["end"])
            let number = annotation.isEmpty ? selection : annotation
            if !number.isEmpty { row.id = "\(file.stem)#\(number)" }
            let frequencies = [("low_frequency", values["freq_min"]), ("high_frequency", values["freq_max"])]
            row.extra = values.others
            for (name, value) in frequencies where !value.isEmpty { row.add(name, value) }
        }
    }
}
