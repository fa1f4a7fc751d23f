package io.dualstackd.pages.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.pages.health.HttpRequest.Reading;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class HttpRequestTest {
    private static Reading read(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        return HttpRequest.read(bytes, bytes.length);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
                    GET /healthz HTTP/1.1           | GET  | /healthz | ''
                    HEAD / HTTP/1.0                 | HEAD | /        | ''
                    GET /healthz?verbose HTTP/1.1   | GET  | /healthz | verbose
                    POST /a/b?c=/d#e HTTP/1.1       | POST | /a/b     | c=/d
                    """)
    void parsesRequestLine(String line, String method, String path, String query) {
        Reading.Complete withHost = new Reading.Complete(new HttpRequest(method, path, query, "", "x:80"));
        assertThat(read(line + "\r\nHost: x:80\r\n\r\n")).isEqualTo(withHost);
        assertThat(read(line + "\nhost:x:80\n\n")).isEqualTo(withHost);
        assertThat(read(line + "\nhost:x:80\n\r\n")).isEqualTo(withHost);
        assertThat(read(line + "\r\nhost:x:80\r\n\n")).isEqualTo(withHost);
        assertThat(read(line + "\n\nHost: body\r\n\r\n"))
                .isEqualTo(new Reading.Complete(new HttpRequest(method, path, query, "", "")));
        assertThat(read(line + "\r\n\r\nHost: body\r\n\r\n"))
                .isEqualTo(new Reading.Complete(new HttpRequest(method, path, query, "", "")));
    }

    /** As a client writes that believes it talks to a proxy; RFC 9112 §3.2.2 demands that a server understands it. */
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "http://n1:10256/healthz, n1:10256, /healthz, ''",
        "HTTP://[fd00::1]:10256/livez?a=b#c, [fd00::1]:10256, /livez, a=b",
        "https://n1, n1, /, ''",
        "http://n1?x=/y, n1, /, x=/y"
    })
    void aTargetMayHaveSchemeAndHost(String target, String host, String path, String query) {
        assertThat(read("GET " + target + " HTTP/1.1\r\nHost: other\r\n\r\n"))
                .isEqualTo(new Reading.Complete(new HttpRequest("GET", path, query, "", host)));
    }

    @ParameterizedTest
    @CsvSource({
        "a=10.0.0.1%3A80, 10.0.0.1:80",
        "b=1&a=x+y, x y",
        "a=%C3%A4&a=2, ä",
        "a=100%, ''",
        "a=%zz, ''",
        "b=1, ''",
    })
    void valuesAreDecoded(String query, String expected) {
        assertThat(new HttpRequest("GET", "/", query, "", "").value("a")).isEqualTo(expected);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "GET /",
        "GET / HTTP/2.0",
        "get / HTTP/1.1",
        "GET  HTTP/1.1",
        "GET x HTTP/1.1",
        "GET http:///x HTTP/1.1",
        "GET ftp://n1/x HTTP/1.1",
        "OPTIONS * HTTP/1.1",
        "GET / HTTP/1.1 x",
        "SSH-2.0-x"
    })
    void rejectsMalformedRequests(String line) {
        assertThat(read(line + "\r\n\r\n")).isEqualTo(new Reading.Malformed());
    }

    @Test
    void everyBeginningNeedsMore() {
        String whole = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n";
        for (int length = 0; length < whole.length(); length++) {
            assertThat(read(whole.substring(0, length))).isEqualTo(new Reading.More());
        }
    }

    @Test
    void endlessHeaderIsRejected() {
        assertThat(read("GET / HTTP/1.1\r\n" + "X: y\r\n".repeat(2000))).isEqualTo(new Reading.Malformed());
    }

    @Test
    void headGetsNoBody() {
        HttpAnswer answer = HttpAnswer.text(503, "no\n");
        String head = String.join(
                "\r\n",
                "HTTP/1.1 503 Service Unavailable",
                "Content-Type: text/plain; charset=utf-8",
                "X-Content-Type-Options: nosniff",
                "Content-Length: 3",
                "Connection: close",
                "",
                "");
        assertThat(new String(answer.encoded(false), StandardCharsets.UTF_8)).isEqualTo(head);
        assertThat(new String(answer.encoded(true), StandardCharsets.UTF_8)).isEqualTo(head + "no\n");
    }

    @Test
    void parsesAcceptHeaderAndQuery() {
        String text = "GET /readyz?verbose&exclude=a&exclude=b HTTP/1.1\r\naccept:  text/plain \r\n\r\n";
        assertThat(read(text)).isInstanceOfSatisfying(Reading.Complete.class, complete -> {
            assertThat(complete.request().accept()).isEqualTo("text/plain");
            assertThat(complete.request().values("exclude")).containsExactly("a", "b");
            assertThat(complete.request().values("verbose")).containsExactly("");
            assertThat(complete.request().values("verb")).isEmpty();
        });
    }
}
