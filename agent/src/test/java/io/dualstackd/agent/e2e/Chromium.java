package io.dualstackd.agent.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.sys.NetNs;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A headless Chromium in a network namespace, driven by its DevTools protocol over two pipes: messages of JSON, each followed by a NUL.
 * A program named {@code timeout} ends it when the test does not.
 */
final class Chromium implements AutoCloseable {
    private static final int MAX_SECONDS = 600;

    private final Process process;
    private final OutputStream out;
    private final InputStream in;
    private final String session;
    private int last;

    private Chromium(Process process, OutputStream out, InputStream in) throws IOException {
        this.process = process;
        this.out = out;
        this.in = in;
        String target = text(call("", "Target.createTarget", "{\"url\":\"about:blank\"}"), "targetId");
        this.session = text(
                call("", "Target.attachToTarget", "{\"targetId\":\"" + target + "\",\"flatten\":true}"), "sessionId");
    }

    /** @param folder for what it writes */
    static Chromium start(NetNs ns, Path folder) throws Exception {
        Files.createDirectories(folder);
        Path to = folder.resolve("to");
        Path from = folder.resolve("from");
        for (Path pipe : List.of(to, from)) {
            assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                    .isZero();
        }
        String self =
                "/proc/" + ProcessHandle.current().pid() + "/fd/" + ns.fd().number();
        Process process = new ProcessBuilder(
                        "nsenter",
                        "--net=" + self,
                        "timeout",
                        "--kill-after=5",
                        MAX_SECONDS + "",
                        "sh",
                        "-c",
                        "exec chromium --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run"
                                + " --disable-background-networking --disable-component-update --lang=en-US"
                                + " --remote-debugging-pipe --user-data-dir=\"$1\" 3<\"$2\" 4>\"$3\"",
                        "sh",
                        folder.resolve("profile").toString(),
                        to.toString(),
                        from.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        return new Chromium(
                process, Files.newOutputStream(to), new BufferedInputStream(Files.newInputStream(from), 1 << 16));
    }

    void open(String url, int width, int height, boolean dark) throws IOException {
        command(
                "Emulation.setDeviceMetricsOverride",
                "{\"width\":%d,\"height\":%d,\"deviceScaleFactor\":1,\"mobile\":false}".formatted(width, height));
        command(
                "Emulation.setEmulatedMedia",
                "{\"features\":[{\"name\":\"prefers-color-scheme\",\"value\":\"%s\"}]}"
                        .formatted(dark ? "dark" : "light"));
        command("Page.navigate", "{\"url\":\"" + url + "\"}");
    }

    /** What an expression yields, as text; the answer of a promise. */
    String evaluate(String expression) throws IOException {
        String escaped = expression.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
        String answer = command(
                "Runtime.evaluate",
                "{\"awaitPromise\":true,\"returnByValue\":true,\"expression\":\"(async () => encodeURIComponent(String(await ("
                        + escaped + "))))()\"}");
        if (answer.contains("\"exceptionDetails\"")) {
            throw new IOException(expression + ": " + answer);
        }
        return URLDecoder.decode(text(answer, "value").replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    /** Presses a key that writes one character. */
    void press(String character) throws IOException {
        for (String type : List.of("keyDown", "keyUp")) {
            command(
                    "Input.dispatchKeyEvent",
                    "{\"type\":\"%s\",\"key\":\"%s\",\"text\":\"%s\"}".formatted(type, character, character));
        }
    }

    /** A picture of what is in sight, as PNG. */
    byte[] picture() throws IOException {
        return Base64.getDecoder().decode(text(command("Page.captureScreenshot", "{\"format\":\"png\"}"), "data"));
    }

    private String command(String method, String parameters) throws IOException {
        return call(",\"sessionId\":\"" + session + "\"", method, parameters);
    }

    /** Sends a request, and returns its answer; events that arrive meanwhile are dropped. */
    private String call(String more, String method, String parameters) throws IOException {
        int id = ++last;
        out.write(("{\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":" + parameters + more + "}\0")
                .getBytes(StandardCharsets.UTF_8));
        out.flush();
        while (true) {
            String message = message();
            if (message.startsWith("{\"id\":" + id + ",")) {
                if (message.contains("\"error\":{")) {
                    throw new IOException(method + ": " + message);
                }
                return message;
            }
        }
    }

    private String message() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int each = in.read(); each != 0; each = in.read()) {
            if (each < 0) {
                throw new IOException("Chromium has ended");
            }
            bytes.write(each);
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static String text(String json, String key) throws IOException {
        Matcher matcher = Pattern.compile("\"" + key + "\":\"([^\"]*)\"").matcher(json);
        if (!matcher.find()) {
            throw new IOException("no " + key + " in " + json);
        }
        return matcher.group(1);
    }

    @Override
    public void close() throws Exception {
        call("", "Browser.close", "{}");
        out.close();
        in.close();
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    }
}
