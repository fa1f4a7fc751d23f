package io.dualstackd.agent.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The page in a real browser shows what the commands print. With {@code -Dpictures.update=true} its pictures in {@code docs} are made anew.
 */
@Tag("kernel")
final class BrowserPageTest {
    private static final String PAGE = "http://127.0.0.1:10246/ui/";
    private static final Path PICTURES = Path.of("../docs/pictures");

    @TempDir
    private Path folder;

    private static void eventually(org.awaitility.core.ThrowingRunnable assertion) {
        await().atMost(Duration.ofMinutes(1)).pollDelay(Duration.ZERO).untilAsserted(assertion);
    }

    private static String shown(Chromium browser) {
        try {
            return browser.evaluate("document.body.innerText");
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static void awaitRows(Chromium browser) {
        eventually(() -> assertThat(browser.evaluate("document.querySelectorAll('#rows .row').length"))
                .as(() -> shown(browser))
                .isNotIn("0"));
    }

    @Test
    void itShowsWhatTheCommandsPrint() throws Exception {
        try (HostUnderTest host = HostUnderTest.in(folder.resolve("host"))) {
            host.commands().run("ip", "link", "set", "lo", "up");
            host.commands().run("ip", "link", "add", "eth0", "type", "veth", "peer", "name", "eth1");
            host.commands().run("ip", "link", "set", "eth1", "up");
            host.commands().run("ip", "address", "add", "192.0.2.7/24", "dev", "eth0");
            host.commands().run("ip", "address", "add", "2001:db8::7/64", "dev", "eth0", "nodad");
            host.commands().run("ip", "link", "set", "eth0", "up");
            host.commands().run("ip", "route", "add", "default", "dev", "eth0");
            host.put("web.yaml", Manifests.service("web", 1, "") + Manifests.slices("web", 0, 2));
            host.put("lost.yaml", Manifests.service("lost", 2, ""));
            host.put(
                    "many.yaml",
                    IntStream.range(10, 310)
                            .mapToObj(number -> Manifests.service("many-" + number, number, ""))
                            .collect(Collectors.joining()));
            RunningDaemon daemon = host.start("--proxy-mode", "nftables", "--ui-bind-address", "127.0.0.1");
            daemon.awaitInForce();
            try (Chromium browser = Chromium.start(host.ns(), folder.resolve("chromium"))) {
                // The rules are in force before the page is open.
                eventually(() -> {
                    browser.open(PAGE, 1280, 1000, false);
                    assertThat(browser.evaluate("document.getElementById('rows') !== null"))
                            .isEqualTo("true");
                });
                awaitRows(browser);
                showsTheStatus(browser, host);
                showsTheServices(browser);
                keepsToItsPolicy(browser);
                followsChanges(browser, host);
                countsConnections(browser, host);
                explains(browser, host);
                picture(browser, "page-light.png");
                browser.open(PAGE, 1280, 1000, true);
                awaitRows(browser);
                eventually(() -> assertThat(browser.evaluate("getComputedStyle(document.body).backgroundColor"))
                        .isEqualTo("rgb(13, 17, 23)"));
                picture(browser, "page-dark.png");
                browser.open(PAGE, 400, 900, false);
                awaitRows(browser);
                assertThat(browser.evaluate(
                                "document.documentElement.scrollWidth - document.documentElement.clientWidth"))
                        .as("what is wider than the screen")
                        .isEqualTo("0");
                picture(browser, "page-narrow.png");
                daemon.terminate();
                eventually(() -> assertThat(browser.evaluate("document.getElementById('offline').textContent"))
                        .startsWith("Old, because the daemon does not answer: "));
            }
        }
    }

    private static void showsTheStatus(Chromium browser, HostUnderTest host) throws Exception {
        HostUnderTest.Ended status =
                host.run("status", "-o", "json", "--admin-socket", host.socket().toString());
        assertThat(status.out()).startsWith("{");
        String shown = "[document.getElementById('node').textContent, document.getElementById('health').textContent,"
                + " [...document.querySelectorAll('#families tbody tr')].map(row => [...row.cells].slice(0, 5).map(cell => cell.textContent)),"
                + " [...document.querySelectorAll('#addresses tbody tr')].map(row => [...row.cells].map(cell => cell.textContent)),"
                + " [...document.querySelectorAll('#reasons li')].map(item => item.textContent)]";
        String printed = "(status => [status.node, status.health,"
                + " status.families.map(each => [each.family, each.phase, each.mode, String(each.objects.services), String(each.objects.endpoints)]),"
                + " status.nodeAddresses.map(each => [each.type, each.address, each.reason]),"
                + " status.reasons.map(each => each.text)])(" + status.out() + ")";
        eventually(() -> assertThat(browser.evaluate("JSON.stringify(" + shown + ")"))
                .isEqualTo(browser.evaluate("JSON.stringify(" + printed + ")"))
                .contains("IPv6", "nftables", "302"));
    }

    private static void showsTheServices(Chromium browser) throws Exception {
        assertThat(browser.evaluate("document.getElementById('matching').textContent"))
                .isEqualTo("302 Services");
        assertThat(Integer.parseInt(browser.evaluate("document.querySelectorAll('#rows .row').length")))
                .as("rows in the document, of 302")
                .isBetween(8, 60);
        browser.press("/");
        assertThat(browser.evaluate("document.activeElement.id")).isEqualTo("filter");
        for (String character : List.of("l", "o", "s", "t")) {
            browser.press(character);
        }
        eventually(() -> assertThat(browser.evaluate("document.getElementById('matching').textContent"))
                .isEqualTo("1 of 302 Services"));
        assertThat(
                        browser.evaluate(
                                "[...document.querySelector('#rows .row').children].slice(0, 4).map(part => part.textContent).join('|')"))
                .isEqualTo("e2e/lost|10.96.0.3:80/tcp  [fd00:10:96::3]:80/tcp|IPv4 0, IPv6 0|no endpoint");
        browser.evaluate("(document.getElementById('filter').value = '',"
                + " document.getElementById('filter').dispatchEvent(new Event('input')),"
                + " document.getElementById('filter').blur())");
        eventually(() -> assertThat(browser.evaluate("document.getElementById('matching').textContent"))
                .isEqualTo("302 Services"));
        browser.evaluate("document.getElementById('rows').scrollTop = 1e6");
        eventually(() -> assertThat(
                        browser.evaluate("[...document.querySelectorAll('#rows .row')].at(-1).dataset.service"))
                .isEqualTo("e2e/web"));
    }

    /** The page's own policy refuses what is not its own; all that it has fetched came from its origin. */
    private static void keepsToItsPolicy(Chromium browser) throws Exception {
        assertThat(browser.evaluate("performance.getEntriesByType('resource').map(each => each.name)"
                        + ".filter(name => !name.startsWith('" + PAGE + "')).join()"))
                .isEmpty();
        assertThat(
                        browser.evaluate(
                                "fetch('http://127.0.0.1:10249/metrics', {mode: 'no-cors'}).then(() => 'reached', () => 'refused')"))
                .isEqualTo("refused");
    }

    private static void followsChanges(Chromium browser, HostUnderTest host) throws Exception {
        host.put("web.yaml", Manifests.service("web", 1, "") + Manifests.slices("web", 0, 7));
        eventually(() -> assertThat(browser.evaluate(
                        "document.querySelector('[data-service=\"e2e/web\"]').children[2].textContent"))
                .isEqualTo("IPv4 7, IPv6 7"));
        eventually(() -> assertThat(browser.evaluate("document.getElementById('events').textContent"))
                .contains("in force", "e2e/web"));
        eventually(() -> assertThat(
                        Integer.parseInt(browser.evaluate("document.querySelectorAll('#latency circle').length")))
                .isPositive());
    }

    private static void countsConnections(Chromium browser, HostUnderTest host) throws Exception {
        host.commands()
                .run(
                        "bash",
                        "-c",
                        "for i in 1 2 3 4 5; do timeout 0.2 bash -c '</dev/tcp/10.96.0.2/80' 2>/dev/null; done; true");
        eventually(() -> assertThat(browser.evaluate(
                        "document.querySelector('[data-service=\"e2e/web\"]').children[4].textContent"))
                .endsWith("/s, 5 in all"));
        assertThat(browser.evaluate("document.querySelectorAll('[data-service=\"e2e/web\"] svg path').length"))
                .isEqualTo("1");
    }

    private static void explains(Chromium browser, HostUnderTest host) throws Exception {
        HostUnderTest.Ended printed = host.run(
                "explain",
                "10.244.0.9",
                "10.96.0.2:80",
                "--admin-socket",
                host.socket().toString());
        browser.press("e");
        assertThat(browser.evaluate("document.activeElement.id")).isEqualTo("explain-destination");
        browser.evaluate("(document.getElementById('explain-source').value = '10.244.0.9',"
                + " document.getElementById('explain-destination').value = '10.96.0.2:80',"
                + " document.getElementById('explain').requestSubmit())");
        eventually(() -> assertThat(browser.evaluate("document.getElementById('explanation').textContent"))
                .isEqualTo(printed.out())
                .contains("e2e/web"));
        browser.evaluate("(document.getElementById('explain-destination').value = 'nonsense',"
                + " document.getElementById('explain').requestSubmit())");
        eventually(() -> assertThat(browser.evaluate("document.getElementById('explanation').className"))
                .isEqualTo("bad"));
        browser.evaluate("(document.getElementById('explain-destination').value = '10.96.0.2:80',"
                + " document.getElementById('explain').requestSubmit())");
    }

    private static void picture(Chromium browser, String name) throws Exception {
        byte[] png = browser.picture();
        assertThat(png).hasSizeGreaterThan(10_000);
        if (Boolean.getBoolean("pictures.update")) {
            Files.createDirectories(PICTURES);
            Files.write(PICTURES.resolve(name), png);
        }
        assertThat(PICTURES.resolve(name)).exists();
    }
}
