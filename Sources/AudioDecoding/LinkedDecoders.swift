import CKernels
import CPlatform
import Platform

/// The names and versions of libsndfile's decoders, as they report them.
///
/// libsndfile passes none of it on, so their functions are looked up by name, among those of all libraries that the program was
/// loaded with. Where that finds nothing, as with a libsndfile that its decoders are part of, names alone are known, and of mpg123
/// what it chooses on this processor.
package enum LinkedDecoders {
    /// mpg123, and the kind of processor that it decodes for here: its decoder for AVX gives other last digits than the one for
    /// SSE.
    package static var mpg123: String {
        typealias New = @convention(c) (UnsafePointer<CChar>?, UnsafeMutablePointer<CInt>?) -> OpaquePointer?
        typealias Current = @convention(c) (OpaquePointer) -> UnsafePointer<CChar>?
        typealias Delete = @convention(c) (OpaquePointer) -> Void
        var decoder = decoderByProcessor
        if let new = function("mpg123_new", New.self), let current = function("mpg123_current_decoder", Current.self),
            let delete = function("mpg123_delete", Delete.self), let handle = new(nil, nil)
        {
            if let name = current(handle) { decoder = String(cString: name) }
            delete(handle)
        }
        if let version = mpg123Version { return "mpg123 \(version) for \(decoder)" }
        return "mpg123 for \(decoder)" + (mpg123File.map { " (\($0))" } ?? "")
    }

    /// libvorbis.
    package static var vorbis: String { text("vorbis_version_string") ?? "libvorbis" }

    /// libopus.
    package static var opus: String { text("opus_get_version_string") ?? "libopus" }

    /// What mpg123 chooses, by its names.
    private static var decoderByProcessor: String {
        #if arch(x86_64)
            veery_processor_has(VEERY_AVX) != 0 ? "AVX" : "x86-64"
        #else
            "this architecture"
        #endif
    }

    /// Its version, which it reports from 1.32 on.
    private static var mpg123Version: String? {
        typealias Version =
            @convention(c) (
                UnsafeMutablePointer<CUnsignedInt>?, UnsafeMutablePointer<CUnsignedInt>?,
                UnsafeMutablePointer<CUnsignedInt>?
            ) -> UnsafePointer<CChar>?
        return function("mpg123_distversion", Version.self)?(nil, nil, nil).map { String(cString: $0) }
    }

    /// The name of its file, `libmpg123.so.0.47.0`, which distinguishes older versions.
    private static var mpg123File: String? {
        guard let address = veery_loaded_function("mpg123_new"), let path = veery_loaded_file(address),
            let file = realpath(path, nil)
        else { return nil }
        defer { free(file) }
        return String(cString: file).split(separator: "/").last.map(String.init)
    }

    /// What a function without arguments says.
    private static func text(_ name: String) -> String? {
        typealias Text = @convention(c) () -> UnsafePointer<CChar>?
        return function(name, Text.self)?().map { String(cString: $0) }
    }

    private static func function<Function>(_ name: String, _ type: Function.Type) -> Function? {
        veery_loaded_function(name).map { unsafeBitCast($0, to: type) }
    }
}
