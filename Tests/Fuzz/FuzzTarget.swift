/// Something that takes bytes from outside. The raw value is its name on the command line.
enum FuzzTarget: String, CaseIterable {
    case manifest, json, annotations, dataset
    case configuration, settings, stored, quantities
    case headers, ogg, mpeg, wave, archive, arrays
    case spool, structure
    case keys, text

    /// Takes one input. Whatever it is: no trap, no hang, and the laws of `law` hold.
    func take(_ bytes: UnsafeRawBufferPointer) {
        switch self {
        case .manifest: ManifestFuzzing.take(bytes)
        case .json: JSONFuzzing.take(bytes)
        case .annotations: AnnotationFuzzing.take(bytes)
        case .dataset: DatasetFuzzing.take(bytes)
        case .configuration: ConfigurationFuzzing.takeText(bytes)
        case .settings: ConfigurationFuzzing.takeSettings(bytes)
        case .stored: StoredTextFuzzing.take(bytes)
        case .quantities: QuantityFuzzing.take(bytes)
        case .headers: RecordingFuzzing.takeHeaders(bytes)
        case .ogg: RecordingFuzzing.takeOgg(bytes)
        case .mpeg: RecordingFuzzing.takeFrames(bytes)
        case .wave: WaveStreamFuzzing.take(bytes)
        case .archive: ArchiveFuzzing.take(bytes)
        case .arrays: ArrayFuzzing.take(bytes)
        case .spool: SpoolFuzzing.take(bytes)
        case .structure: StructureFuzzing.take(bytes)
        case .keys: TerminalFuzzing.takeKeys(bytes)
        case .text: TerminalFuzzing.takeText(bytes)
        }
    }
}

/// Ends the program where a law is broken; libFuzzer reports that with the input.
func law(_ holds: Bool, _ text: @autoclosure () -> String) {
    guard !holds else { return }
    fatalError("law broken: \(text())")
}
