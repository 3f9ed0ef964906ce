import CVeery

// The functions of `veery.h` for streams. The header documents them.

@_cdecl("veery_stream_create")
package func createStream(
    _ plan: UnsafeRawPointer?, _ sampleRate: UInt32, _ stream: UnsafeMutablePointer<Handle?>?,
    _ error: UnsafeMutablePointer<veery_error>?
) -> Int32 {
    settingUp(error) { () throws(InterfaceError) in
        let handle = try object("plan", plan, of: PlanHandle.self)
        let result = try target("stream", stream)
        let rate = try rate(sampleRate) ?? handle.sampleRate
        let resampling = rate == handle.sampleRate ? 0 : handle.need.resampling
        result.pointee = try claiming(handle.need.workspace + resampling) { () throws(InterfaceError) in
            Unmanaged.passRetained(try StreamHandle(handle, rate: rate)).toOpaque()
        }
    }
}

@_cdecl("veery_stream_destroy")
package func destroyStream(_ stream: Handle?) {
    if let stream { Unmanaged<StreamHandle>.fromOpaque(stream).release() }
}

@_cdecl("veery_stream_push")
package func pushToStream(
    _ stream: UnsafeRawPointer?, _ samples: UnsafePointer<Float>?, _ count: Int,
    _ available: UnsafeMutablePointer<Int>?, _ error: UnsafeMutablePointer<veery_error>?
) -> Int32 {
    withStream(stream, available, error) { handle throws(InterfaceError) in
        try handle.push(numbers("samples", samples, count: count))
    }
}

@_cdecl("veery_stream_flush")
package func flushStream(
    _ stream: UnsafeRawPointer?, _ available: UnsafeMutablePointer<Int>?, _ error: UnsafeMutablePointer<veery_error>?
) -> Int32 {
    withStream(stream, available, error) { handle throws(InterfaceError) in try handle.flush() }
}

@_cdecl("veery_stream_finish")
package func finishStream(
    _ stream: UnsafeRawPointer?, _ available: UnsafeMutablePointer<Int>?, _ error: UnsafeMutablePointer<veery_error>?
) -> Int32 {
    withStream(stream, available, error) { handle throws(InterfaceError) in try handle.finish() }
}

@_cdecl("veery_stream_read")
package func readFromStream(
    _ stream: UnsafeRawPointer?, _ features: UnsafeMutablePointer<Float>?, _ capacity: Int,
    _ rows: UnsafeMutablePointer<Int>?, _ error: UnsafeMutablePointer<veery_error>?
) -> Int32 {
    withStream(stream, nil, error) { handle throws(InterfaceError) in
        let result = try target("rows", rows)
        try requireSize("capacity", capacity)
        try requireCapacity(capacity, rowsOf: handle.handle.columns)
        result.pointee = try handle.read(into: features, capacity: capacity)
    }
}

@_cdecl("veery_stream_reset")
package func resetStream(_ stream: UnsafeRawPointer?, _ error: UnsafeMutablePointer<veery_error>?) -> Int32 {
    withStream(stream, nil, error) { handle throws(InterfaceError) in try handle.reset() }
}

private func withStream(
    _ stream: UnsafeRawPointer?, _ available: UnsafeMutablePointer<Int>?, _ error: UnsafeMutablePointer<veery_error>?,
    _ body: (StreamHandle) throws(InterfaceError) -> Void
) -> Int32 {
    reporting(error) { () throws(InterfaceError) in
        let handle = try object("stream", stream, of: StreamHandle.self)
        try handle.exclusively { () throws(InterfaceError) in
            try body(handle)
            available?.pointee = handle.available
        }
    }
}
