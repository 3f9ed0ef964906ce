import CFontconfig
import Platform

/// The fonts that are installed with the program, in `share/veery/fonts` next to the folder of the executable.
///
/// A system that has fonts uses those, so that pictures look as its user wants them to.
enum BundledFonts {
    private static let names = ["DejaVuSans.ttf", "DejaVuSans-Bold.ttf"]

    /// Makes the fonts known to Fontconfig, and so to Cairo, if the system has no configuration of fonts.
    ///
    /// Fontconfig would print an error about the missing configuration, so it is given an empty one. Call this before any
    /// other function of Fontconfig.
    static func useIfNeeded() {
        guard !hasSystemConfiguration, let fonts = fonts(), let configuration = FcConfigCreate() else { return }
        for font in fonts { FcConfigAppFontAddFile(configuration, font) }
        FcConfigSetCurrent(configuration)
    }

    /// Adds the fonts to those of the system. For a system that has a configuration, but no font.
    ///
    /// - Returns: Whether a font was added.
    static func add() -> Bool {
        guard let fonts = fonts() else { return false }
        return fonts.reduce(false) { FcConfigAppFontAddFile(nil, $1) == FcTrue || $0 }
    }

    private static var hasSystemConfiguration: Bool {
        getenv("FONTCONFIG_FILE") != nil || getenv("FONTCONFIG_PATH") != nil
            || access("/etc/fonts/fonts.conf", R_OK) == 0
    }

    /// The paths of the fonts; nil: none is installed with this executable.
    private static func fonts() -> [String]? {
        guard let executable = executablePath(), let folder = folder(forExecutable: executable) else { return nil }
        let found = names.map { folder + "/" + $0 }.filter { access($0, R_OK) == 0 }
        return found.isEmpty ? nil : found
    }

    /// `/opt/share/veery/fonts` for `/opt/bin/veery`.
    static func folder(forExecutable path: String) -> String? {
        let parts = path.split(separator: "/")
        guard path.hasPrefix("/"), parts.count >= 2 else { return nil }
        return parts.dropLast(2).map { "/" + $0 }.joined() + "/share/veery/fonts"
    }

    /// The path of the running program, without symbolic links; nil where the system does not say.
    private static func executablePath() -> String? {
        #if os(Linux)
            guard let path = realpath("/proc/self/exe", nil) else { return nil }
            defer { free(path) }
            return String(cString: path)
        #else
            nil
        #endif
    }
}
