package io.dualstackd.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class WrappingTest {
    private static final String SERVICES = """
        NAME   TYPE        CLUSTER-IP               EXTERNAL-IP   PORT(S)                      AGE
        db     ClusterIP   10.96.0.20               <none>        5433/TCP                     13s
        web    NodePort    10.96.0.10,fd00:96::10   <none>        80:30080/TCP,443:30443/TCP   13s
        """;

    @Test
    void theWidestColumnsOfATableAreBrokenAndTheOthersStayAligned() {
        assertThat(Wrapping.of(SERVICES, 80)).isEqualTo("""
            NAME   TYPE        CLUSTER-IP    EXTERNAL-IP   PORT(S)                      AGE
            db     ClusterIP   10.96.0.20    <none>        5433/TCP                     13s
            web    NodePort    10.96.0.10,   <none>        80:30080/TCP,443:30443/TCP   13s
                               fd00:96::10
            """);
        assertThat(Wrapping.of(SERVICES, 100)).isEqualTo(SERVICES);
    }

    @Test
    void wrapsBelowTheValue() {
        assertThat(Wrapping.of("""
            dualstackd 0.1.0 on node-1: healthy
            addresses  InternalIP 10.0.0.1 (ipv4: eth0 has the IPv4 default route via 10.0.0.254, metric 100)

                  MODE                  STATE  SERVICES  LAST CHANGE
            IPv4  iptables (nf_tables)  ready        12  3 s ago: 17 steps in 2.1 ms, 12 messages
            IPv6 nothing local here: 2 external ports drop what comes to this node, by a policy Local
            """, 60)).isEqualTo("""
            dualstackd 0.1.0 on node-1: healthy
            addresses  InternalIP 10.0.0.1 (ipv4: eth0 has the IPv4
                       default route via 10.0.0.254, metric 100)

                  MODE         STATE  SERVICES  LAST CHANGE
            IPv4  iptables     ready        12  3 s ago: 17 steps in 2.1
                  (nf_tables)                   ms, 12 messages
            IPv6 nothing local here: 2 external ports drop what comes to
              this node, by a policy Local
            """);
    }

    @Test
    void aTableInADescriptionKeepsItsIndentation() {
        assertThat(Wrapping.of("""
            Events:
              Type      Reason                  Message
              ----      ------                  -------
              Warning   ClusterIPNotAllocated   Cluster IP [IPv6]: fd00:96::a is not allocated; repairing
            """, 70)).isEqualTo("""
            Events:
              Type      Reason                  Message
              ----      ------                  -------
              Warning   ClusterIPNotAllocated   Cluster IP [IPv6]: fd00:96::a is
                                                not allocated; repairing
            """);
    }

    @Test
    void wordsThatAreLongerThanTheTerminalStayWhole() {
        String word = "x".repeat(200);
        assertThat(Wrapping.of(word, 80)).contains(word);
        String table = "NAME" + " ".repeat(199) + "IP\n" + word + "   a\n";
        assertThat(Wrapping.of(table, 80)).isEqualTo(table);
    }
}
