import CVeery
import FeatureModel
import Resampling
import SignalProcessing

// The functions of `veery.h` that need no handle. The header documents them.

@_cdecl("veery_interface_version")
package func interfaceVersion() -> Int32 { VEERY_INTERFACE_VERSION }

@_cdecl("veery_version")
package func version(_ text: UnsafeMutablePointer<CChar>?, _ capacity: Int) -> Int {
    write(VeeryVersion.number, to: text, capacity: capacity)
}

@_cdecl("veery_library_versions")
package func libraryVersions(_ text: UnsafeMutablePointer<CChar>?, _ capacity: Int) -> Int {
    write("\(transformLibraryVersion()), \(resamplingLibraryVersion())", to: text, capacity: capacity)
}

@_cdecl("veery_preset_count")
package func presetCount() -> Int { Preset.allCases.count }

@_cdecl("veery_preset_name")
package func presetName(_ index: Int, _ text: UnsafeMutablePointer<CChar>?, _ capacity: Int) -> Int {
    write(preset(index)?.rawValue ?? "", to: text, capacity: capacity)
}

@_cdecl("veery_preset_summary")
package func presetSummary(_ index: Int, _ text: UnsafeMutablePointer<CChar>?, _ capacity: Int) -> Int {
    write(preset(index)?.summary ?? "", to: text, capacity: capacity)
}

private func preset(_ index: Int) -> Preset? {
    Preset.allCases.indices.contains(index) ? Preset.allCases[index] : nil
}
