package io.dualstackd.dataplane.rules.iptables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.ip.Proto;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RuleTest {
    @Test
    void headerMatchesComeFirstInAnyOrder() {
        Match source = new Match.Source(IpPrefix.parse("10.0.0.0/8"), true);
        Match protocol = new Match.Protocol(Proto.TCP);
        Match comment = new Match.Comment("why");
        Match port = new Match.AnyPort(Proto.TCP);
        assertThat(Rule.of(new Target.Accept(), port, comment, protocol, source).matches())
                .containsExactly(source, protocol, port, comment);
    }

    @Test
    void longCommentsAreCutBetweenCharacters() {
        assertThat(Match.Comment.of("x".repeat(300)).text()).isEqualTo("x".repeat(255));
        assertThat(Match.Comment.of("é".repeat(200)).text().getBytes(StandardCharsets.UTF_8))
                .hasSize(254);
        assertThat(Match.Comment.of("😀".repeat(64)).text()).isEqualTo("😀".repeat(63));
        assertThatThrownBy(() -> new Match.Comment("x".repeat(256))).hasMessageContaining("at most 255 bytes");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-j ACCEPT",
                "-m comment --comment \"quote \\\" backslash \\\\ apostrophe \\'\"",
                "-m comment --comment \"\" -j RETURN",
                "! -s 10.0.0.0/8 -d 10.1.2.3/32 ! -i cali+ -p sctp -m sctp --dport 1 -j DROP",
                "-m mark --mark 0x1 -j MARK --set-xmark 0x80000000/0xffffffff",
                "-m addrtype ! --src-type LOCAL -m addrtype ! --dst-type LOCAL -j MASQUERADE",
            })
    void parsedRulePrintsTheSameText(String text) {
        Rule rule = IptablesParser.rule(IpFamily.IPV4, text);
        assertThat(IptablesText.line(IpFamily.IPV4, "X", rule)).isEqualTo("-A X " + text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-m bpf --bytecode 1",
                "-j",
                "-m comment --comment \"open",
                "-m conntrack --ctstate OLD",
                "-m statistic --mode nth --every 2",
                "-m statistic --mode random --probability 1.5",
                "-j DNAT --to-destination 10.0.0.1",
                "--frag",
            })
    void refusesUnknownMatch(String text) {
        assertThatThrownBy(() -> IptablesParser.rule(IpFamily.IPV4, text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(text);
    }
}
