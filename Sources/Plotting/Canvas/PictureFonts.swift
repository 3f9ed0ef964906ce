/// The fonts that pictures take their letters from.
package enum PictureFonts {
    /// What to tell the user of a system without any font, whose pictures have no text; nil: there are fonts.
    package static var warning: String? {
        guard !FontFallback.hasFonts else { return nil }
        #if canImport(Darwin)
            let remedy = "install one, such as DejaVu Sans ('brew install --cask font-dejavu')"
        #else
            let remedy = "install one, such as the package fonts-dejavu-core on Debian and Ubuntu"
        #endif
        return "no font was found, so the picture has no text: \(remedy)"
    }
}
