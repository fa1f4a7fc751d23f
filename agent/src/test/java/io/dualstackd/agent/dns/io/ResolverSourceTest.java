package io.dualstackd.agent.dns.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.agent.config.DnsSettings;
import io.dualstackd.dns.forward.Nameserver;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPort;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ResolverSourceTest {
    private static final List<Ip> SERVICE = List.of(Ip.parse("10.96.0.10"), Ip.parse("fd00:96::a"));
    private static final List<IpPort> OPEN =
            List.of(new IpPort(Ip.parse("192.0.2.10"), 10_053), new IpPort(Ip.parse("169.254.20.10"), 53));

    @TempDir
    private Path folder;

    private final List<String> notes = new ArrayList<>();
    private Path file;
    private ResolverSource source;

    @BeforeEach
    void of() {
        file = folder.resolve("resolv.conf");
        source = new ResolverSource(new DnsSettings.Upstream.ResolvConfFile(file.toString()));
    }

    private List<String> read(String text) throws IOException {
        return read(text.getBytes(StandardCharsets.UTF_8));
    }

    private List<String> read(byte[] text) throws IOException {
        Files.write(file, text);
        notes.clear();
        return source.read(SERVICE, OPEN, notes).stream()
                .map(Nameserver::toString)
                .toList();
    }

    @Test
    void leavesOutOwnAddressAndReportsIt() throws IOException {
        assertThat(read("nameserver 192.0.2.1\n")).containsExactly("192.0.2.1:53");
        assertThat(notes).isEmpty();
        for (String own : List.of("10.96.0.10", "fd00:96::a", "169.254.20.10")) {
            assertThat(read("nameserver " + own + "\nnameserver 192.0.2.1\n")).containsExactly("192.0.2.1:53");
            assertThat(notes).singleElement().asString().contains("is this server itself", own);
            assertThat(read("nameserver " + own + "\n")).isEmpty();
            assertThat(notes)
                    .anyMatch(note -> note.contains("is this server itself"))
                    .anyMatch(note -> note.contains("names outside of the domain are refused"));
        }
        // Another program of this node, on the port of DNS.
        assertThat(read("nameserver 192.0.2.10\n")).containsExactly("192.0.2.10:53");
        assertThat(notes).isEmpty();
    }

    @Test
    void commentInAnotherEncodingIsIgnored() throws IOException {
        assertThat(read("# f\u00fcr alle\nnameserver 192.0.2.1\n".getBytes(StandardCharsets.ISO_8859_1)))
                .containsExactly("192.0.2.1:53");
        assertThat(notes).isEmpty();
    }

    @Test
    void aFileThatIsGoneLeavesTheLastOnesAndAnEmptyOneDoesNot() throws IOException {
        assertThat(read("nameserver 192.0.2.1\n")).hasSize(1);
        Files.delete(file);
        notes.clear();
        assertThat(source.read(SERVICE, OPEN, notes)).hasSize(1);
        assertThat(notes).singleElement().asString().contains("cannot be read");
        assertThat(read("nameserver 192.0.2.2\n")).containsExactly("192.0.2.2:53");
        assertThat(read("")).isEmpty();
        assertThat(notes).singleElement().asString().contains("names no resolver");
    }

    @Test
    void aFileWithoutAnEndIsNotReadWhole() {
        ResolverSource endless = new ResolverSource(new DnsSettings.Upstream.ResolvConfFile("/dev/zero"));
        assertThat(endless.read(SERVICE, OPEN, notes)).isEmpty();
        assertThat(notes).anyMatch(note -> note.contains("/dev/zero"));
    }
}
