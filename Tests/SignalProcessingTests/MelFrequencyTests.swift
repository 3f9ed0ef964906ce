import FeatureModel
import SignalProcessing
import Testing

struct MelFrequencyTests {
    @Test func `Slaney's scale at known points`() {
        #expect(MelScale.slaney.mel(fromHertz: 0) == 0)
        #expect(abs(MelScale.slaney.mel(fromHertz: 500) - 7.5) < 1e-12)
        #expect(abs(MelScale.slaney.mel(fromHertz: 1000) - 15) < 1e-12)
        // 27 steps above the break are a factor of 6.4.
        #expect(abs(MelScale.slaney.mel(fromHertz: 6400) - 42) < 1e-12)
        #expect(abs(MelScale.slaney.hertz(fromMel: 42) - 6400) < 1e-9)
    }

    @Test func `HTK's scale at known points`() {
        #expect(MelScale.htk.mel(fromHertz: 0) == 0)
        // 2595 · log₁₀(17/7)
        #expect(abs(MelScale.htk.mel(fromHertz: 1000) - 999.985_537_139_8) < 1e-9)
        // 2595 · log₁₀(2)
        #expect(abs(MelScale.htk.mel(fromHertz: 700) - 781.172_838_748) < 1e-9)
        #expect(abs(MelScale.htk.hertz(fromMel: 2595) - 6300) < 1e-9)
    }

    @Test(arguments: MelScale.allCases)
    func `Hz to mel and mel to Hz are inverses, and increase`(scale: MelScale) {
        var last = -1.0
        for step in 0...4000 {
            let frequency = Double(step) * 12.5
            let mel = scale.mel(fromHertz: frequency)
            #expect(mel > last, "\(frequency) Hz")
            #expect(abs(scale.hertz(fromMel: mel) - frequency) <= 1e-12 * max(frequency, 1), "\(frequency) Hz")
            last = mel
        }
    }
}
