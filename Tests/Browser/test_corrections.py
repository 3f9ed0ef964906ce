"""Corrections by keys: none is lost, each can be undone."""

import csv
import subprocess

import h5py
import pytest
from conftest import VEERY, clips, extract
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys


def leave(page):
    """The next page is opened without asking for what is not saved."""
    page.run("window.onbeforeunload = null; addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), { capture: true })")


def stored(dataset):
    """Clip, action and label of the lines in the file of corrections."""
    with dataset.with_name(f"{dataset.stem}.corrections.csv").open(newline="") as file:
        return [(line["id"], line["action"], line["label"]) for line in csv.DictReader(file)]


def saved(page):
    page.wait(lambda: page.text("#saved").startswith("Saved"))


def test_relabel_by_keys(open_page, dataset):
    page = open_page(dataset)
    page.keys("r", "hi", Keys.ENTER)
    assert page.column("Label")[0] == "high"
    assert "was low" in page.details
    saved(page)
    page.keys("j", "1")
    assert page.column("Label")[1] == "high"
    saved(page)
    page.open()
    assert page.column("Label")[:2] == ["high", "high"]


def test_a_new_label_only_on_purpose(open_page, dataset):
    page = open_page(dataset)
    page.keys("r", "thrush", Keys.ENTER)
    assert page.driver.find_elements(By.CSS_SELECTOR, "dialog[open]") != []
    page.keys(Keys.ESCAPE)
    assert page.column("Label")[0] == "low"
    page.keys("r", "thrush")
    page.chord(Keys.CONTROL, Keys.ENTER)
    assert page.column("Label")[0] == "thrush"
    saved(page)


def test_add_and_remove_labels(open_page, dataset):
    page = open_page(dataset)
    page.keys("a", "middle", Keys.ENTER)
    assert page.column("Label")[0] == "low, middle"
    page.keys("q", "low", Keys.ENTER)
    assert page.column("Label")[0] == "middle"
    page.keys("q")
    assert page.column("Label")[0] == ""
    saved(page)


def test_exclude_checked_and_note(open_page, dataset):
    page = open_page(dataset)
    page.keys("e")
    saved(page)
    assert "✕" in page.column("State")[0]
    page.keys("e")
    saved(page)
    assert page.column("State")[0] == ""
    page.keys("n", "wind noise", Keys.ENTER)
    saved(page)
    assert "wind noise" in page.details
    page.keys("m")
    assert page.title == "clip01"
    saved(page)
    assert page.column("State")[0] == "✓ ¶"
    page.choose("#filter-show", "noted")
    page.wait(lambda: page.column("Clip") == ["clip00"])


def test_undo_without_end_and_redo(open_page, dataset):
    page = open_page(dataset)
    page.keys("r", "high", Keys.ENTER)
    saved(page)
    page.keys("r", "middle", Keys.ENTER, "e", "u")
    saved(page)
    assert page.column("Label")[0] == "middle" and page.column("State")[0] == "✎"
    page.keys("u")
    assert page.column("Label")[0] == "high"
    page.chord(Keys.CONTROL, "z")
    assert page.column("Label")[0] == "low"
    page.keys("u")
    assert "Nothing is left to undo" in page.status
    page.keys("U")
    assert page.column("Label")[0] == "high"
    saved(page)
    page.open()
    assert page.column("Label")[0] == "high"
    page.keys("u")
    assert page.column("Label")[0] == "low"
    saved(page)


def test_all_clips_of_a_filter_at_once(open_page, dataset):
    page = open_page(dataset)
    page.choose("#filter-split", "test")
    page.keys("g")
    assert "5 clips" in page.text("dialog")
    page.keys(Keys.TAB, "high", Keys.ENTER)
    page.wait(lambda: page.run("return document.activeElement.textContent") == "Give one label “high”: 5 clips")
    page.keys(Keys.ENTER)
    assert set(page.column("Label")) == {"high"}
    saved(page)
    assert page.title == "clip00" or page.column("State") == ["✎"] * 5
    page.keys("u")
    saved(page)
    assert set(page.column("State")) == {""}
    page.open()
    assert set(page.column("State")) == {""}


def test_another_browser_is_seen(open_page, dataset, serve, second_driver):
    server = serve(dataset)
    page, other = open_page(server), open_page(server, driver=second_driver)
    other.keys("r", "high", Keys.ENTER)
    saved(other)
    page.look()
    page.wait(lambda: page.column("Label")[0] == "high")
    page.keys("j", "e", "u")
    saved(page)
    assert page.column("State")[:2] == ["✎", ""]
    other.keys("j", "j", "m")
    saved(other)
    assert other.column("State")[:3] == ["✎", "", "✓"]


def test_lines_of_another_browser_between_ones_own(open_page, dataset):
    """Another browser's line is older than one's own, and was not read before: the answer to one's own has both."""
    page = open_page(dataset)
    page.run("""const real = window.fetch;
      window.fetch = (path, options) => (String(path).startsWith('/api/state') ? new Promise(() => {}) : real(path, options));""")
    other = {"by": "another", "after": 0, "corrections": [{"clip": 2, "action": "exclude"}, {"clip": 3, "action": "relabel", "label": "high"}]}
    page.post(other)
    page.keys("e")
    saved(page)
    assert page.column("State")[:4] == ["✕", "", "✕", "✎"]
    assert page.column("Label")[3] == "high"
    page.post({**other, "corrections": [{"clip": 3, "action": "undo"}]})
    page.keys("u")
    saved(page)
    assert page.column("State")[:4] == ["", "", "✕", ""]


def test_corrections_that_an_editor_rewrote(open_page, dataset):
    """The page says so, and shows them when it is loaded again."""
    page = open_page(dataset)
    page.keys("r", "high", Keys.ENTER, "j", "e")
    saved(page)
    corrections = dataset.with_name("features.corrections.csv")
    lines = corrections.read_text().splitlines(keepends=True)
    again = corrections.with_name("again.csv")
    again.write_text("".join(lines[:-1]))
    again.replace(corrections)
    page.look()
    page.wait(lambda: "Another program changed features.h5 or its corrections" in page.text("#banners"))
    page.keys("e")
    assert "load it again" in page.status
    page.click(".banner button.main")
    page.wait(lambda: page.state("server") is None and page.state("state") == "ready")
    assert page.column("State")[:2] == ["✎", ""] and page.text("#banners") == ""
    page.keys("j", "m")
    saved(page)
    assert corrections.read_text().splitlines(keepends=True)[:-1] == lines[:-1]


def test_corrections_wait_for_a_server_that_is_gone(open_page, dataset, serve):
    server = serve(dataset)
    page = open_page(server)
    page.expected += ["net::ERR_", "403"]
    server.kill()
    page.keys("r", "high", Keys.ENTER, "j", "e")
    page.wait(lambda: "The server has ended" in page.text("#banners"))
    assert page.text("#saved").startswith("2 corrections not saved yet")
    assert "…" in page.column("State")[0]
    assert page.run("return Object.keys(localStorage).some((name) => name.startsWith('veery-unsaved-'))")
    # A dataset has the same port at every start; the page is opened anew and offers what the other could not save.
    server.start()
    leave(page)
    page.open()
    page.wait(lambda: "2 corrections" in page.text("#banners"))
    page.click(".banner button.main")
    saved(page)
    assert page.column("Label")[0] == "high" and "✕" in page.column("State")[1]
    page.open()
    assert page.text("#banners") == ""
    assert page.column("Label")[0] == "high"


def test_a_lost_answer_is_not_sent_twice(open_page, dataset):
    """The server stores a correction, and its answer is lost: asked again, the page finds its line."""
    page = open_page(dataset)
    page.expected += ["lost"]
    page.run("""const real = window.fetch; let lost = false;
      window.fetch = async (path, options) => {
        const answer = await real(path, options);
        if (options?.method === 'POST' && !lost) { lost = true; throw new TypeError('lost'); }
        return answer; };""")
    page.keys("r", "high", Keys.ENTER)
    saved(page)
    lines = page.driver.execute_async_script("fetch('/api/corrections?after=0').then((answer) => answer.json()).then((answer) => arguments[0](answer.lines))")
    assert [(line["clip"], line["action"], line["label"]) for line in lines] == [(0, "relabel", "high")]
    page.keys("u")
    assert page.column("Label")[0] == "low"
    saved(page)


def test_a_refused_correction_is_said(open_page, dataset):
    page = open_page(dataset)
    page.expected += ["400"]
    page.run("""const real = window.fetch;
      window.fetch = async (path, options) => options?.method === 'POST'
        ? new Response(JSON.stringify({ error: 'The label is too long.' }), { status: 400 }) : real(path, options);""")
    page.keys("r", "high", Keys.ENTER)
    page.wait(lambda: "The label is too long." in page.text("#banners"))
    assert page.column("Label")[0] == "low"


def test_a_correction_does_not_reach_another_dataset(open_page, dataset, serve, tmp_path_factory):
    """The server ends, and one of another dataset takes its port: the page keeps what it could not save, for its own."""
    server = serve(dataset)
    page = open_page(server)
    page.expected += ["net::ERR_", "403", "410"]
    port = server.port
    server.kill()
    # The state is not asked for: so the correction itself meets the other server.
    page.run("""const real = window.fetch; window.sent = 0;
      window.fetch = (path, options) => {
        if (String(path).startsWith('/api/state')) { return new Promise(() => {}); }
        if (options?.method === 'POST') { window.sent += 1; }
        return real(path, options); }""")
    folder = tmp_path_factory.mktemp("other")
    rows = clips(folder, 9)
    for row in rows:
        row["id"] = f"other {row['id']}"
    other = extract(folder, rows, "--set", "audio.sample_rate=8k")
    server.path = other
    server.start(port)
    window = page.driver.current_window_handle
    page.driver.switch_to.new_window("tab")
    page.open()
    assert page.title == "other clip00" and page.text("#banners") == ""
    assert "not saved" not in page.text("body")
    page.driver.close()
    page.driver.switch_to.window(window)
    page.keys("r", "high", Keys.ENTER)
    page.wait(lambda: page.run("return window.sent") > 0 and page.state("server") == "replaced")
    assert "Another program changed features.h5" in page.text("#banners") and "This browser keeps them" in page.text("#banners")
    assert not other.with_name("features.corrections.csv").exists()
    # The other dataset has the same name, but no such clip.
    leave(page)
    page.open()
    assert page.title == "other clip00" and page.text("#banners") == ""
    server.kill()
    server.path = dataset
    server.start(port)
    page.open()
    page.wait(lambda: "1 correction" in page.text("#banners"))
    page.click(".banner button.main")
    saved(page)
    assert stored(dataset) == [("clip00", "relabel", "high")]


def test_unsaved_corrections_are_of_ids(open_page, dataset, serve):
    """The file was made again with other clips before: each correction is offered for the clip that it was given for."""
    server = serve(dataset)
    page = open_page(server)
    page.expected += ["net::ERR_", "403"]
    server.kill()
    page.keys("j", "j", "e", "j", "r", "middle", Keys.ENTER)
    page.wait(lambda: "The server has ended" in page.text("#banners"))
    rows = clips(dataset.parent)
    del rows[1], rows[1]
    extract(dataset.parent, rows, "--overwrite", "--set", "audio.sample_rate=8k", "--set", "scale.kind=db")
    server.start()
    leave(page)
    page.open()
    page.wait(lambda: "1 correction of" in page.text("#banners"))
    page.click(".banner button.main")
    saved(page)
    assert stored(dataset) == [("clip03", "relabel", "middle")]


def test_a_line_that_is_stored_twice_confirms_nothing_else(open_page, dataset):
    """Another program repeats a line of this page while the next correction waits."""
    page = open_page(dataset)
    page.expected += ["lost"]
    page.keys("e")
    saved(page)
    page.change_posts("if (window.open) { return send(); } throw new TypeError('lost')")
    page.run("window.open = false")
    page.keys("j", "r", "high", Keys.ENTER)
    corrections = dataset.with_name("features.corrections.csv")
    with corrections.open("a") as file:
        file.write(corrections.read_text().splitlines(keepends=True)[-1])
    page.wait(lambda: page.run("return window.posts.length") > 3)
    assert page.text("#saved").startswith("1 correction not saved yet")
    page.run("window.open = true")
    saved(page)
    assert stored(dataset) == [("clip00", "exclude", ""), ("clip00", "exclude", ""), ("clip01", "relabel", "high")]


def test_unsaved_corrections_as_a_file(open_page, dataset, serve, tmp_path):
    server = serve(dataset)
    page = open_page(server)
    page.expected += ["net::ERR_"]
    server.kill()
    note = 'a "note", with; signs'
    page.keys("r", "high", Keys.ENTER, "j", "n", note, Keys.ENTER, "g")
    page.choose("#batch-action", "checked")
    page.click("dialog .actions button.main")
    page.wait(lambda: "28 corrections could not be saved" in page.text("#banners"))
    page.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path / "downloads")})
    page.run("[...document.querySelectorAll('.banner button')].find((one) => one.textContent === 'Save them as a file').click()")
    file = tmp_path / "downloads/unsaved-corrections.csv"
    page.wait(file.exists)
    page.wait(lambda: len(file.read_text().splitlines()) == 29)
    lines = list(csv.DictReader(file.open(newline="")))
    assert list(lines[0]) == ["id", "path", "action", "label", "note", "given", "by"]
    assert [(line["id"], line["path"], line["action"], line["label"]) for line in lines[:1]] == [("clip00", "clip00.wav", "relabel", "high")]
    assert lines[1]["note"] == note and [line["id"] for line in lines[2:]][-1] == "damaged"
    mended = tmp_path / "mended.csv"
    subprocess.run([VEERY, "check", "manifest.csv", "--corrections", file, "--mend", mended], cwd=dataset.parent, capture_output=True)
    with mended.open(newline="") as table:
        assert next(csv.DictReader(table))["label"] == "high"
    leave(page)


def test_why_corrections_cannot_be_saved_is_said(open_page, dataset):
    page = open_page(dataset)
    page.expected += ["500", "503"]
    page.change_posts("""return window.why ? new Response(JSON.stringify({ error: window.why }), { status: 500 }) : send()""")
    page.run("window.why = 'The disk is full.'")
    page.keys("e")
    page.wait(lambda: "The disk is full." in page.text("#banners"))
    page.run("window.why = 'The folder may not be written to.'")
    page.wait(lambda: "may not be written to" in page.text("#banners"))
    assert "The disk is full." not in page.text("#banners")
    assert page.text("#saved").startswith("1 correction not saved yet")
    page.run("window.why = ''")
    saved(page)
    assert page.text("#banners") == "" and stored(dataset) == [("clip00", "exclude", "")]


def test_a_bad_line_of_another_program_is_said(open_page, dataset):
    page = open_page(dataset)
    page.expected += ["500"]
    page.keys("e")
    saved(page)
    corrections = dataset.with_name("features.corrections.csv")
    good = corrections.read_text()
    with corrections.open("a") as file:
        file.write(good.splitlines()[-1].replace("exclude", "whatever") + "\n")
    page.look()
    page.wait(lambda: "cannot be read at present" in page.text("#banners") and "whatever" in page.text("#banners"))


def test_a_long_note_on_many_clips_is_sent_in_parts(open_page, dataset):
    page = open_page(dataset)
    page.change_posts("return send()")
    page.keys("g")
    page.choose("#batch-action", "note")
    page.run("document.querySelector('dialog [aria-label=Note]').value = 'x'.repeat(9000)")
    page.click("dialog .actions button.main")
    saved(page)
    posts = page.run("return window.posts")
    assert sum(post["number"] for post in posts) == 26 and len(posts) == 1
    # What 2,000 clips would be sent as, by the same method.
    number = page.driver.execute_async_script("""const done = arguments[0]; import('/corrections.js').then(({ Corrections }) => {
      const batch = { clips: Array.from({ length: 2500 }, (_, clip) => clip), done: 0, action: 'note', label: '', note: 'ö"'.repeat(2000), isNew: false };
      const size = (note) => { const part = Corrections.prototype.firstPart.call({ pending: [{ ...batch, note }] });
        return [part.length, new TextEncoder().encode(JSON.stringify(part)).length]; };
      done([size('ö"'.repeat(2000)), size('short'), size('"'.repeat(600000))]); })""")
    assert 50 < number[0][0] < 100 and number[0][1] <= 500_002
    assert number[1][0] == 2000 and number[2][0] == 1


def test_a_label_that_ends_with_a_blank(open_page, tmp_path):
    """A label of the dataset is given as it is, also to all clips."""
    rows = clips(tmp_path, 9)
    rows[0]["label"] = "low "
    dataset = extract(tmp_path, rows, "--set", "audio.sample_rate=8k")
    page = open_page(dataset)
    page.choose("#filter-split", "test")
    page.keys("g", Keys.TAB, "low", Keys.ARROW_DOWN, Keys.ENTER)
    page.wait(lambda: page.run("return document.activeElement.textContent") == "Give one label “low ”: 2 clips")
    page.keys(Keys.ENTER)
    saved(page)
    assert stored(dataset) == [("clip05", "relabel", "low "), ("copy", "relabel", "low ")]


def test_an_undo_of_what_somebody_else_corrected_since(open_page, dataset):
    page = open_page(dataset)
    page.expected += ["409"]
    page.keys("r", "high", Keys.ENTER)
    saved(page)
    page.run("""const real = window.fetch;
      window.fetch = (path, options) => (String(path).startsWith('/api/state') ? new Promise(() => {}) : real(path, options));""")
    page.post({"by": "another", "corrections": [{"clip": 0, "action": "relabel", "label": "middle"}]})
    page.keys("u")
    page.wait(lambda: "Not undone: 'clip00' was corrected by somebody else" in page.text("#banners"))
    page.wait(lambda: page.column("Label")[0] == "middle")
    assert page.text("#saved").startswith("Saved")
    page.keys("u")
    assert "Nothing is left to undo" in page.status
    assert [line[1] for line in stored(dataset)] == ["relabel", "relabel"]


def test_an_undo_of_what_is_in_the_features(open_page, dataset):
    """A correction that the features were made with is not undone; those after it are."""
    corrections = dataset.with_name("features.corrections.csv")
    corrections.write_text("id,path,start,end,audio_xxh3,action,label,note,given,by\nclip00,clip00.wav,,,,relabel,high,,2026-01-01T00:00:00Z,ana\n")
    extract(dataset.parent, clips(dataset.parent), "--overwrite", "--corrections", corrections, "--set", "audio.sample_rate=8k", "--set", "scale.kind=db")
    page = open_page(dataset)
    page.expected += ["409"]
    page.keys("j", "e")
    saved(page)
    page.keys("u", "u")
    page.wait(lambda: "Not undone: The last correction of 'clip00' is in the features already" in page.text("#banners"))
    page.wait(lambda: page.column("Label")[0] == "high")
    page.keys("u")
    assert "Nothing is left to undo" in page.status
    assert [line[:2] for line in stored(dataset)] == [("clip00", "relabel"), ("clip01", "exclude"), ("clip01", "undo")]


# Keys as fast as can be: all of them before the browser does anything that it was asked to do later.
AT_ONCE = """
for (const [key, value] of arguments[0]) {
  if (value !== null) {
    document.activeElement.value = value;
    document.activeElement.dispatchEvent(new Event("input", {bubbles: true}));
  }
  document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true}));
}
"""


def test_the_next_key_is_not_too_early_for_an_answer(open_page, dataset):
    """A dialog's correction is of the clip that it was opened for, even if the next key opens another one before the dialog has gone."""
    page = open_page(dataset)
    page.run(AT_ONCE, [["r", None], ["Enter", "high"], ["j", None], ["n", None], ["Enter", "near a road"], ["j", None]])
    page.wait(lambda: page.column("Label")[0] == "high")
    saved(page)
    assert [line[:2] for line in stored(dataset)] == [("clip00", "relabel"), ("clip01", "note")]
    assert "clip02.wav" in page.details


def labels(path):
    with h5py.File(path) as file:
        names = [name.decode() for name in file["labels"][:]]
        return {clip.decode(): names[index] for clip, index in zip(file["clips/id"][:], file["clips/label_index"][:], strict=True)}


@pytest.mark.parametrize("kind", ["features", "manifest"])
def test_corrections_outlive_a_kill_and_reach_the_features(open_page, dataset, serve, kind):
    """Relabelled by keys, the server killed and started anew, extracted again: the file has the labels that were given, and the page shows them."""
    before = labels(dataset)
    file = dataset if kind == "features" else dataset.with_name("manifest.csv")
    corrections = file.with_name(f"{file.stem}.corrections.csv")
    server = serve(file)
    page = open_page(server)
    page.expected += ["net::ERR_", "403", "410"]
    page.keys("r", "hi", Keys.ENTER, "j", "r", "thrush")
    page.chord(Keys.CONTROL, Keys.ENTER)
    page.keys("j", "e")
    saved(page)
    server.kill()
    server.start()
    page.open()
    assert page.column("Label")[:2] == ["high", "thrush"] and page.column("State")[:3] == ["✎", "✎", "✕"]
    extract = [VEERY, "extract", "manifest.csv", "-o", "features.h5", "--corrections", corrections.name, "--sync", "--max-failures", "100%",
               "--set", "audio.sample_rate=8k", "--set", "scale.kind=db", "--quiet"]
    subprocess.run(extract, cwd=dataset.parent, check=True)
    after = labels(dataset)
    excluded = before.pop("clip02")
    assert excluded == "high"
    assert after == {**before, "clip00": "high", "clip01": "thrush"}
    if kind == "features":
        page.look()
        page.wait(lambda: "Another program changed features.h5" in page.text("#banners"))
        # Its page needs a server that has read the new file.
        page.click(".banner button.main")
        page.wait(lambda: "Start 'veery browse' again" in page.text("#banners"))
    server.kill()
    server.start()
    page.open()
    if kind == "features":
        assert page.column("Clip")[:3] == ["clip00", "clip01", "clip03"]
    assert page.column("Label")[:2] == ["high", "thrush"]
