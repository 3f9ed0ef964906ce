"""The table: what it shows, filters, order, the view in the address."""

import json
import shutil
import urllib.parse

import pytest
from selenium.webdriver.common.keys import Keys


def test_all_clips_and_failures_are_in_the_table(open_page, dataset):
    page = open_page(dataset)
    assert page.shown == "26 clips"
    assert page.column("Clip")[:3] == ["clip00", "clip01", "clip02"]
    assert page.column("Label")[:3] == ["low", "middle", "high"]
    assert page.column("Length")[0] == "1.200 s"
    assert page.column("site")[1] == "site 1"
    page.keys(Keys.END)
    assert page.title == "damaged"
    assert "not decodable" in page.column("Reason")[-1]
    assert "not decodable" in page.text(".stage-message").replace("_", " ")


def test_filters_leave_what_they_name(open_page, dataset):
    page = open_page(dataset)
    page.keys("/", "clip1")
    page.wait(lambda: page.shown == "10 of 26 clips")
    page.keys(Keys.ENTER, "0")
    page.wait(lambda: page.shown == "26 clips")
    page.choose("#filter-split", "test")
    page.wait(lambda: set(page.column("Split")) == {"test"})
    page.choose("#filter-column", "site")
    page.click("#filter-value")
    page.keys("site 1")
    page.wait(lambda: page.shown == "4 of 26 clips")
    page.keys(Keys.ESCAPE, "0")
    page.choose("#filter-failure", "not_decodable")
    page.wait(lambda: page.column("Clip") == ["damaged"])
    page.choose("#filter-failure", "none")
    page.click("#filter-min")
    page.keys("1,0")
    page.wait(lambda: page.shown == "7 of 26 clips")
    page.click("#filter-label")
    page.keys("igh")
    page.wait(lambda: set(page.column("Label")) == {"high"})


def test_a_click_on_a_title_sorts(open_page, dataset):
    page = open_page(dataset)
    page.sort("Length")
    assert page.column("Length")[:7] == ["1.200 s"] * 7
    page.sort("Length")
    assert page.column("Length")[0] == "0.600 s"
    assert page.run("return document.querySelector('#table [aria-sort]').ariaSort") == "ascending"
    page.sort("Length")
    assert page.column("Clip")[0] == "clip00"
    page.sort("Label")
    assert page.column("Label")[0] == "high"


def test_the_wrong_label_is_the_most_suspicious(open_page, many):
    page = open_page(many)
    page.wait(lambda: page.state("suspicion") == "done")
    page.keys("S")
    assert page.title == "clip07"
    assert "middle" in page.details
    page.choose("#filter-show", "suspicious")
    page.wait(lambda: page.column("Clip")[0] == "clip07")


def test_suspicious_clips_are_offered(open_page, many):
    """The table keeps the order of the manifest until they are asked for."""
    page = open_page(many)
    page.wait(lambda: page.state("suspicion") == "done")
    assert page.title == "clip00"
    number, rest = page.text("#suspicious").split(" ", 1)
    assert rest == "suspicious"
    page.keys("y")
    page.wait(lambda: page.status == "There is no suggestion for this clip. Shift+S puts the most suspicious first.")
    page.click("#suspicious")
    assert page.title == "clip07" and page.column("Clip")[0] == "clip07"
    page.choose("#filter-show", "suspicious")
    page.wait(lambda: page.shown.startswith(f"{number} of "))


def test_no_suspicious_clips_are_offered_where_there_is_no_suspicion(open_page, manifest):
    page = open_page(manifest)
    page.wait(lambda: page.state("suspicion"))
    assert not page.run("return document.querySelector('#suspicious').checkVisibility()")


def test_a_reason_of_before_a_correction_says_so(open_page, many, tmp_path):
    folder = tmp_path / "copy"
    shutil.copytree(many.parent, folder)
    page = open_page(folder / many.name, "sort=-suspicion")
    page.wait(lambda: page.state("suspicion") == "done")
    page.keys("S")
    reason = page.column("Reason")[0]
    assert reason and page.column("Clip")[0] == "clip07"
    page.keys("y")
    page.wait(lambda: page.column("Reason")[0] == f"before the correction: {reason}")
    page.keys("u")
    page.wait(lambda: page.column("Reason")[0] == reason)


def test_near_duplicates_are_ranked_and_open_as_two(open_page, many):
    page = open_page(many)
    page.wait(lambda: page.state("suspicion") == "done")
    page.keys("D")
    first = page.rows("pairs")[0]
    assert {"clip00", "copy"} <= set(first)
    page.keys("j")
    page.wait(lambda: len(page.run("return document.querySelectorAll('.pane')")) == 2)
    assert set(page.run("return [...document.querySelectorAll('.pane h2')].map((title) => title.textContent)")) == {"clip00", "copy"}


def test_the_view_is_in_the_address(open_page, dataset, serve):
    server = serve(dataset)
    page = open_page(server)
    page.choose("#filter-split", "train")
    page.sort("Length")
    page.keys("/", "it's 50%", Keys.ENTER)
    page.wait(lambda: "q=" in page.fragment)
    fragment = page.fragment
    assert "'" not in fragment
    assert urllib.parse.parse_qs(fragment[1:])["q"] == ["it's 50%"]
    page.keys("0")
    page.sort("Label")
    page.keys("j", "j")
    clip, fragment = page.title, page.fragment
    page = open_page(server, fragment[1:])
    assert page.title == clip
    assert page.column("Label")[0] == "high"


def test_a_view_opens_the_part_the_selection_and_the_band(open_page, dataset):
    view = "clip=clip04&part=0.2,0.8&time=0.3,0.5&band=400,900&picture=recording&other=clip02"
    page = open_page(dataset, view)
    page.drawn()
    assert page.title == "clip04"
    assert set(page.fragment[1:].split("&")) == set(view.split("&"))
    page.keys(" ")
    page.wait(lambda: page.sound["length"] == pytest.approx(0.2, abs=0.001))


def test_the_command_opens_a_view(open_page, dataset, serve):
    server = serve(dataset, "--view", "#sort=-length&clip=clip08&split=train")
    assert server.address.endswith("#sort=-length&clip=clip08&split=train")
    page = open_page(server)
    assert page.title == "clip08"
    assert page.column("Length")[0] == "1.200 s" and set(page.column("Split")) == {"train"}


def test_the_command_of_the_view_can_be_copied(open_page, dataset):
    page = open_page(dataset)
    page.driver.execute_cdp_cmd("Browser.grantPermissions", {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]})
    page.choose("#filter-split", "test")
    page.keys("Y")
    page.wait(lambda: "Copied" in page.status)
    text = page.driver.execute_async_script("navigator.clipboard.readText().then(arguments[0])")
    assert text.startswith("veery browse ") and "--view 'split=test" in text


def test_keys_move_and_do_not_scroll_the_page(open_page, dataset):
    page = open_page(dataset)
    page.keys("j", Keys.ARROW_DOWN, "k")
    assert page.title == "clip01"
    page.keys(Keys.PAGE_DOWN)
    assert page.title > "clip05"
    page.keys(Keys.HOME)
    assert page.title == "clip00"
    assert page.run("return [scrollX, scrollY, document.scrollingElement.scrollHeight <= innerHeight]") == [0, 0, True]


def test_a_manifest_without_features_fills_as_clips_are_seen(open_page, manifest):
    page = open_page(manifest)
    assert page.column("Length")[1] == ""
    page.keys("j")
    page.drawn()
    page.wait(lambda: page.column("Length")[1] == "0.600 s")
    assert page.column("Peak")[1] != ""
    assert page.column("Suspicion")[1] == ""


COLUMNS = """
const done = arguments[arguments.length - 1];
(async () => {
  const { Columns } = await import('/columns.js');
  const { rowsOf } = await import('/order.js');
  const { readView } = await import('/view.js');
  const total = arguments[0];
  const columns = new Columns({ clips: total, failures: 0, labels: ['ant', 'bee'], splits: ['test', 'train'], columns: ['site'] });
  const numbers = Array.from({ length: total }, (_, i) => i);
  columns.take({ from: 0, n: total, id: numbers.map((i) => `clip ${(i * 7919) % total}`), path: numbers.map(() => 'a.wav'), labels: numbers.map((i) => [i % 2]),
    split: numbers.map((i) => i % 3 - 1), start: numbers, duration: numbers.map((i) => (i % 10 === 0 ? null : (i * 31) % 997 / 10 - 20)), columns: { site: numbers.map((i) => `site ${i % 50}`) } });
  const answer = JSON.parse(arguments[1]).map((fragment) => {
    const begin = performance.now();
    const rows = rowsOf(columns, readView(fragment));
    return { fragment, count: rows.length, first: Array.from(rows.subarray(0, 3)), last: Array.from(rows.slice(-3)), time: performance.now() - begin };
  });
  done(answer);
})();
"""


def test_order_of_many_rows(open_page, dataset):
    """Sorted numbers are those of Python; what has no value is last, both ways."""
    page = open_page(dataset)
    total = 100_000
    page.driver.set_script_timeout(60)
    fragments = ["sort=length", "sort=-length", "label=bee&split=train", "split=(none)", "q=clip+99", "sort=-id", "column=site&value=site+7", "min=0&max=10"]
    answers = page.driver.execute_async_script(COLUMNS, total, json.dumps(fragments))
    times = {answer["fragment"]: round(answer["time"]) for answer in answers}
    found = {answer["fragment"]: answer for answer in answers}
    durations = [None if i % 10 == 0 else (i * 31) % 997 / 10 - 20 for i in range(total)]
    known = [i for i in range(total) if durations[i] is not None]
    assert found["sort=length"]["first"] == sorted(known, key=lambda i: durations[i])[:3]
    assert found["sort=-length"]["first"] == sorted(known, key=lambda i: -durations[i])[:3]
    assert found["sort=length"]["last"] == found["sort=-length"]["last"] == [99970, 99980, 99990]
    ids = [f"clip {i * 7919 % total}" for i in range(total)]
    assert found["sort=-id"]["first"] == sorted(range(total), key=lambda i: ids[i], reverse=True)[:3]
    assert found["label=bee&split=train"]["count"] == sum(i % 2 == 1 and i % 3 == 2 for i in range(total))
    assert found["split=(none)"]["count"] == sum(i % 3 == 0 for i in range(total))
    assert found["q=clip+99"]["count"] == sum("clip 99" in text for text in ids)
    assert found["column=site&value=site+7"]["count"] == total // 50
    assert found["min=0&max=10"]["count"] == sum(value is not None and 0 <= value <= 10 for value in durations), times


def test_a_view_of_another_dataset_is_no_obstacle(open_page, dataset):
    """A bookmark may sort by a column that this dataset does not have."""
    for sort in ("column:nowhere", "nonsense", "-Selection"):
        page = open_page(dataset, f"#sort={sort}")
        assert page.state("state") == "ready" and page.column("Clip")[0] == "clip00"


def test_the_context_is_in_the_address(open_page, parts):
    page = open_page(parts, "#clip=part2&context=2")
    page.wait(lambda: page.run("return document.querySelector('[title*=\"(c)\"], select[aria-label*=\"(c)\"]')?.value") == "2")
    page.keys("c")
    page.wait(lambda: "context=5" in page.run("return location.hash"))
