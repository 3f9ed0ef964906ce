/// Makes equal pictures equal SVG texts, and their images sharp.
///
/// Cairo numbers surfaces and images by a counter of the whole process, so the same picture has other ids when it is drawn
/// a second time. Cairo 1.16 does not write either that an image is not to be smoothed.
enum StableSVG {
    /// The text with every numbered id, and what refers to it, counted from 0 in its order, and sharp images.
    static func text(_ svg: [UInt8]) -> [UInt8] {
        let names = newNames(svg)
        var result: [UInt8] = []
        result.reserveCapacity(svg.count + 256)
        var place = 0
        while place < svg.count {
            let byte = svg[place]
            result.append(byte)
            place += 1
            guard byte == hash || (byte == quote && endsInMark(svg, before: place)) else {
                if byte == space, endsInImage(svg, before: place) { result.append(contentsOf: sharp) }
                continue
            }
            guard let name = numberedName(svg, from: place), let new = names[name] else { continue }
            result.append(contentsOf: new)
            place += name.count
        }
        return result
    }

    private static let quote = UInt8(ascii: "\"")
    private static let hash = UInt8(ascii: "#")
    private static let space = UInt8(ascii: " ")
    private static let idMark = Array(" id=\"".utf8)
    private static let imageMark = Array("<image ".utf8)
    private static let sharp = Array("style=\"image-rendering:pixelated\" ".utf8)

    /// The new name of each numbered id.
    private static func newNames(_ svg: [UInt8]) -> [[UInt8]: [UInt8]] {
        var names: [[UInt8]: [UInt8]] = [:]
        var counts: [[UInt8]: Int] = [:]
        for place in svg.indices where svg[place] == quote && endsInMark(svg, before: place + 1) {
            guard let name = numberedName(svg, from: place + 1), names[name] == nil else { continue }
            let prefix = Array(name.prefix { !isDigit($0) })
            names[name] = prefix + Array("\(counts[prefix, default: 0])".utf8)
            counts[prefix, default: 0] += 1
        }
        return names
    }

    private static func endsInMark(_ svg: [UInt8], before place: Int) -> Bool { ends(svg, before: place, in: idMark) }

    private static func endsInImage(_ svg: [UInt8], before place: Int) -> Bool {
        ends(svg, before: place, in: imageMark)
    }

    private static func ends(_ svg: [UInt8], before place: Int, in mark: [UInt8]) -> Bool {
        place >= mark.count && svg[place - mark.count..<place].elementsEqual(mark)
    }

    /// Letters and the digits after them; nil where there are not both.
    private static func numberedName(_ svg: [UInt8], from place: Int) -> [UInt8]? {
        var end = place
        while end < svg.count, isLetter(svg[end]) { end += 1 }
        let digits = end
        while end < svg.count, isDigit(svg[end]) { end += 1 }
        return digits > place && end > digits ? Array(svg[place..<end]) : nil
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
