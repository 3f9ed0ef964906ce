"""What a test does with the page: keys, clicks, and what can be seen."""

from axe_core_python.base import AXE_SCRIPT as AXE
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait


class Page:
    def __init__(self, driver, server, fragment="", width=1280, height=800, dark=False):
        self.driver = driver
        self.server = server
        self.expected = []
        self.resize(width, height)
        self.theme(dark)
        self.open(fragment)

    def open(self, fragment=""):
        self.driver.get("about:blank")
        self.driver.get(self.server.address + (f"#{fragment}" if fragment else ""))
        self.ready()

    def look(self):
        """As when the tab is chosen: the page asks for the server's state, which it otherwise does every 5 s."""
        self.run("document.dispatchEvent(new Event('visibilitychange'))")

    def ready(self):
        self.wait(lambda: self.state("state") in ("ready", "failed"))
        assert self.state("state") == "ready"

    def state(self, name):
        return self.run(f"return document.body.dataset.{name}")

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def post(self, body):
        """Sends corrections as another browser would; the answer."""
        return self.driver.execute_async_script("""const [body, done] = arguments;
            fetch('/api/dataset').then((answer) => answer.json()).then(({ generation }) => fetch('/api/corrections',
            { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ generation, ...body }) }))
            .then((answer) => answer.json()).then(done)""", body)

    def change_posts(self, body):
        """Lets JavaScript answer what the page sends: `send()` sends it, `sent` is its body. What was sent is in `window.posts`."""
        self.run("""const real = window.fetch; window.posts = [];
            const change = new (Object.getPrototypeOf(async function () {}).constructor)('send', 'sent', arguments[0]);
            window.fetch = async (path, options) => {
              if (options?.method !== 'POST') { return real(path, options); }
              const sent = JSON.parse(options.body);
              window.posts.push({ bytes: new TextEncoder().encode(options.body).length, number: sent.corrections.length });
              return change(() => real(path, options), sent);
            }""", body)

    def wait(self, condition, seconds=20):
        return WebDriverWait(self.driver, seconds, poll_frequency=0.05).until(lambda _: condition())

    def resize(self, width, height):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})

    def theme(self, dark):
        features = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def keys(self, *keys):
        for key in keys:
            ActionChains(self.driver).send_keys(key).perform()

    def chord(self, modifier, key):
        ActionChains(self.driver).key_down(modifier).send_keys(key).key_up(modifier).perform()

    def click(self, selector):
        self.driver.find_element(By.CSS_SELECTOR, selector).click()

    def choose(self, selector, value):
        self.run("const e = document.querySelector(arguments[0]); e.value = arguments[1]; e.dispatchEvent(new Event('change', {bubbles: true}))", selector, value)

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0])?.textContent ?? ''", selector)

    @property
    def title(self):
        """The id of the clip that is open."""
        return self.text(".pane h2")

    @property
    def shown(self):
        return self.text("#shown")

    @property
    def status(self):
        return self.text("#status")

    @property
    def details(self):
        return self.text("#details")

    def rows(self, table="table"):
        """The texts of the rows in sight, in the order of the table."""
        return self.run("""return [...document.querySelectorAll(`#${arguments[0]} .table-body .table-row`)].filter((row) => !row.hidden)
            .sort((a, b) => a.ariaRowIndex - b.ariaRowIndex).map((row) => [...row.children].map((cell) => cell.textContent))""", table)

    def column(self, title, table="table"):
        titles = self.run("return [...document.querySelectorAll(`#${arguments[0]} [role=columnheader]`)].map((cell) => cell.textContent)", table)
        return [row[titles.index(title)] for row in self.rows(table)]

    def sort(self, title):
        self.run("[...document.querySelectorAll('#table [role=columnheader] button')].find((one) => one.textContent === arguments[0]).click()", title)

    @property
    def sound(self):
        return self.run("""const sound = document.getElementById('sound');
            return { time: sound.currentTime, paused: sound.paused, ended: sound.ended, length: sound.duration, rate: sound.playbackRate }""")

    @property
    def fragment(self):
        self.wait(lambda: self.state("address") == "written")
        return self.run("return location.hash")

    def drawn(self):
        """Waits until the picture of the clip is drawn."""
        script = """const canvas = document.querySelector('.stage canvas');
            if (!canvas.width) { return false; }
            const copy = new OffscreenCanvas(1, 150).getContext('2d', { willReadFrequently: true });
            copy.drawImage(canvas, Math.round(canvas.width / 2), 30, 1, 150, 0, 0, 1, 150);
            const line = new Uint32Array(copy.getImageData(0, 0, 1, 150).data.buffer);
            return new Set(line).size > 5"""
        self.wait(lambda: self.run(script))

    def drag(self, start, end, selector=".stage"):
        """Drags between two points, as shares of an element's width and height."""
        element = self.driver.find_element(By.CSS_SELECTOR, selector)
        size = element.size
        points = [(round((x - 0.5) * size["width"]), round((y - 0.5) * size["height"])) for x, y in (start, end)]
        chain = ActionChains(self.driver, duration=20).move_to_element_with_offset(element, *points[0]).click_and_hold()
        chain.move_by_offset(points[1][0] - points[0][0], points[1][1] - points[0][1]).release().perform()

    def axe(self):
        """What axe finds: the rules and the elements."""
        if self.run("return typeof axe") == "undefined":
            self.run(AXE)
        found = self.driver.execute_async_script("axe.run({ resultTypes: ['violations'] }).then(arguments[0])")["violations"]
        return [(rule["id"], [node["html"][:200] for node in rule["nodes"]]) for rule in found]
