/// Makes equal pictures equal SVG texts, and their images sharp.
///
/// Cairo numbers surfaces and images by a counter of the process, so that a picture has other ids when it is drawn again. Cairo
/// 1.16 also omits that an image must not be smoothed.
enum StableSVG {
    /// The text with every numbered id, and what refers to it, counted from 0 in its order, and sharp images.
    static func text(_ svg: [UInt8]) -> [UInt8] {
        let names = newNames(svg)
        var result: [UInt8] = []
        result.reserveCapacity(svg.count + 256)
        var index = 0
        while index < svg.count {
            let byte = svg[index]
            result.append(byte)
            index += 1
            guard byte == hash || (byte == quote && ends(svg, before: index, in: idMark)) else {
                if byte == space, ends(svg, before: index, in: imageMark) { result.append(contentsOf: sharp) }
                continue
            }
            guard let name = numberedName(svg, from: index), let new = names[name] else { continue }
            result.append(contentsOf: new)
            index += name.count
        }
        return result
    }

    private static let quote = UInt8(ascii: "\"")
    private static let hash = UInt8(ascii: "#")
    private static let space = UInt8(ascii: " ")
    private static let idMark = Array(" id=\"".utf8)
    private static let imageMark = Array("<image ".utf8)
    private static let sharp = Array("style=\"image-rendering:pixelated\" ".utf8)

    private static func newNames(_ svg: [UInt8]) -> [[UInt8]: [UInt8]] {
        var names: [[UInt8]: [UInt8]] = [:]
        var counts: [[UInt8]: Int] = [:]
        for index in svg.indices where svg[index] == quote && ends(svg, before: index + 1, in: idMark) {
            guard let name = numberedName(svg, from: index + 1), names[name] == nil else { continue }
            let prefix = Array(name.prefix { !isDigit($0) })
            names[name] = prefix + Array("\(counts[prefix, default: 0])".utf8)
            counts[prefix, default: 0] += 1
        }
        return names
    }

    private static func ends(_ svg: [UInt8], before index: Int, in mark: [UInt8]) -> Bool {
        index >= mark.count && svg[index - mark.count..<index].elementsEqual(mark)
    }

    /// Letters and the digits after them; nil: not both are there.
    private static func numberedName(_ svg: [UInt8], from index: Int) -> [UInt8]? {
        var end = index
        while end < svg.count, isLetter(svg[end]) { end += 1 }
        let digits = end
        while end < svg.count, isDigit(svg[end]) { end += 1 }
        return digits > index && end > digits ? Array(svg[index..<end]) : nil
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
