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
    writing(smallMemory, to: text, capacity: capacity) {
        [ownTransformVersion(), transformLibraryVersion(), resamplingLibraryVersion()].compactMap(\.self)
            .joined(separator: ", ")
    }
}

@_cdecl("veery_preset_count")
package func presetCount() -> Int {
    (try? claiming(smallMemory) { () throws(InterfaceError) in Preset.allCases.count }) ?? 0
}

@_cdecl("veery_preset_name")
package func presetName(_ index: Int, _ text: UnsafeMutablePointer<CChar>?, _ capacity: Int) -> Int {
    writing(MemoryNeed.setup, to: text, capacity: capacity) { preset(index)?.rawValue ?? "" }
}

@_cdecl("veery_preset_summary")
package func presetSummary(_ index: Int, _ text: UnsafeMutablePointer<CChar>?, _ capacity: Int) -> Int {
    writing(MemoryNeed.setup, to: text, capacity: capacity) { preset(index)?.summary ?? "" }
}

@_cdecl("veery_preset_aliases")
package func presetAliases(_ index: Int, _ text: UnsafeMutablePointer<CChar>?, _ capacity: Int) -> Int {
    writing(MemoryNeed.setup, to: text, capacity: capacity) {
        preset(index)?.aliases.map(\.text).joined(separator: "\n") ?? ""
    }
}

private func preset(_ index: Int) -> Preset? {
    Preset.allCases.indices.contains(index) ? Preset.allCases[index] : nil
}
