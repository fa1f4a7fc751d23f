package io.dualstackd.agent.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page with 10,000 Services: scrolled in a real browser, it has and asks for no more than is in sight. */
@Tag("kernel")
final class BrowserScrollTest {
    private static final String PAGE = "http://127.0.0.1:10246/ui/";
    private static final int SERVICES = 10_000;
    private static final int STEPS = 100;
    /** Those in sight in a window of 1,000 pixels, and ten above and below. */
    private static final int MOST_ROWS = 60;

    /** A row with an address and a port of each family has less than 600 bytes. */
    private static final int MOST_BYTES = MOST_ROWS * 600;

    /** Scrolls to the end in steps, each with a frame to draw; what the document holds is looked at in every frame. */
    private static final String SCROLL = """
            (async () => {
              const list = document.getElementById('rows');
              const frame = () => new Promise((done) => requestAnimationFrame(done));
              const end = list.scrollHeight - list.clientHeight;
              performance.clearResourceTimings();
              let rows = 0;
              const times = [];
              let before = await frame();
              for (let step = 1; step <= %d; step++) {
                list.scrollTop = end * step / %d;
                const now = await frame();
                times.push(Math.round(now - before));
                before = now;
                rows = Math.max(rows, document.querySelectorAll('#rows .row').length);
              }
              const asked = performance.getEntriesByType('resource').filter((each) => each.name.includes('api/services'));
              times.sort((a, b) => a - b);
              return [rows, asked.length, Math.max(...asked.map((each) => each.encodedBodySize)),
                times[times.length >> 1], times[times.length - 1]].join(' ');
            })()
            """.formatted(STEPS, STEPS);

    @TempDir
    private Path folder;

    private static void eventually(org.awaitility.core.ThrowingRunnable assertion) {
        await().atMost(Duration.ofMinutes(1)).pollDelay(Duration.ZERO).untilAsserted(assertion);
    }

    @Test
    void tenThousandServicesAreScrolled() throws Exception {
        try (HostUnderTest host = HostUnderTest.in(folder.resolve("host"))) {
            host.commands().run("ip", "link", "set", "lo", "up");
            host.put(
                    "many.yaml",
                    IntStream.range(0, SERVICES)
                            .mapToObj(number -> Manifests.service("web-%05d".formatted(number), number, ""))
                            .collect(Collectors.joining()));
            RunningDaemon daemon = host.start("--proxy-mode", "nftables", "--ui-bind-address", "127.0.0.1");
            daemon.awaitInForce();
            try (Chromium browser = Chromium.start(host.ns(), folder.resolve("chromium"))) {
                eventually(() -> {
                    browser.open(PAGE, 1280, 1000, false);
                    assertThat(browser.evaluate("document.getElementById('rows') !== null"))
                            .isEqualTo("true");
                });
                eventually(() -> assertThat(browser.evaluate("document.getElementById('matching').textContent"))
                        .isEqualTo(SERVICES + " Services"));
                List<Integer> scrolled = Arrays.stream(browser.evaluate(SCROLL).split(" ", -1))
                        .map(Integer::valueOf)
                        .toList();
                System.out.printf(
                        "scrolled in %d frames: median %d ms, longest %d ms; %d requests, the largest of %d bytes%n",
                        STEPS, scrolled.get(3), scrolled.get(4), scrolled.get(1), scrolled.get(2));
                assertThat(scrolled.get(0)).as("rows in the document").isBetween(8, MOST_ROWS);
                assertThat(scrolled.get(1)).as("requests").isBetween(1, STEPS + 5);
                assertThat(scrolled.get(2)).as("bytes of an answer").isBetween(1, MOST_BYTES);
                eventually(() -> assertThat(lastRow(browser)).isEqualTo("e2e/web-09999"));
                assertThat(browser.evaluate("[...document.querySelectorAll('#rows .row')].at(-1)"
                                + ".getAttribute('aria-posinset')"))
                        .isEqualTo(SERVICES + "");
                filters(browser);
            }
        }
    }

    private static String lastRow(Chromium browser) throws IOException {
        return browser.evaluate("[...document.querySelectorAll('#rows .row')].at(-1)?.dataset.service");
    }

    /** The daemon selects: the document never has the other Services. */
    private static void filters(Chromium browser) throws IOException {
        browser.evaluate("(performance.clearResourceTimings(),"
                + " document.getElementById('filter').value = 'web-0777 10.96.31.',"
                + " document.getElementById('filter').dispatchEvent(new Event('input')))");
        eventually(() -> assertThat(browser.evaluate("document.getElementById('matching').textContent"))
                .isEqualTo("10 of " + SERVICES + " Services"));
        assertThat(browser.evaluate(
                        "[...document.querySelectorAll('#rows .row')].map(row => row.dataset.service.at(-1)).join('')"))
                .isEqualTo("0123456789");
        assertThat(Integer.parseInt(browser.evaluate("performance.getEntriesByType('resource')"
                        + ".filter(each => each.name.includes('filter=web-0777')).at(-1).encodedBodySize")))
                .isBetween(1, 10 * 600);
    }
}
