/// Rows that are resized: what comes before that, and what it can be combined with.
extension FeatureConfiguration {
    /// Whether a clip is normalised by its own statistics before its rows are resized, as a part of what is computed.
    public var normalizesBeforeResizing: Bool { rows.isResized && normalize.scope == .clip }

    /// How rows are normalised once they are computed: not at all with `normalizesBeforeResizing`.
    public var rowNormalization: NormalizeConfiguration { normalizesBeforeResizing ? .none : normalize }

    /// The number of values in a row of frames, before columns are resized.
    ///
    /// - Throws: As `shape(at:)`.
    package func computedColumns(_ geometry: FrameGeometry, at sampleRate: Double) throws(ConfigurationError) -> Int {
        columns(
            ofBins: try transform.bins(
                frameLength: geometry.length, fftLength: geometry.fftLength, sampleRate: sampleRate))
    }

    /// The number of values in a row of frames with `bins` values of each part.
    func columns(ofBins bins: Int) -> Int {
        bins * (scale.kind == .complex ? 2 : 1) * (transform.deltas.order + 1)
    }

    /// - Throws: `ConfigurationError` where rows cannot be resized.
    func checkResizing() throws(ConfigurationError) {
        guard let (key, value) = rows.resizing else { return }
        func refuse(_ other: String, _ expected: String) -> ConfigurationError {
            .invalidValue(key: key, found: "\(value) with \(other)", expected: expected)
        }
        if audio.channels == .all {
            throw refuse("audio.channels: all", "null, or mix, first or a number for audio.channels")
        }
        if rows.count != nil || rows.isActive && rows.fillOrder == .before {
            throw refuse(
                rows.count == nil ? "rows.fill_order: before" : "rows.count",
                rows.count == nil ? "null, or after for rows.fill_order" : "null, or null for rows.count")
        }
        if rows.resize != nil, patches.rest == .zeros {
            throw refuse("patches.rest: zeros", "null, or drop, fill or repeat for patches.rest")
        }
        let needsPeak = scale.topDB != nil || scale.isRelativeToMaximum
        if needsPeak, normalizesBeforeResizing {
            let other = scale.topDB == nil ? "scale.reference: max" : "scale.top_db"
            throw refuse(
                "\(other) and normalize.scope: clip",
                "null, or only one of \(other) and normalize.scope: clip, since each needs the whole clip before the other"
            )
        }
        if rows.resizeMultiple > 1, audio.duration != nil {
            throw .invalidValue(
                key: "rows.resize_multiple", found: "\(rows.resizeMultiple) with audio.duration",
                expected: "1: audio.duration already decides the number of rows")
        }
        try checkResizedColumns()
    }

    /// Columns that are next to each other have to be neighbours in frequency.
    private func checkResizedColumns() throws(ConfigurationError) {
        guard let bins = rows.resizeBins else { return }
        let other: String? =
            if transform.cepstrum != nil || transform == .raw {
                "transform.kind: \(transform.kind.rawValue)"
            } else if transform.deltas.order > 0 {
                "transform.deltas: \(transform.deltas.order)"
            } else if scale.kind == .complex {
                "scale.kind: complex"
            } else {
                nil
            }
        guard let other else { return }
        throw .invalidValue(
            key: "rows.resize_bins", found: "\(bins) with \(other)",
            expected: "null: columns that are resized have to be one value for each frequency")
    }
}
