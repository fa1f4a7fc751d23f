package io.dualstackd.dns.forward;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.ip.Ip;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ResolversTest {
    private static final long SECOND = 1_000_000_000L;

    private static Nameserver server(String address) {
        return new Nameserver(Ip.parse(address), "", 53);
    }

    @Test
    void resolvConf() {
        ResolvConf conf = ResolvConf.parse("""
                # nameserver 192.0.2.9
                ; nameserver 192.0.2.9
                domain example.com
                search a.example.com b.example.com
                nameserver 192.0.2.1
                  nameserver\t2001:db8::1   # first\s
                nameserver fe80::1%eth0
                nameserver 192.0.2.1
                nameserver resolver.example.com
                nameserver
                nameservers 192.0.2.3
                nameserver 192.0.2.4%eth0
                options ndots:5 timeout:1
                """);
        assertThat(conf.nameservers())
                .containsExactly(
                        server("192.0.2.1"), server("2001:db8::1"), new Nameserver(Ip.parse("fe80::1"), "eth0", 53));
        assertThat(conf.problems())
                .containsExactly(
                        "line 9: nameserver \"resolver.example.com\" is not an IP address",
                        "line 10: nameserver \"\" is not an IP address",
                        "line 12: nameserver \"192.0.2.4%eth0\" is not an IP address");
        assertThat(conf.nameservers().getLast()).hasToString("[fe80::1%eth0]:53");
        assertThat(server("192.0.2.1")).hasToString("192.0.2.1:53");
        assertThat(ResolvConf.parse("").nameservers()).isEmpty();
    }

    @Test
    void silentResolversAreTriedLastForAWhile() {
        Nameserver a = server("192.0.2.1");
        Nameserver b = server("192.0.2.2");
        Nameserver c = server("192.0.2.3");
        NameserverOrder order = new NameserverOrder(List.of(a, b, c));
        // Clocks may be negative.
        long now = -5 * SECOND;
        assertThat(order.at(now)).containsExactly(a, b, c);
        order.silent(a, now);
        assertThat(order.at(now + SECOND)).containsExactly(b, c, a);
        order.silent(b, now + SECOND);
        assertThat(order.at(now + SECOND)).containsExactly(c, a, b);
        assertThat(order.at(now + NameserverOrder.REST)).containsExactly(a, c, b);
        order.answered(b);
        assertThat(order.at(now + NameserverOrder.REST)).containsExactly(a, b, c);
    }

    @Test
    void whenAllAreSilentThatIsKnownForAWhile() {
        Nameserver a = server("192.0.2.1");
        Nameserver b = server("192.0.2.2");
        assertThat(new NameserverOrder(List.of()).allSilent(0)).isFalse();
        NameserverOrder order = new NameserverOrder(List.of(a, b));
        assertThat(order.allSilent(0)).isFalse();
        order.silent(a, 0);
        assertThat(order.allSilent(0)).isFalse();
        order.silent(b, SECOND);
        assertThat(order.allSilent(SECOND)).isTrue();
        assertThat(order.allSilent(NameserverOrder.SILENT)).isFalse();
        order.silent(a, NameserverOrder.SILENT);
        assertThat(order.allSilent(NameserverOrder.SILENT)).isTrue();
        order.answered(b);
        assertThat(order.allSilent(NameserverOrder.SILENT)).isFalse();
    }

    @Test
    void shares() {
        Shares<String> shares = new Shares<>(2, 3);
        assertThat(shares.take("a")).isEqualTo(Shares.Outcome.GRANTED);
        assertThat(shares.take("a")).isEqualTo(Shares.Outcome.GRANTED);
        assertThat(shares.take("a")).isEqualTo(Shares.Outcome.CLIENT_HAS_ENOUGH);
        assertThat(shares.take("b")).isEqualTo(Shares.Outcome.GRANTED);
        assertThat(shares.take("b")).isEqualTo(Shares.Outcome.NONE_LEFT);
        shares.giveBack("a");
        assertThat(shares.take("b")).isEqualTo(Shares.Outcome.GRANTED);
        List.of("a", "b", "b").forEach(shares::giveBack);
        assertThat(shares.taken()).isZero();
        assertThat(shares.clients()).isZero();
    }
}
