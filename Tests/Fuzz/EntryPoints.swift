import Foundation

/// What `VEERY_FUZZ_TARGET` names. Without it, or with another name, the names are printed and the program ends.
private let target: FuzzTarget = {
    if let target = ProcessInfo.processInfo.environment["VEERY_FUZZ_TARGET"].flatMap(FuzzTarget.init(rawValue:)) {
        return target
    }
    for target in FuzzTarget.allCases { print(target.rawValue) }
    exit(0)
}()

/// libFuzzer calls this once, before anything else.
@_cdecl("LLVMFuzzerInitialize")
func initialize(_ count: UnsafeMutableRawPointer?, _ arguments: UnsafeMutableRawPointer?) -> CInt {
    _ = target
    return 0
}

/// libFuzzer calls this with every input.
@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
    target.take(UnsafeRawBufferPointer(start: start, count: count))
    return 0
}
