import ClipSpool
import FeatureModel
import Testing

struct InPlaceRowsPossibleTests {
    @Test func `rows are written in place only if they are stored as they are computed`() throws {
        for scope in NormalizeConfiguration.Scope.allCases {
            for layout in StoreConfiguration.Layout.allCases {
                for element in StoreConfiguration.Element.allCases {
                    for compression in StoreConfiguration.Compression.allCases {
                        let configuration = try FeatureConfiguration(
                            audio: AudioConfiguration(sampleRate: 8000, duration: layout == .fixed ? 1 : nil),
                            frame: FrameConfiguration(), transform: .mel(MelConfiguration(bins: 12, high: 4000)),
                            scale: ScaleConfiguration(), normalize: NormalizeConfiguration(scope: scope),
                            store: StoreConfiguration(layout: layout, element: element, compression: compression))
                        let isPlain =
                            scope == .none && layout == .packed && element == .float32 && compression == .none
                        #expect(InPlaceRows.isPossible(configuration) == isPlain)
                    }
                }
            }
        }
    }
}
