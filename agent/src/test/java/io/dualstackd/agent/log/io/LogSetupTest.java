package io.dualstackd.agent.log.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.agent.log.LogFormat;
import io.dualstackd.agent.log.LogLevel;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

final class LogSetupTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final Logger log = LoggerFactory.getLogger("dataplane");

    private void install(LogFormat format, LogLevel level) {
        LogSetup.install(format, level, new PrintStream(bytes, true, StandardCharsets.UTF_8));
    }

    private List<String> lines() {
        return bytes.toString(StandardCharsets.UTF_8).lines().toList();
    }

    @AfterEach
    void restore() {
        LogSetup.install(LogFormat.TEXT, LogLevel.INFO, System.err);
    }

    @Test
    void textIsOneAlignedLine() {
        install(LogFormat.TEXT, LogLevel.INFO);
        log.info("programmed family={} ms={}", "IPv4", 3);
        log.error("refused kernel=\"{}\"", "no\nsuch\u001bfile");
        log.debug("not shown");
        assertThat(lines()).hasSize(2);
        assertThat(lines().get(0))
                .matches(
                        "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z INFO  dataplane  programmed family=IPv4 ms=3");
        assertThat(lines().get(1)).endsWith(" ERROR dataplane  refused kernel=\"no\\nsuch\\u001bfile\"");
    }

    @Test
    void stackTracesAreIndented() {
        install(LogFormat.TEXT, LogLevel.INFO);
        log.warn("our mistake", new IllegalStateException("x"));
        assertThat(lines().get(1)).isEqualTo("    java.lang.IllegalStateException: x");
        assertThat(lines().subList(1, lines().size())).allMatch(l -> l.startsWith("    "));
    }

    @Test
    void librariesDoNotFillDebugAndTrace() {
        for (LogLevel level : List.of(LogLevel.DEBUG, LogLevel.TRACE)) {
            install(LogFormat.TEXT, level);
            for (String library : List.of("jdk.event.security", "io.netty.channel.nio", "io.grpc.internal")) {
                Logger theirs = LoggerFactory.getLogger(library);
                theirs.debug("X509Certificate");
                theirs.trace("frame");
                assertThat(lines()).isEmpty();
            }
        }
        LoggerFactory.getLogger("io.netty.channel.nio").warn("odd");
        assertThat(lines()).hasSize(1);
    }

    @Test
    void levels() {
        install(LogFormat.TEXT, LogLevel.TRACE);
        log.trace("t");
        log.debug("d");
        log.warn("w");
        assertThat(lines()).extracting(l -> l.substring(25, 30)).containsExactly("TRACE", "DEBUG", "WARN ");
        install(LogFormat.TEXT, LogLevel.ERROR);
        log.warn("silent");
        assertThat(lines()).hasSize(3);
    }

    /** As when the configuration is read again. */
    @Test
    void aNewSetupLosesNoLine() throws InterruptedException {
        int count = 20_000;
        install(LogFormat.TEXT, LogLevel.INFO);
        PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        Thread other = Thread.ofPlatform().start(() -> {
            for (int i = 0; i < count; i++) {
                log.info("line number={}", i);
            }
        });
        while (other.isAlive()) {
            LogSetup.install(LogFormat.TEXT, LogLevel.INFO, out);
        }
        other.join();
        assertThat(lines().stream()
                        .map(line -> line.substring(line.indexOf('=') + 1))
                        .distinct())
                .hasSize(count);
    }

    @Test
    void jsonTakesThePairsOut() {
        install(LogFormat.JSON, LogLevel.INFO);
        log.info("refused op=\"add \\\"x\\\"\" errno=ENOENT next=reread a==b");
        assertThat(lines()).hasSize(1);
        assertThat(lines().getFirst())
                .contains("\"level\":\"INFO\",\"logger\":\"dataplane\",\"thread\":\"")
                .contains("\"msg\":\"refused\",")
                .endsWith(
                        "\"fields\":{\"op\":\"add \\\"x\\\"\",\"errno\":\"ENOENT\",\"next\":\"reread\",\"a\":\"=b\"}}");
        log.info("plain");
        assertThat(lines().get(1)).endsWith("\"msg\":\"plain\"}");
        log.error("boom", new IllegalStateException("x"));
        assertThat(lines().get(2)).contains("\"exception\":\"java.lang.IllegalStateException: x\\n");
    }
}
