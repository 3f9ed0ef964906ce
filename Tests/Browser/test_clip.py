"""A clip: its picture, and what is heard of it."""

import base64
import io

import pytest
import soundfile
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys


def test_the_stored_features_are_drawn_then_the_recording(open_page, dataset):
    page = open_page(dataset)
    page.drawn()
    assert "80 bins" in page.run("return document.querySelector('.stage canvas').ariaLabel")
    page.keys("v", "v")
    page.drawn()
    page.wait(lambda: "256 points" in page.run("return document.querySelector('.stage canvas').ariaLabel"))
    page.keys("f")
    page.wait(lambda: "512 points" in page.run("return document.querySelector('.stage canvas').ariaLabel"))
    assert "picture=recording" in page.fragment


def test_the_cursor_says_time_frequency_and_value(open_page, dataset):
    page = open_page(dataset)
    page.drawn()
    ActionChains(page.driver).move_to_element(page.driver.find_element(By.CSS_SELECTOR, ".stage")).perform()
    page.wait(lambda: "Hz" in page.text(".readout"))
    assert " s · " in page.text(".readout") and "dB" in page.text(".readout")


def test_space_plays_to_the_end(open_page, dataset):
    page = open_page(dataset)
    page.drawn()
    page.keys(" ")
    sound = page.wait(lambda: page.sound if page.sound["time"] > 0.2 else None)
    assert sound["length"] == pytest.approx(1.2, abs=0.001)
    page.wait(lambda: page.sound["ended"])
    assert page.text("#play") == "▶ Play"


HEARD = """
window.heard = [];
const text = async (blob) => new Promise((resolve) => {
  const reader = new FileReader();
  reader.onload = () => resolve(reader.result.split(',')[1]);
  reader.readAsDataURL(blob);
});
const fetched = window.fetch, made = URL.createObjectURL;
window.fetch = async (path, options) => {
  const answer = await fetched(path, options);
  if (String(path).includes('sound.wav')) { answer.clone().blob().then(text).then((bytes) => window.heard.push(['fetched', path, bytes])); }
  return answer;
};
URL.createObjectURL = (blob) => { text(blob).then((bytes) => window.heard.push(['played', '', bytes])); return made(blob); };
"""


@pytest.mark.parametrize("kind", ["features", "manifest"])
def test_what_is_fetched_and_played_are_the_samples_of_the_clip(open_page, parts, kind):
    """The bytes that the browser fetches while it plays, and those that it plays, are the recording's, from the first sample to the last."""
    recorded, rate = soundfile.read(parts.with_name("long.wav"), dtype="float32")
    page = open_page(parts if kind == "features" else parts.with_name("manifest.csv"))
    page.run(HEARD)
    page.keys("j")
    assert page.title == "part2"
    page.keys(" ")
    page.wait(lambda: page.sound["ended"])
    page.wait(lambda: {kind for kind, _, _ in page.run("return heard")} == {"fetched", "played"})
    for kind, path, text in page.run("return heard"):
        samples, found = soundfile.read(io.BytesIO(base64.b64decode(text)), dtype="float32")
        assert (found, len(samples)) == (rate, rate), path
        assert (samples == recorded[2 * rate:3 * rate]).all(), (kind, path)


def test_space_pauses_and_goes_on(open_page, dataset):
    page = open_page(dataset)
    page.drawn()
    page.keys(",", ",", ",", " ")
    page.wait(lambda: page.sound["time"] > 0.1)
    page.keys(" ")
    stopped = page.sound
    assert stopped["paused"] and not stopped["ended"] and stopped["time"] > 0.1
    page.keys(" ")
    page.wait(lambda: page.sound["time"] > stopped["time"])


def test_a_selection_is_what_is_played(open_page, dataset):
    page = open_page(dataset)
    page.drawn()
    page.keys("t")
    page.run("for (const [id, value] of [['from', '0.25'], ['to', '0.75']]) { document.getElementById(`part-${id}`).value = value; }")
    page.keys(Keys.ENTER, "l", " ")
    page.wait(lambda: page.sound["time"] > 0)
    assert page.sound["length"] == pytest.approx(0.5, abs=0.001)
    assert "time=0.25,0.75" in page.fragment
    # It begins again at its end.
    page.wait(lambda: page.sound["time"] > 0.3)
    page.wait(lambda: page.sound["time"] < 0.2)
    assert not page.sound["paused"]
    page.keys("l")
    page.wait(lambda: page.sound["ended"])


def test_the_part_that_is_drawn_is_what_is_played(open_page, dataset):
    page = open_page(dataset)
    page.drawn()
    page.keys("+", " ")
    page.wait(lambda: page.sound["time"] > 0)
    assert page.sound["length"] == pytest.approx(0.6, abs=0.01)


def test_a_drag_selects_time_and_a_band(open_page, dataset):
    page = open_page(dataset)
    page.drawn()
    page.keys("v", "v")
    page.drawn()
    page.drag((0.3, 0.3), (0.6, 0.5))
    page.wait(lambda: "band" in page.fragment)
    assert "time=" in page.fragment and "is heard" in page.status
    page.keys(" ")
    page.wait(lambda: page.sound["time"] > 0.05)
    page.keys(Keys.ESCAPE, Keys.ESCAPE)
    assert "band" not in page.fragment and "time" not in page.fragment


def test_slow_sound_keeps_what_is_too_high_to_hear(open_page, dataset):
    """÷ 10 declares a tenth of the rate: the browser would drop the ultrasound before it slowed it down."""
    page = open_page(dataset)
    page.drawn()
    rates = page.driver.execute_async_script("""const done = arguments[0]; import('/sound.js').then(({ declaredRate }) =>
        done([[300000, 0.1], [8000, 0.1], [8000, 0.05], [44100, 1], [2000, 8], [192000, 8], [384000, 16]].map(([rate, speed]) => declaredRate(rate, speed))))""")
    assert rates == [30000, 3000, 3000, 44100, 16000, 192000, 192000]
    page.keys(",", ",", ",", " ")
    page.wait(lambda: page.sound["time"] > 0)
    assert page.sound["rate"] * 3000 / 8000 == pytest.approx(0.1)
    assert page.run("return document.getElementById('sound').preservesPitch") is False
    page.keys(*"......")
    page.wait(lambda: page.sound["length"] == pytest.approx(0.15, abs=0.001))


def test_a_speed_is_the_one_that_is_heard(open_page, dataset):
    """A browser plays from 1/16 to 16 times faster, and files of 3 kHz at least: both together are 1/20 of 8 kHz."""
    page = open_page(dataset)
    page.drawn()
    page.keys(*",,,,", " ")
    page.wait(lambda: page.sound["time"] > 0)
    assert page.text("#status").startswith("Slower: ÷ 20")
    assert page.sound["length"] / page.sound["rate"] == pytest.approx(1.2 * 20, rel=0.01)
    # Below 3,750 Hz it is not possible: what is played is said, and its band is at the frequencies that are heard.
    speeds = page.driver.execute_async_script("""const done = arguments[0]; import('/sound.js').then(({ possibleSpeed, speedText }) =>
        done([[8000, 0.05], [3750, 0.05], [1000, 0.05], [1000, 0.5], [384000, 16], [44100, 2]].map(([rate, speed]) => speedText(possibleSpeed(rate, speed)))))""")
    assert speeds == ["÷ 20", "÷ 20", "÷ 5.3", "÷ 2", "× 8", "× 2"]


@pytest.mark.parametrize("rate", [3000, 192000])
def test_a_browser_takes_the_rates_that_are_declared(open_page, dataset, rate):
    page = open_page(dataset)
    page.keys("j")
    script = """const [rate, done] = arguments; import('/sound.js').then(async ({ Player }) => {
      const element = document.createElement('audio');
      const format = new Uint8Array(new Uint32Array([0x20746d66, 16, 0x10003, rate, rate * 4, 0x200004]).buffer);
      const wave = { rate, channels: 1, frameBytes: 4, format, data: new Uint8Array(rate * 4) };
      await new Player(element, () => {}).play({}, { wave, firstTime: 0 }, 0, 1);
      done([element.duration, element.currentTime >= 0]); }).catch((error) => done([error.message]))"""
    assert page.driver.execute_async_script(script, rate) == [pytest.approx(1, abs=0.01), True]


def test_the_line_follows_the_media_clock(open_page, dataset):
    page = open_page(dataset)
    page.drawn()
    page.keys(",", " ")
    page.wait(lambda: page.sound["time"] > 0.3)
    page.keys(" ")
    # Half as fast: the copy that is played lasts twice as long as the clip, 1.2 s.
    page.wait(lambda: abs(float(page.text("#clock").split()[0]) - page.sound["time"] * 1.2 / page.sound["length"]) < 0.03)


def test_context_comes_before_and_after(open_page, parts):
    page = open_page(parts)
    page.keys("j")
    page.drawn()
    page.keys("v", "v", "c", "c")
    page.wait(lambda: "Context of 2 s" in page.status)
    page.drawn()
    page.keys(Keys.ENTER)
    page.wait(lambda: page.sound["time"] > 0)
    assert page.sound["length"] == pytest.approx(5, abs=0.001)
    assert float(page.text("#clock").split()[0].replace("−", "-")) == pytest.approx(page.sound["time"] - 2, abs=0.3)
    # The first clip has no sound before it.
    page.keys("k")
    page.drawn()
    page.keys(" ")
    page.wait(lambda: page.sound["length"] == pytest.approx(3, abs=0.001))


def test_annotations_are_those_of_the_part(open_page, parts, serve):
    """Times of a table are those of the recording; the page has those of the clip."""
    table = parts.with_name("boxes.csv")
    table.write_text("file,start,end,low,high,label\nlong.wav,2.25,2.75,1000,1400,call\nlong.wav,0.5,0.75,400,600,song\n")
    page = open_page(serve(parts, "--annotations", table))
    page.keys("j")
    page.drawn()
    found = page.driver.execute_async_script("fetch('/api/clips/1').then((answer) => answer.json()).then(arguments[0])")["annotations"]
    assert [(one["label"], round(one["start"], 3), round(one["end"], 3)) for one in found if one["label"] == "call"] == [("call", 0.25, 0.75)]


def test_a_part_inside_a_clip_is_asked_for_alone(open_page, parts):
    """Zoomed in, only what is drawn is computed: before and after are then negative."""
    page = open_page(parts)
    page.drawn()
    page.keys("v", "v")
    page.drawn()
    page.keys("+", "+")
    asked = "return performance.getEntriesByType('resource').map((one) => one.name).filter((name) => name.includes('spectrogram')).pop()"
    page.wait(lambda: "before=-0.375" in (page.run(asked) or "") and "after=-0.375" in page.run(asked))
    page.keys("w")
    page.wait(lambda: "before=0.000000&after=0.000000" in page.run(asked).replace("-0.000000", "0.000000"))


def test_normalised_features_are_drawn_without_it(open_page, parts):
    page = open_page(parts)
    page.drawn()
    assert "zscore of" in page.run("return document.querySelector('.stage canvas').ariaLabel")
    page.keys("v")
    page.drawn()
    assert "zscore of" not in page.run("return document.querySelector('.stage canvas').ariaLabel")


def test_two_clips(open_page, dataset):
    page = open_page(dataset)
    page.keys("p")
    titles = "return [...document.querySelectorAll('.pane h2')].map((title) => title.textContent)"
    assert page.run(titles) == ["clip01", "clip00"]
    page.keys("x", " ")
    page.wait(lambda: page.sound["length"] == pytest.approx(1.2, abs=0.001))
    page.keys("x", " ")
    page.wait(lambda: page.sound["length"] == pytest.approx(0.6, abs=0.001))
    assert "other=clip00" in page.fragment
    page.keys("p")
    assert page.run(titles) == ["clip01"]


def test_autoplay(open_page, dataset):
    page = open_page(dataset)
    page.keys("o", "j")
    page.wait(lambda: page.sound["time"] > 0)


def test_a_wave_file_is_cut_to_the_sample(open_page, dataset):
    page = open_page(dataset)
    script = """const done = arguments[0];
      Promise.all([import('/sound.js'), fetch('/api/clips/0/sound.wav').then((answer) => answer.arrayBuffer())]).then(async ([{ parseWave }, buffer]) => {
        const wave = parseWave(buffer);
        done([wave.rate, wave.channels, wave.data.length / wave.frameBytes]); });"""
    assert page.driver.execute_async_script(script) == [8000, 1, 9600]


BAND = """
const done = arguments[0];
(async () => {
  const { Player, parseWave } = await import('/sound.js');
  const answer = await fetch('/api/clips/0/sound.wav');
  const wave = parseWave(await answer.arrayBuffer());
  const player = new Player(document.createElement('audio'), () => {});
  player.setLoop(true);
  // How far 500 Hz is above 1,500 Hz; asked until it is as expected, at most 10 s.
  const levels = async (band, isExpected) => {
    player.setBand(band);
    const analyser = new AnalyserNode(player.context, { fftSize: 4096 });
    (band ? player.low[1] : player.source).connect(analyser);
    const data = new Float32Array(analyser.frequencyBinCount);
    const at = (hz) => Math.max(...data.subarray(Math.round(hz * 4096 / player.context.sampleRate) - 2, Math.round(hz * 4096 / player.context.sampleRate) + 3));
    let difference = NaN, before = NaN;
    for (let trial = 0; trial < 200 && !isExpected(difference, before); trial += 1) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      before = difference;
      analyser.getFloatFrequencyData(data);
      difference = at(500) - at(1500);
    }
    analyser.disconnect();
    return difference;
  };
  await player.play({}, { wave, firstTime: 0 }, 0, 1.2);
  player.setBand([1, 2]);
  const everything = await levels(null, (difference, before) => difference > 20 && Math.abs(difference - before) < 1);
  done([everything, await levels([1000, 3000], (difference) => difference < everything - 20)]);
})();
"""


def test_a_band_is_heard_alone(open_page, dataset):
    """The tone of 500 Hz is far above the noise at 1,500 Hz; through a band that begins at 1 kHz it loses at least 20 dB."""
    page = open_page(dataset)
    page.keys("j")
    everything, band = page.driver.execute_async_script(BAND)
    assert everything > 20
    assert band < everything - 20
