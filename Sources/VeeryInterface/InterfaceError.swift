import CPlatform
import CVeery
import FeatureModel
import SignalProcessing

/// Why a function of the C interface failed.
struct InterfaceError: Error {
    let status: Status
    /// A sentence for a person.
    let text: String

    /// The codes of `veery.h`.
    enum Status: Int32 {
        case invalidArgument = 1
        case unknownPreset, invalidConfiguration, notFinite, overflow, bufferTooSmall, needsStatistics, streamFailed
        case busy, outOfMemory, libraryFailed, notUnitScale
    }

    init(_ status: Status, _ text: @autoclosure () -> String) {
        self.status = status
        self.text =
            veery_memory_is_left(0) != 0 ? text() : "no memory is left for a sentence that says more than the code does"
    }

    /// - Parameter constant: A text that takes no memory.
    private init(_ status: Status, constant: String) { (self.status, text) = (status, constant) }

    /// The error of the interface for an error of another module.
    init(_ error: any Error) {
        switch error {
        case let error as InterfaceError: self = error
        case let error as ConfigurationError: self.init(.invalidConfiguration, error.description)
        case let error as SignalError where error.isSystemFault: self.init(.outOfMemory, error.description)
        case let failure as ClipFailure:
            switch failure {
            case .ratesTooFarApart, .rateOutOfRange: self.init(.invalidArgument, failure.reason)
            default: self.init(.libraryFailed, failure.reason)
            }
        default: self.init(.libraryFailed, "\(error)")
        }
    }

    static func null(_ name: String) -> Self { Self(.invalidArgument, "\(name): expected a pointer, found NULL") }

    static var outOfMemory: Self {
        Self(.outOfMemory, constant: "memory runs out: there is not as much as this call may need")
    }
    static var overflow: Self {
        Self(.overflow, constant: "the signal is so loud that its features exceed single precision")
    }
}

/// The result of a body, whose errors become those of the interface.
func converting<Value>(_ body: () throws -> Value) throws(InterfaceError) -> Value {
    do { return try body() } catch { throw InterfaceError(error) }
}

/// Runs the body of a function of the interface; returns the code of its result, and explains a failure in `error`.
func reporting(_ error: UnsafeMutablePointer<veery_error>?, _ body: () throws(InterfaceError) -> Void) -> Int32 {
    do throws(InterfaceError) {
        guard veery_stack_suffices() != 0 else { throw InterfaceError.outOfMemory }
        try body()
        return 0
    } catch let failure {
        if let error {
            error.pointee.status = failure.status.rawValue
            withUnsafeMutableBytes(of: &error.pointee.text) { text in
                _ = write(failure.text, to: text.assumingMemoryBound(to: CChar.self).baseAddress, capacity: text.count)
            }
        }
        return failure.status.rawValue
    }
}

/// Runs a body as `reporting` does, under the lock of the setup: it may initialise a type or constant that no earlier call used.
///
/// - Parameter bytes: The memory that it takes, without that of plans and streams.
func settingUp(
    _ error: UnsafeMutablePointer<veery_error>?, claiming bytes: Int = smallMemory,
    _ body: () throws(InterfaceError) -> Void
) -> Int32 {
    veery_lock_setup()
    defer { veery_unlock_setup() }
    return reporting(error) { () throws(InterfaceError) in try claiming(bytes, body) }
}

/// Writes as much of a text as fits, whole characters only, with a 0 at the end.
///
/// - Returns: The length of the text in bytes, without the 0.
func write(_ text: String, to target: UnsafeMutablePointer<CChar>?, capacity: Int) -> Int {
    let bytes = text.utf8
    // A size_t above the maximum of Int arrives as a negative number.
    let capacity = capacity < 0 ? .max : capacity
    guard let target, capacity > 0 else { return bytes.count }
    var end = bytes.startIndex
    var count = 0
    for character in text.unicodeScalars {
        let size = UTF8.width(character)
        guard count + size < capacity else { break }
        count += size
        end = bytes.index(end, offsetBy: size)
    }
    for (index, byte) in bytes[..<end].enumerated() { target[index] = CChar(bitPattern: byte) }
    target[count] = 0
    return bytes.count
}
