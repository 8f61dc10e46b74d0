"""Checks of a report in a browser. Usage: report.py SWEEP.html LONG.html HOSTILE.html FAILED.html [PICTURES]"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from chromium import Chromium, Page, find  # noqa: E402

failures = []
skipped = []


def check(ok, what, *details):
    if not ok:
        failures.append(what)
        print("FAILED:", what, *details)


def same(got, want, what):
    check(got == want, what, "got", repr(got), "want", repr(want))


def quiet(page, what):
    same(page.console(), [], what + ": the console is empty")
    asked = [u for u in page.requests() if not u.startswith("file:") and u != "data:,"]
    same(asked, [], what + ": nothing is loaded")


BACKGROUND = "getComputedStyle(document.body).backgroundColor"
LIGHT, DARK = "rgb(255, 255, 255)", "rgb(20, 23, 27)"


def check_words(browser, path):
    page = Page(browser, path)
    check(len(page.run("document.querySelector('h1').textContent")) > 10, "there is a verdict")
    same(page.run("document.querySelectorAll('h1').length"), 1, "one h1")
    same(page.run("document.querySelectorAll('[id]').length"),
         page.run("new Set([...document.querySelectorAll('[id]')].map(e => e.id)).size"),
         "ids are unique")
    same(page.run("""[...document.querySelectorAll('[aria-labelledby]')].every(e =>
        e.getAttribute('aria-labelledby').split(' ').every(i => document.getElementById(i)))"""),
         True, "labels lead somewhere")
    same(page.run("[...document.querySelectorAll('nav a')].every(a => "
                  "document.getElementById(a.getAttribute('href').slice(1)))"),
         True, "links lead somewhere")
    same(page.run("[...document.querySelectorAll('th')].every(h => h.scope)"), True,
         "headings of tables have a scope")
    check(page.run("document.querySelectorAll('svg').length") >= 4, "there are charts")
    same(page.run("document.documentElement.scrollWidth <= innerWidth"), True,
         "the page is not wider than its window")
    same(page.run(BACKGROUND), LIGHT, "light where the system is light")
    same(page.run("document.querySelectorAll('[style]:not(.tip)').length"), 0, "no style attributes")
    quiet(page, "as opened")
    page.close()


def check_themes(browser, path):
    page = Page(browser, path, scheme="dark")
    same(page.run(BACKGROUND), DARK, "dark where the system is dark")
    page.run("document.getElementById('theme').click()")
    same(page.run(BACKGROUND), LIGHT, "the button turns the light on")
    page.run("document.getElementById('theme').click()")
    same(page.run(BACKGROUND), DARK, "and off")
    page.close()
    page = Page(browser, path, fragment="#dark")
    same(page.run(BACKGROUND), DARK, "#dark")
    quiet(page, "#dark")
    page.close()
    page = Page(browser, path, fragment="#light", scheme="dark")
    same(page.run(BACKGROUND), LIGHT, "#light")
    page.close()


def check_narrow(browser, path):
    page = Page(browser, path, width=320)
    same(page.run("document.documentElement.scrollWidth"), 320,
         "at 320 px only charts and wide tables scroll, inside their box")
    same(page.run("[...document.querySelectorAll('.plot,.wide')].every(e => "
                  "e.getBoundingClientRect().right <= 320)"), True, "boxes end inside the window")
    quiet(page, "320 px")
    page.close()


SHOWN = "[...document.querySelectorAll('.plot svg')].filter(s => s.getClientRects().length)"
# the smallest letters of the charts that are shown, in pixels of the screen
LETTERS = """Math.min(...%s.flatMap(s => [...s.querySelectorAll('text')].map(t =>
    parseFloat(getComputedStyle(t).fontSize) * s.getBoundingClientRect().width /
    s.viewBox.baseVal.width)))""" % SHOWN


def check_widths(browser, path):
    """One picture a chart is shown, as wide as its place at most, with letters that can be read."""
    for width, letters in ((360, 9.5), (400, 10.5), (620, 11), (721, 8.5), (1000, 11)):
        page = Page(browser, path, width=width)
        at = "%d px: " % width
        same(page.run(SHOWN + ".length"), page.run("document.querySelectorAll('.plot').length"),
             at + "each chart is there once")
        same(page.run("[...document.querySelectorAll('.plot')].every(p => "
                      "p.scrollWidth <= p.clientWidth)"), True, at + "no chart scrolls")
        got = page.run(LETTERS)
        check(got >= letters, at + "the letters of charts can be read", got, "px")
        # all that a chart says lies within it
        same(page.run(SHOWN + """.flatMap(s => [...s.querySelectorAll('text')].filter(t => {
            const a = t.getBoundingClientRect(), b = s.getBoundingClientRect();
            return a.left < b.left - 1 || a.right > b.right + 1 || a.bottom > b.bottom + 1;
            })).map(t => t.textContent)"""), [], at + "no words are cut off")
        page.run("document.querySelector('.plot').focus()")
        page.key("ArrowRight")
        check(len(page.run("document.querySelector('.tip').textContent")) > 5, at + "marks speak")
        same(page.run("""{ const t = document.querySelector('.tip').getBoundingClientRect();
            t.left >= 0 && t.right <= innerWidth }"""), True, at + "the tooltip is inside")
        same(page.run(SHOWN + "[0].querySelectorAll('.m.on').length"), 1,
             at + "the mark that speaks is one that is shown")
        quiet(page, at)
        page.close()


def check_without_script(browser, path):
    page = Page(browser, path, script=False)
    html = page.outer_html()
    check(re.search(r"<h1[^>]*>[^<]{10,}</h1>", html), "without JavaScript: the verdict is there")
    check(html.count("<table") >= 4, "without JavaScript: tables are there")
    check(html.count("<svg") >= 4, "without JavaScript: charts are there")
    check("<title>" in html, "without JavaScript: marks have tooltips")
    same(len(re.findall(r"<(button|input|select)\b", html)), 0,
         "without JavaScript: no dead controls")
    quiet(page, "without JavaScript")
    page.close()


COLUMN = """[...document.querySelectorAll('#cells tbody tr')].map(r =>
    r.cells[[...document.querySelectorAll('#cells thead th')].findIndex(
        h => h.textContent === '%s')].textContent)"""
CLICK = """[...document.querySelectorAll('#cells thead button')].find(
    b => b.textContent === '%s').click()"""
TYPE = """{ const i = document.querySelector('.filt input'); i.value = %r;
    i.dispatchEvent(new Event('input')); document.querySelector('.filt output').textContent }"""


def check_table(browser, path):
    page = Page(browser, path)
    number = lambda s: float(s.replace(",", "").replace("k", "e3").replace("M", "e6"))
    page.run(CLICK % "IOPS")
    rates = [number(s) for s in page.run(COLUMN % "IOPS")]
    check(len(rates) > 4 and rates == sorted(rates, reverse=True), "numbers: largest first", rates)
    same(page.run("document.querySelectorAll('[aria-sort=descending]').length"), 1, "aria-sort")
    page.run(CLICK % "IOPS")
    rates = [number(s) for s in page.run(COLUMN % "IOPS")]
    check(rates == sorted(rates), "second click: smallest first", rates)
    page.run(CLICK % "Block")
    sizes = page.run(COLUMN % "Block")
    check(sizes[0] == "1M" and sizes[-1] == "4k", "block sizes sort by size, not by text", sizes)

    everything = len(sizes)
    same(page.run(TYPE % ""), "%d of %d rows" % (everything, everything), "count")
    page.run(TYPE % "4k")
    found = page.run(COLUMN % "Block")
    check(found and set(found) == {"4k"}, "4k does not find 64k", found)
    page.run(TYPE % "4k write")
    check(all("write" in s for s in page.run(COLUMN % "Load")), "all words must match")
    same(page.run(TYPE % "4k nosuchword"), "0 of %d rows" % everything, "nothing found")
    page.run(TYPE % "")
    choices = page.run("[...document.querySelectorAll('.filt option')].map(o => o.textContent)")
    check(choices[0] == "all" and len(choices) > 2, "limits to choose from", choices)
    page.run("""{ const s = document.querySelector('.filt select'); s.selectedIndex = 1;
        s.dispatchEvent(new Event('change')); }""")
    same(set(page.run(COLUMN % "Limited by")), {choices[1]}, "only that limit")
    quiet(page, "sorting and filtering")
    page.close()


def check_long_table(browser, path):
    page = Page(browser, path)
    count = "document.querySelectorAll('#cells tbody tr').length"
    same(page.run(count), 500, "the first 500 rows")
    total = int(page.run(TYPE % "").split()[2])
    check(total > 500, "and more in the file", total)
    page.run("document.querySelector('button.more').click()")
    check(page.run(count) == min(1000, total), "500 more on demand", page.run(count))
    page.run(CLICK % "QD")
    page.run(CLICK % "QD")
    same(page.run(COLUMN % "QD")[0], "1", "sorting sees the rows that were not shown")
    last = page.run("JSON.parse(document.getElementById('rows').textContent).at(-1)[0]")
    page.run(TYPE % " ".join(last[:3]))
    check(page.run(count) >= 1, "filtering as well", last)
    row = page.run("[...document.querySelector('#cells tbody tr').cells].map(c => c.textContent)")
    same(row, last, "a row made on demand is as it would have been written")
    quiet(page, "a long table")
    page.close()


def check_marks(browser, path):
    page = Page(browser, path)
    page.run("document.querySelector('.plot').focus()")
    same(page.run("document.activeElement.className"), "plot", "a chart is a tab stop")
    page.key("ArrowRight")
    first = page.run("document.querySelector('.say').textContent")
    check(len(first) > 5, "an arrow key reads the first mark", first)
    same(page.run("document.querySelector('.plot .tip').hidden"), False, "and shows its tooltip")
    page.key("ArrowRight")
    check(page.run("document.querySelector('.say').textContent") != first, "the next one")
    page.key("Escape")
    same(page.run("document.querySelector('.plot .tip').hidden"), True, "Escape hides it")
    quiet(page, "reading marks")
    page.close()


def check_print(browser, path):
    page = Page(browser, path, scheme="dark")
    headline = page.run("document.querySelector('h1').textContent")
    pdf = page.pdf()
    check(pdf.startswith(b"%PDF"), "it prints")
    page.close()
    if not shutil.which("pdftotext"):
        skipped.append("pdftotext is missing: the text of the print is not checked")
        return
    with tempfile.NamedTemporaryFile(suffix=".pdf") as f:
        f.write(pdf)
        f.flush()
        text = subprocess.run(["pdftotext", "-layout", f.name, "-"], capture_output=True,
                              text=True, check=True).stdout
        flat = " ".join(text.split())
        check(headline in flat, "the verdict is printed", headline)
        check("Light or dark" not in flat and "Filter" not in flat, "controls are not printed")
        check("Limited by" in flat, "the table is printed")
        shown = page_values_printed(flat)
        check(shown, "the closed tables under the charts are printed")
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["pdftoppm", "-r", "20", "-f", "1", "-l", "1", f.name,
                            os.path.join(folder, "p")], check=True)
            picture = open(os.path.join(folder, sorted(os.listdir(folder))[0]), "rb").read()
            check(picture[-3:] == b"\xff\xff\xff", "printed on white, whatever the theme")


def check_long_print(browser, path):
    """Headings come again on each sheet; what the long table has is not printed under each chart as well."""
    if not shutil.which("pdftotext"):
        return
    page = Page(browser, path)
    with tempfile.NamedTemporaryFile(suffix=".pdf") as f:
        f.write(page.pdf())
        f.flush()
        text = subprocess.run(["pdftotext", "-layout", f.name, "-"], capture_output=True,
                              text=True, check=True).stdout
    page.close()
    rows = re.compile(r"^ *\d+(\.\d+)?k +[1-8] +[\d,.]+", re.M)
    sheets = [s for s in text[text.rindex(" results: random read"):].split("\f") if rows.search(s)]
    check(len(sheets) > 5, "a long table takes sheets", len(sheets))
    for s in sheets:
        check("Limited by" in s, "a sheet of the table has its headings", s[:200])
    same(sum(len(rows.findall(s)) for s in sheets), 500, "the rows of the page are printed")
    before = text[:text.rindex(" results: random read")]
    check(len(rows.findall(before)) < 100, "and not under each chart", len(rows.findall(before)))


def page_values_printed(flat):
    """Each chart has "Values of this chart", followed by a heading of its table."""
    return re.search(r"Values of this chart (?!Values)\w", flat) is not None


def check_policy(browser, path):
    html = open(path, encoding="utf-8").read()
    with tempfile.NamedTemporaryFile("w", suffix=".html", encoding="utf-8") as f:
        f.write(html.replace("box-sizing", "box-sizinG", 1))
        f.flush()
        page = Page(browser, f.name)
        check(any("Content Security Policy" in line for line in page.console()),
              "one changed byte of the style is refused")
        page.close()


def check_hostile(browser, path):
    page = Page(browser, path)
    check("onerror" in page.run("document.body.textContent"), "the name is shown as text")
    same(page.run("document.querySelectorAll('img').length"), 0, "and makes no element")
    same(page.run("document.scripts.length") <= 2, True, "nor a script")
    quiet(page, "hostile names")
    page.close()


def check_failed(browser, path):
    """The reason of a failure is a sentence in a column of words."""
    for width in (320, 1000):
        page = Page(browser, path, width=width)
        check("failed: " in page.run("document.querySelector('#cells').textContent"), "the reason is told")
        same(page.run("document.documentElement.scrollWidth"), width, "failed cells: nothing sticks out")
        same(page.run("[...document.querySelectorAll('select')].every(e => "
                      "e.getBoundingClientRect().right <= innerWidth)"), True, "nor does a choice")
        if width > 900:
            same(page.run("(t => t.scrollWidth <= t.clientWidth)(document.querySelector('#cells')."
                          "closest('.wide'))"), True, "the table fits its column")
        quiet(page, "failed cells")
        page.close()


def pictures(browser, path, folder):
    for name, more in (("light", {}), ("dark", {"fragment": "#dark"}), ("narrow", {"width": 320})):
        page = Page(browser, path, **more)
        with open(os.path.join(folder, name + ".png"), "wb") as f:
            f.write(page.screenshot())
        if name == "light":
            with open(os.path.join(folder, "print.pdf"), "wb") as f:
                f.write(page.pdf())
        page.close()


def main():
    chromium = find()
    if not chromium:
        print("skipped: there is no Chromium here")
        return 77
    sweep, long_table, hostile, failed = sys.argv[1:5]
    browser = Chromium(chromium)
    try:
        check_words(browser, sweep)
        check_themes(browser, sweep)
        check_narrow(browser, sweep)
        check_widths(browser, sweep)
        check_without_script(browser, sweep)
        check_table(browser, sweep)
        check_marks(browser, sweep)
        check_print(browser, sweep)
        check_long_print(browser, long_table)
        check_policy(browser, sweep)
        check_long_table(browser, long_table)
        check_hostile(browser, hostile)
        check_failed(browser, failed)
        if len(sys.argv) > 5:
            pictures(browser, sweep, sys.argv[5])
    finally:
        browser.close()
    for why in skipped:
        print("skipped:", why)
    return 1 if failures else 77 if skipped else 0


sys.exit(main())
