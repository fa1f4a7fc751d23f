package io.dualstackd.agent.dns.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.agent.config.DnsSettings;
import io.dualstackd.dns.forward.Nameserver;
import io.dualstackd.netlink.ip.Ip;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ResolverSourceTest {
    private static final List<Ip> OWN = List.of(Ip.parse("10.96.0.10"), Ip.parse("fd00:96::a"));

    @TempDir
    private Path folder;

    private final List<String> notes = new ArrayList<>();

    private List<String> read(ResolverSource source) {
        notes.clear();
        return source.read(OWN, notes).stream().map(Nameserver::toString).toList();
    }

    @Test
    void aFileIsFollowedAndStaysInForceWhileItCannotBeRead() throws IOException {
        Path file = Files.writeString(folder.resolve("resolv.conf"), "nameserver 192.0.2.1\nsearch example.com\n");
        ResolverSource source = new ResolverSource(new DnsSettings.Upstream.ResolvConfFile(file.toString()));
        assertThat(read(source)).containsExactly("192.0.2.1:53");
        assertThat(notes).isEmpty();
        Files.writeString(file, "nameserver 2001:db8::1\nnameserver resolver.example\n");
        assertThat(read(source)).containsExactly("[2001:db8::1]:53");
        assertThat(notes).singleElement().asString().contains(file.toString(), "line 2", "is not an IP address");
        Files.delete(file);
        assertThat(read(source)).containsExactly("[2001:db8::1]:53");
        assertThat(notes).singleElement().asString().contains("cannot be read", file.toString());
        Files.writeString(file, "");
        assertThat(read(source)).isEmpty();
        assertThat(notes).singleElement().asString().contains("are refused", "names no resolver");
    }

    @Test
    void theServerDoesNotAskItselfByItsService() {
        ResolverSource source = new ResolverSource(new DnsSettings.Upstream.Resolvers(List.of(
                new Nameserver(Ip.parse("10.96.0.10"), "", 53), new Nameserver(Ip.parse("192.0.2.1"), "", 5353))));
        assertThat(read(source)).containsExactly("192.0.2.1:5353");
        assertThat(notes).singleElement().asString().contains("is this server itself");
    }

    @Test
    void noneIsNoProblem() {
        assertThat(read(new ResolverSource(new DnsSettings.Upstream.None()))).isEmpty();
        assertThat(notes).isEmpty();
    }
}
