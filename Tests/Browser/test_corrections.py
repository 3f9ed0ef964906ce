"""Corrections by keys: none is lost, each can be undone."""

import subprocess

import h5py
import pytest
from conftest import VEERY
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys


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
    port = server.port
    server.kill()
    page.keys("r", "high", Keys.ENTER, "j", "e")
    page.wait(lambda: "The server has ended" in page.text("#banners"))
    assert page.text("#saved").startswith("2 corrections not saved yet")
    assert "…" in page.column("State")[0]
    assert page.run("return Object.keys(localStorage).some((name) => name.startsWith('veery-unsaved-'))")
    # The server is back at the same address; the page is opened anew and offers what the other could not save.
    server.start(port)
    page.run("window.onbeforeunload = null; addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), { capture: true })")
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
