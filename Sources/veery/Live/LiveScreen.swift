import LiveAnalysis
import Terminal

/// Shows a live analysis until it ends, and handles keys.
struct LiveScreen {
    private let device: TerminalDevice
    private let session: LiveSession
    private let signals: LiveSignals
    private let style: LiveStyle
    private let heading: LiveHeading
    private var panes: [any LivePane]
    /// Rows of each track that were shown or skipped.
    private var seen: [Int]
    private var rows: [Float] = []
    private var isPaused = false
    private var parser = KeyParser()
    private var painter = GridPainter()
    private let framesPerSecond: Double

    /// Rows that arrived too fast to be shown.
    private(set) var missedRows = 0

    /// Minimum size of the terminal for a picture.
    private static let (minimumColumns, minimumRows) = (20, 5)
    /// How far an arrow moves an edge, in bins out of 1024.
    private static let step = 8
    /// Maximum time to notice a request to stop, in milliseconds.
    private static let longestWait = 100

    init(
        _ device: TerminalDevice, session: LiveSession, signals: LiveSignals, panes: [any LivePane], style: LiveStyle,
        heading: LiveHeading, framesPerSecond: Double
    ) {
        self.device = device
        self.session = session
        self.signals = signals
        self.panes = panes
        self.style = style
        self.heading = heading
        self.framesPerSecond = framesPerSecond
        seen = session.tracks.map { _ in 0 }
    }

    mutating func run() {
        let device = device
        device.enter()
        defer { device.leave() }
        let period = Duration.seconds(1 / framesPerSecond)
        var drawn = ContinuousClock.now - max(period, .seconds(1))
        var resizes = -1
        var grid = CellGrid(width: 1, height: 1)
        while !signals.cancellation.isCancelled {
            let now = ContinuousClock.now
            let isLast = session.hasEnded
            if isLast || now >= drawn + period {
                let elapsed = drawn.duration(to: now) / .seconds(1)
                drawn = now
                if signals.resizeCount != resizes {
                    resizes = signals.resizeCount
                    let size = device.size
                    grid = CellGrid(width: size.columns, height: size.rows)
                    painter.invalidate()
                }
                if !isPaused { takeRows() }
                draw(into: &grid, elapsed: isPaused ? 0 : min(elapsed, 1))
                var isThere = true
                painter.paint(grid) { bytes in
                    isThere = device.show(bytes) { !signals.cancellation.isCancelled }
                }
                guard isThere else { return signals.cancellation.cancel() }
                if isLast { return }
            }
            // Waits for keys even if the next picture is due, as it always is on a slow terminal.
            let left = ContinuousClock.now.duration(to: drawn + period) / .milliseconds(1)
            guard handleKeys(milliseconds: min(max(Int(left.rounded(.up)), 1), Self.longestWait)) else {
                return signals.cancellation.cancel()
            }
        }
    }

    /// Waits for keys and handles them; false: the terminal is gone.
    private mutating func handleKeys(milliseconds: Int) -> Bool {
        var bytes: [UInt8] = []
        guard device.readKeys(into: &bytes, milliseconds: milliseconds) else { return false }
        if bytes.isEmpty, parser.isWaiting, let key = parser.end() { press(key) }
        while !bytes.isEmpty {
            for byte in bytes { if let key = parser.push(byte) { press(key) } }
            bytes.removeAll(keepingCapacity: true)
            guard device.readKeys(into: &bytes, milliseconds: 0) else { return false }
        }
        return true
    }

    private mutating func takeRows() {
        for (number, track) in session.tracks.enumerated() {
            let count = track.rows.read(after: seen[number], into: &rows)
            missedRows += count - seen[number] - rows.count / track.rows.bins
            seen[number] = count
            if !rows.isEmpty { panes[number].add(rows) }
        }
    }

    private mutating func draw(into grid: inout CellGrid, elapsed: Double) {
        grid.clear()
        guard grid.width >= Self.minimumColumns, grid.height >= Self.minimumRows else {
            let wordings = ["too small: \(Self.minimumColumns) by \(Self.minimumRows) at least", "too small"]
            CellText.put(wordings, into: &grid, column: 0, row: 0, width: grid.width, foreground: style.bright)
            return
        }
        heading.draw(
            into: &grid, seconds: session.tracks.map(\.seconds).max() ?? 0, isPaused: isPaused,
            isStopped: session.isStopped, style: style)
        let body = grid.region.inset(top: 1, bottom: heading.hasKeys ? 1 : 0)
        let width = (body.width - (panes.count - 1)) / panes.count
        for number in panes.indices {
            var region = CellRegion(column: number * (width + 1), row: body.row, width: width, height: body.height)
            if panes.count > 1 {
                let name = CellText.name(session.tracks[number].name)
                grid.put(
                    CellText.shortened(name, to: width - PaneAxes.width, style: style),
                    column: region.column + PaneAxes.width, row: region.row, foreground: style.bright)
                region = region.inset(top: 1)
            }
            panes[number].draw(into: &grid, at: region, style: style, elapsed: elapsed)
        }
    }

    private mutating func press(_ key: TerminalKey) {
        switch key {
        case .character("q"), .character("Q"): signals.cancellation.cancel()
        case .character(" "):
            isPaused.toggle()
            // Rows during a pause do not count as missed.
            if !isPaused { skipOldRows() }
        case .character("s"), .character("S"):
            guard session.isStopped else {
                session.stop()
                clear()
                return
            }
            session.start()
        case .character("r"), .character("R"): clear()
        case .left: changeBand { $0.moved(by: -Self.step) }
        case .right: changeBand { $0.moved(by: Self.step) }
        case .up: changeBand { $0.widened(by: Self.step) }
        case .down: changeBand { $0.widened(by: -Self.step) }
        case .tab: changeBand { $0.turned }
        case .character, .enter, .escape, .other: break
        }
    }

    private func changeBand(_ change: (LiveEqualizer.Band) -> LiveEqualizer.Band) {
        guard let equalizer = session.tracks.first?.equalizer else { return }
        equalizer.band = change(equalizer.band)
    }

    private mutating func clear() {
        for number in panes.indices {
            panes[number].clear()
            seen[number] = session.tracks[number].rows.count
        }
    }

    private mutating func skipOldRows() {
        for (number, track) in session.tracks.enumerated() {
            seen[number] = max(seen[number], track.rows.count - track.rows.capacity)
        }
    }
}
