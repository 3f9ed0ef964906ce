"""The page as a whole: hostile texts, a server that ends, a file that is replaced, what a screen reader finds, keys."""

import http.server
import os
import shutil
import threading

import pytest
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait


def test_hostile_texts_are_texts(open_page, hostile):
    page = open_page(hostile)
    page.keys("j", "j", "k", "n", "<img src=x onerror='window.hacked=1'>", Keys.ENTER, "r", "<b onclick=hacked=1>")
    page.chord(Keys.CONTROL, Keys.ENTER)
    page.keys("D", "D", "?", Keys.ESCAPE)
    page.wait(lambda: page.text("#saved").startswith("Saved"))
    assert page.run("return window.hacked") is None
    assert page.driver.execute_script("return document.querySelectorAll('main img, main svg, main b b, script:not([src])').length") == 0
    assert "<img src=x" in page.details
    page.open(page.fragment[1:])
    assert page.run("return window.hacked") is None
    found = {}
    for width in (1280, 800):
        for dark in (False, True):
            page.resize(width, 800)
            page.theme(dark)
            found[width, dark] = page.axe()
    assert {state: rules for state, rules in found.items() if rules} == {}


def test_a_hostile_fragment_is_a_text(open_page, dataset):
    page = open_page(dataset, "clip=%3Cimg%20src=x%20onerror=hacked=1%3E&q=%3Cb%3E&sort=column:nothing&part=1,x&min=a&split=%FF")
    assert page.run("return window.hacked") is None
    page.keys("0")
    page.wait(lambda: page.shown == "26 clips")


def test_the_page_says_that_the_server_has_ended(open_page, dataset, serve):
    server = serve(dataset)
    page = open_page(server)
    page.expected.append("net::ERR_")
    port = server.port
    server.kill()
    page.look()
    page.wait(lambda: "The server has ended" in page.text("#banners"))
    server.start(port)
    page.expected.append("403")
    page.look()
    page.wait(lambda: "The server was restarted" in page.text("#banners"))


LINK = """<a id="link" href="{address}" target="_blank" rel="noopener noreferrer">open</a>"""


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_a_link_of_another_site_opens_the_page(dataset, serve, driver, host):
    """As that of a notebook: a browser calls what follows a request of that site, and sends it no strict cookie. The view is kept."""
    server = serve(dataset)
    site = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
    site.text = LINK.format(address=f"{server.address}#q=clip0&clip=clip04")
    threading.Thread(target=site.serve_forever, daemon=True).start()
    window = driver.current_window_handle
    try:
        driver.delete_all_cookies()
        driver.get(f"http://{host}:{site.server_port}/")
        driver.find_element("id", "link").click()
        driver.switch_to.window(next(one for one in driver.window_handles if one != window))
        WebDriverWait(driver, 20).until(lambda _: driver.execute_script("return document.body.dataset.state") == "ready")
        assert "token" not in driver.current_url
        assert driver.execute_script("return document.querySelector('.pane h2').textContent") == "clip04"
        assert driver.execute_script("return document.getElementById('shown').textContent") == "10 of 26 clips"
    finally:
        driver.close()
        driver.switch_to.window(window)
        site.shutdown()
        site.server_close()


class Site(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = self.server.text.encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def test_the_page_says_that_the_file_was_replaced(open_page, dataset):
    page = open_page(dataset)
    page.expected.append("410")
    again = dataset.with_name("again.h5")
    shutil.copy(dataset, again)
    os.utime(again, (1, 1))
    os.replace(again, dataset)
    page.look()
    page.wait(lambda: "Another program changed features.h5" in page.text("#banners"))
    page.keys("e")
    assert "load it again" in page.status


@pytest.mark.parametrize("width, dark", [
    (1280, False), (800, True), pytest.param(1280, True, marks=pytest.mark.long), pytest.param(800, False, marks=pytest.mark.long)])
def test_axe_finds_nothing(open_page, dataset, width, dark):
    page = open_page(dataset, width=width, dark=dark)
    page.drawn()
    page.wait(lambda: page.state("suspicion") == "done")
    page.keys("S")
    page.drawn()
    found = {"opened": page.axe()}
    states = {
        "corrected": ["y", "k", "n", "note", Keys.ENTER, "e"],
        "two clips": ["p"],
        "pairs": ["D"],
        "relabel": ["D", "r", "m"],
        "help": [Keys.ESCAPE, "?"],
        "batch": [Keys.ESCAPE, "g"],
        "part": [Keys.ESCAPE, "t"],
        "failure": [Keys.ESCAPE, "p", Keys.END],
    }
    for state, keys in states.items():
        page.keys(*keys)
        found[state] = page.axe()
    assert {state: rules for state, rules in found.items() if rules} == {}


def test_help_shows_every_key(open_page, dataset):
    page = open_page(dataset)
    page.keys("?")
    text = page.text("dialog")
    for words in ["next clip", "play, pause", "undo", "÷ 10 for bats", "context"]:
        assert words in text
    page.click("#letters")
    page.keys(Keys.ESCAPE, "j")
    assert page.title == "clip00"
    page.keys(Keys.ARROW_DOWN)
    assert page.title == "clip01"


def test_settings_are_remembered(open_page, dataset):
    page = open_page(dataset)
    page.keys("v", "v", "f")
    page.wait(lambda: "512 points" in page.status)
    page.keys("b", "c")
    page.open()
    assert page.run("return [...document.querySelectorAll('#toolbar select')].map((one) => one.value)") == ["1", "2", "1", "512"]
    assert page.run("return [...document.querySelectorAll('#toolbar [aria-pressed=true]')].map((one) => one.textContent)") == ["Greys"]


def test_a_picture_is_kept_inside_the_window(open_page, dataset):
    for width, height in [(800, 600), (1280, 800), (1920, 1080)]:
        page = open_page(dataset, width=width, height=height)
        assert page.run("return document.documentElement.scrollWidth <= innerWidth && document.documentElement.scrollHeight <= innerHeight")
