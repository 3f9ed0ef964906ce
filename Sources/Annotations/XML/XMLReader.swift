import CExpat

/// What an XML file holds, in the order of its text.
protocol XMLEvents: AnyObject {
    func start(_ element: String, line: Int)
    func end(_ element: String, line: Int)
    /// Text between tags, in pieces.
    func text(_ text: String)
}

/// Why an XML file cannot be read.
struct XMLProblem: Error {
    /// From 1.
    let line: Int
    let text: String
}

/// Expat's parser. A file that declares a document type, and with it entities, is refused.
struct XMLReader: ~Copyable {
    private let parser: XML_Parser
    /// Maximum depth of elements.
    private static let maximumDepth = 64

    init() throws(XMLProblem) {
        guard let parser = XML_ParserCreate(nil) else {
            throw XMLProblem(line: 1, text: "there is no memory to read it with")
        }
        self.parser = parser
    }

    deinit { XML_ParserFree(parser) }

    /// Reads a whole file.
    ///
    /// - Throws: `XMLProblem` at the first error.
    func read(_ bytes: [UInt8], into events: any XMLEvents) throws(XMLProblem) {
        let state = State(events, parser)
        // Expat keeps the pointer until the last call of this function alone.
        XML_SetUserData(parser, Unmanaged.passUnretained(state).toOpaque())
        XML_SetElementHandler(
            parser,
            { data, name, _ in
                guard let state = State.of(data), let name else { return }
                state.depth += 1
                guard state.depth <= XMLReader.maximumDepth else {
                    return state.stop("its elements are nested deeper than \(XMLReader.maximumDepth)")
                }
                state.events.start(String(cString: name), line: state.line)
            },
            { data, name in
                guard let state = State.of(data), let name else { return }
                state.depth -= 1
                state.events.end(String(cString: name), line: state.line)
            })
        XML_SetCharacterDataHandler(parser) { data, text, count in
            guard let state = State.of(data), let text, count > 0 else { return }
            let bytes = UnsafeRawBufferPointer(start: text, count: Int(count))
            state.events.text(String(decoding: bytes, as: UTF8.self))
        }
        XML_SetStartDoctypeDeclHandler(parser) { data, _, _, _, _ in
            State.of(data)?.stop("it declares a document type; expected plain elements")
        }
        let status = withExtendedLifetime(state) {
            bytes.withUnsafeBufferPointer { bytes in
                bytes.withMemoryRebound(to: CChar.self) { XML_Parse(parser, $0.baseAddress, Int32($0.count), 1) }
            }
        }
        if let problem = state.problem { throw problem }
        guard status == XML_STATUS_OK else {
            let words = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) } ?? "unknown error"
            throw XMLProblem(line: state.line, text: "it is not valid XML: \(words)")
        }
    }

    /// What the callbacks need.
    private final class State {
        let events: any XMLEvents
        private let parser: XML_Parser
        var depth = 0
        var problem: XMLProblem?

        init(_ events: any XMLEvents, _ parser: XML_Parser) { (self.events, self.parser) = (events, parser) }

        static func of(_ data: UnsafeMutableRawPointer?) -> State? {
            data.map { Unmanaged<State>.fromOpaque($0).takeUnretainedValue() }
        }

        var line: Int { Int(XML_GetCurrentLineNumber(parser)) }

        func stop(_ text: String) {
            guard problem == nil else { return }
            problem = XMLProblem(line: line, text: text)
            XML_StopParser(parser, XML_Bool(XML_FALSE))
        }
    }
}
