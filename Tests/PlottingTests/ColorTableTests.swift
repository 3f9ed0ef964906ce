import Foundation
import TestSupport
import Testing

@testable import Plotting

struct ColorTableTests {
    private struct Golden: Decodable {
        let viridis: [String]
        let magma: [String]
        let inferno: [String]
        let cividis: [String]
        let falseColor: [String]
    }

    @Test func `tables equal the golden tables entry by entry`() throws {
        let golden = try Fixtures.golden("plotting-colors.json", as: Golden.self)
        func hex(_ table: ColorTable) -> [String] { table.entries.map { String(format: "#%06x", $0.hex) } }
        #expect(hex(.viridis) == golden.viridis)
        #expect(hex(.magma) == golden.magma)
        #expect(hex(.inferno) == golden.inferno)
        #expect(hex(.cividis) == golden.cividis)
        #expect(hex(.falseColor) == golden.falseColor)
    }

    @Test func `tables start and end with their published colours`() {
        #expect(ColorTable.viridis.color(0).hex == 0x440154)
        #expect(ColorTable.viridis.color(1).hex == 0xFDE725)
        #expect(ColorTable.magma.color(0).hex == 0x000004)
        #expect(ColorTable.magma.color(1).hex == 0xFCFDBF)
        #expect(ColorTable.inferno.color(0).hex == 0x000004)
        #expect(ColorTable.inferno.color(1).hex == 0xFCFFA4)
        #expect(ColorTable.cividis.color(1).hex == 0xFEE838)
        #expect(ColorTable.grey.color(0).hex == 0x000000)
        #expect(ColorTable.grey.color(1).hex == 0xFFFFFF)
        #expect(ColorTable.greyInverted.color(0).hex == 0xFFFFFF)
        #expect(ColorTable.greyInverted.color(1).hex == 0x000000)
        #expect(ColorTable.falseColor.color(0).hex == 0x000000)
        #expect(ColorTable.falseColor.color(1).hex == 0x00FF00)
    }

    @Test func `false colour goes from dark blue through red to full green`() {
        let low = ColorTable.falseColor.entries[16]
        #expect(low.blue > 50 && low.blue < 80 && low.green == 0 && low.red < 20)
        let middle = ColorTable.falseColor.entries[127]
        #expect(middle.red == UInt8(255 * (127.0 / 255).squareRoot()) && middle.green < 5 && middle.blue < 5)
    }

    @Test func `every table has 256 entries, and its colour for faults is unlike all of them`() {
        for table in ColorTable.allCases {
            #expect(table.entries.count == 256)
            let distances = table.entries.map { entry in
                let pairs = [
                    (entry.red, table.invalid.red), (entry.green, table.invalid.green),
                    (entry.blue, table.invalid.blue),
                ]
                return pairs.map { abs(Int($0) - Int($1)) }.max() ?? 0
            }
            #expect(distances.min() ?? 0 >= 40, "\(table)")
        }
    }

    @Test func `fractions are rounded to the nearest entry and clamped`() {
        let grey = ColorTable.grey
        #expect(grey.color(0.5).red == 128)
        #expect(grey.color(100.4 / 255).red == 100)
        #expect(grey.color(100.6 / 255).red == 101)
        #expect(grey.color(-3) == grey.color(0))
        #expect(grey.color(.infinity) == grey.color(1))
        #expect(grey.color(.nan) == grey.invalid)
    }

    @Test func `the false colours' range is that of a full-scale sample over 1024`() {
        #expect(ColorTable.falseColorRange.lowerBound == 0)
        #expect(ColorTable.falseColorRange.upperBound == Float(20 * log10(32767.0 / 1024)))
        let scale = ValueScale(ColorTable.falseColorRange)
        #expect(scale.index(of: 0) == 0)
        #expect(scale.index(of: Double(ColorTable.falseColorRange.upperBound)) == 255)
        #expect(scale.index(of: -20) == 0)
        #expect(scale.index(of: 60) == 255)
    }

    @Test func `tables are named as a command line names them`() {
        #expect(
            ColorTable.allCases.map(\.rawValue) == [
                "viridis", "magma", "inferno", "cividis", "grey", "grey-inverted", "false-color",
            ])
    }
}
