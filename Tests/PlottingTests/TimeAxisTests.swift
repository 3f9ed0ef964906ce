import Presentation
import Testing

@testable import Plotting

struct TimeAxisTests {
    private func labels(
        _ range: ClosedRange<Double>, _ count: Int, _ display: TimeDisplay = .automatic, begins: String? = nil,
        offset: Double = 0
    ) -> [String] {
        TimeAxis(range, display: display, startTime: begins.flatMap { ClockTime($0) }, offset: offset)
            .ticks(atMost: count).map(\.label)
    }

    @Test func `by themselves, axes read seconds, then minutes, then hours`() {
        #expect(labels(0...100, 4) == ["0", "50", "100"])
        #expect(labels(0...130, 4) == ["0:00", "1:00", "2:00"])
        #expect(labels(4490...4500, 2, .minutes) == ["74:50", "74:55", "75:00"])
        #expect(labels(0...86_400, 4) == ["0:00", "6:00", "12:00", "18:00", "24:00"])
        #expect(labels(0...200_000, 5) == ["0:00", "12:00", "24:00", "36:00", "48:00"])
        #expect(labels(7100...7300, 20, .automatic).first == "118:20")
        #expect(TimeAxis(0...7200).label == "Time (h:min)" && TimeAxis(0...7199).label == "Time (min:s)")
    }

    @Test func `short stretches in minutes have decimals of seconds`() {
        #expect(labels(59.75...60.3, 3, .minutes) == ["0:59.8", "1:00.0", "1:00.2"])
        #expect(labels(0...0.004, 4, .minutes) == ["0:00.000", "0:00.001", "0:00.002", "0:00.003", "0:00.004"])
    }

    @Test func `times before 0 are negative`() {
        #expect(labels(-5...5, 2, .minutes) == ["−0:05", "0:00", "0:05"])
    }

    @Test func `a clock begins when the recording did`() {
        #expect(labels(0...3600, 4, begins: "05:30") == ["05:30", "05:45", "06:00", "06:15", "06:30"])
        #expect(labels(0...20, 2, begins: "05:30:03") == ["05:30:10", "05:30:20"])
        #expect(labels(0...20, 2, begins: "05:30:03", offset: 7) == ["05:30:10", "05:30:20", "05:30:30"])
    }

    @Test func `past midnight the first tick of a day says so`() {
        #expect(labels(0...7200, 4, begins: "23:00") == ["23:00", "23:30", "00:00 +1 d", "00:30", "01:00"])
        #expect(
            labels(0...172_800, 4, begins: "2024-02-28T00:00:00")
                == ["00:00", "12:00", "2024-02-29 00:00", "12:00", "2024-03-01 00:00"])
        let axis = TimeAxis(0...10, display: .clock, startTime: ClockTime("2024-05-01T05:30:00"))
        #expect(axis.label == "Clock time, from 2024-05-01")
    }

    @Test func `ticks are at their times`() {
        for tick in TimeAxis(0...86_400).ticks(atMost: 12) {
            let hours = Double(tick.label.prefix { $0 != ":" }) ?? -1
            #expect(abs(tick.position - hours / 24) < 1e-9)
        }
    }

    @Test func `clock times and days are read, and others refused`() {
        #expect(ClockTime("05:30:00.5")?.seconds == 19_800.5)
        for name in ["site_20240501_053000.wav", "d/20240501T053000Z.WAV", "1_20240501-053000_2.flac"] {
            #expect(ClockTime(inNameOf: name) == ClockTime("2024-05-01T05:30:00"), "\(name)")
        }
        for name in ["20240501_053000/a.wav", "20241301_053000.wav", "20240501__053000.wav", "20240501_0530.wav", ""] {
            #expect(ClockTime(inNameOf: name) == nil, "\(name)")
        }
        #expect(ClockTime("05:30")?.day == nil)
        #expect(ClockTime("2024-05-01 05:30")?.day?.text == "2024-05-01")
        for text in ["", "5", "24:00", "05:60", "05:30:60", "2024-02-30T05:30", "T05:30:", "-1:00", "05:30:nan", "a:b"]
        {
            #expect(ClockTime(text) == nil, "\(text)")
        }
    }

    @Test(arguments: [
        ("2020-12-14T19:22:55-05:00", "UTC\u{2212}05:00"), ("05:30+0530", "UTC+05:30"), ("05:30 +02", "UTC+02:00"),
        ("05:30:00.5Z", "UTC"), ("2020-12-14 19:22\u{2212}03:30", "UTC\u{2212}03:30"), ("05:30-00:00", "UTC"),
    ])
    func `a clock shows the time of its zone, and names it`(text: String, zone: String) throws {
        let time = try #require(ClockTime(text))
        let bare = try #require(ClockTime(String(text.prefix(text.contains("T") || text.contains("12") ? 16 : 5))))
        #expect(time.zone?.text == zone && time.day == bare.day && Int(time.seconds) / 60 == Int(bare.seconds) / 60)
        #expect(TimeAxis(0...10, startTime: time).label.hasPrefix("Clock time (\(zone))"))
    }

    @Test(arguments: [
        "05:30+5", "05:30-24:00", "05:30+05:60", "05:30+5:30", "05:30-", "05:30+0x", "Z", "05:30ZZ", "05:30+01:00Z",
    ])
    func `what is not a zone is refused`(text: String) {
        #expect(ClockTime(text) == nil)
    }

    @Test func `days continue over months and years`() throws {
        #expect(try #require(CalendarDay("2023-12-31")).advanced(by: 1).text == "2024-01-01")
        #expect(try #require(CalendarDay("2023-02-28")).advanced(by: 1).text == "2023-03-01")
        #expect(try #require(CalendarDay("2024-01-01")).advanced(by: 366).text == "2025-01-01")
        #expect(CalendarDay("1900-02-29") == nil && CalendarDay("2000-02-29") != nil)
    }

    @Test func `every span gets ticks inside, in rising order, no more than asked for`() {
        for exponent in -3..<8 {
            for factor in [1.0, 1.7, 3.3, 7.9] {
                let span = factor * RoundNumber.power(exponent)
                for display in [TimeDisplay.minutes, .automatic] {
                    let ticks = TimeAxis(1...1 + span, display: display).ticks(atMost: 8)
                    #expect((1...9).contains(ticks.count), "\(span) s: \(ticks.map(\.label))")
                    #expect(zip(ticks, ticks.dropFirst()).allSatisfy { $0.position < $1.position })
                    #expect(Set(ticks.map(\.label)).count == ticks.count)
                }
            }
        }
    }

    @Test func `a picture's time axis has two ticks at least, however short or narrow`() throws {
        for width in [320, 400, 640] {
            for seconds in [0.3, 0.99, 1.7, 4.1, 8.1, 9.9, 59, 61, 300, 3599, 3601, 20_000, 86_399] {
                let period = seconds / 40
                let panel = try SpectrogramPanel(
                    matrix: Sample.tone(rows: 40, bins: 10, bright: []), axis: .coefficients, framePeriod: period,
                    firstFrameTime: 0.13 * seconds, title: "")
                let style = try PictureStyle(width: width, height: 200)
                let layout = try Sample.picture(panels: [panel], style: style).drawn().layout
                #expect(layout.timeTicks.count > 1, "\(width) pixels, \(seconds) s: \(layout.timeTicks.map(\.label))")
            }
        }
    }

    @Test func `the name of a low vertical axis still says the unit, in whole words`() throws {
        let warp = FrequencyWarp(name: "mel scale", value: { $0 }, hertz: { $0 })
        let scale = try BinScale(
            .frequencies(Sample.linear(bins: 10, top: 9000)), bins: 10, display: .warped(warp), spacing: 0.2)
        #expect(scale.labels == ["Frequency (Hz), mel scale", "Frequency (Hz)", "Hz"])
    }

    @Test func `times from two minutes on read minutes and seconds`() {
        let long = TimeAxis(frames: 30_000, framePeriod: 0.01, firstFrameTime: 0)
        #expect(long.label == "Time (min:s)")
        #expect(long.ticks(atMost: 6).map(\.label) == ["0:00", "1:00", "2:00", "3:00", "4:00"])
        let short = TimeAxis(frames: 300, framePeriod: 0.01, firstFrameTime: 0)
        #expect(short.label == "Time (s)")
        #expect(short.ticks(atMost: 3).map(\.label) == ["0", "1", "2"])
    }

    @Test func `a tick at a frame's time is at the middle of the frame`() throws {
        let axis = TimeAxis(frames: 10, framePeriod: 1, firstFrameTime: 3)
        let tick = try #require(axis.ticks(atMost: 10).first)
        #expect(tick == AxisTick(position: 0.05, label: "3"))
    }
}
