package io.dualstackd.pages.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.plan.NodePortMatch;
import io.dualstackd.dataplane.plan.ServicePlan.HealthCheck;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class HealthChecksTest {
    private static final ServiceKey WEB = new ServiceKey("ns", "web");
    private static final ServiceKey DNS = new ServiceKey("ns", "dns");
    private static final NodePortMatch ALL = new NodePortMatch.AllLocal(true);
    private static final Ip NODE_4 = Ip.parse("192.0.2.1");
    private static final Ip NODE_6 = Ip.parse("2001:db8::1");

    private static HealthChecks web(int port, int endpoints) {
        Map<ServiceKey, HealthCheck> changes = Map.of(WEB, new HealthCheck(port, endpoints));
        return HealthChecks.NONE.after(IpFamily.IPV4, ALL, changes).after(IpFamily.IPV6, ALL, changes);
    }

    private static int status(HealthChecks checks, int port, Ip asked) {
        return checks.answer(port, asked, true).map(HttpAnswer::status).orElse(0);
    }

    @Test
    void theAnswerIsKubeProxys() {
        HttpAnswer answer = web(30000, 2).answer(30000, NODE_4, true).orElseThrow();
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.headers())
                .containsExactly(
                        Map.entry("Content-Type", "application/json"),
                        Map.entry("X-Content-Type-Options", "nosniff"),
                        Map.entry("X-Load-Balancing-Endpoint-Weight", "2"));
        assertThat(answer.body())
                .isEqualTo("{\n\t\"service\": {\n\t\t\"namespace\": \"ns\",\n\t\t\"name\": \"web\"\n\t},\n"
                        + "\t\"localEndpoints\": 2,\n\t\"serviceProxyHealthy\": true\n}");
    }

    @Test
    void withoutLocalEndpointsOrWithStaleRulesItIs503() {
        assertThat(status(web(30000, 0), 30000, NODE_4)).isEqualTo(503);
        HttpAnswer stale = web(30000, 2).answer(30000, NODE_6, false).orElseThrow();
        assertThat(stale.status()).isEqualTo(503);
        assertThat(stale.body()).contains("\"serviceProxyHealthy\": false", "\"localEndpoints\": 2");
    }

    @Test
    void familiesAnswerForThemselves() {
        HealthChecks checks = HealthChecks.NONE
                .after(IpFamily.IPV4, ALL, Map.of(WEB, new HealthCheck(30000, 1)))
                .after(IpFamily.IPV6, ALL, Map.of(WEB, new HealthCheck(30000, 0), DNS, new HealthCheck(30001, 1)));
        assertThat(checks.listenings())
                .containsExactlyInAnyOrder(Listening.everywhere(30000), Listening.everywhere(30001));
        assertThat(status(checks, 30000, NODE_4)).isEqualTo(200);
        assertThat(status(checks, 30000, NODE_6)).isEqualTo(503);
        assertThat(status(checks, 30001, NODE_6)).isEqualTo(200);
        assertThat(checks.answer(30001, NODE_4, true)).isEmpty();
    }

    @Test
    void aPortMovesAndGoes() {
        HealthChecks moved = web(30000, 1)
                .after(IpFamily.IPV4, ALL, Map.of(WEB, new HealthCheck(30005, 1)))
                .after(IpFamily.IPV6, ALL, Map.of(WEB, HealthCheck.NONE));
        assertThat(moved.listenings()).containsExactly(Listening.everywhere(30005));
        assertThat(status(moved, 30005, NODE_4)).isEqualTo(200);
        assertThat(moved.answer(30000, NODE_4, true)).isEmpty();
        assertThat(moved.after(IpFamily.IPV4, ALL, Map.of(WEB, HealthCheck.NONE))
                        .listenings())
                .isEmpty();
    }

    @Test
    void twoClaimantsAreServedInOrderOfTheirNames() {
        HealthChecks checks = HealthChecks.NONE.after(
                IpFamily.IPV4, ALL, Map.of(WEB, new HealthCheck(30000, 0), DNS, new HealthCheck(30000, 3)));
        assertThat(checks.answer(30000, NODE_4, true).orElseThrow().body()).contains("\"dns\"");
        HealthChecks left = checks.after(IpFamily.IPV4, ALL, Map.of(DNS, HealthCheck.NONE));
        assertThat(left.answer(30000, NODE_4, true).orElseThrow().body()).contains("\"web\"");
    }

    @Test
    void restrictedNodePortsListenOnThoseAddresses() {
        NodePortMatch only = new NodePortMatch.Only(List.of(NODE_4));
        HealthChecks checks = HealthChecks.NONE.after(IpFamily.IPV4, only, Map.of(WEB, new HealthCheck(30000, 1)));
        assertThat(checks.listenings()).containsExactly(new Listening(Optional.of(NODE_4), 30000));
        // The socket of the unrestricted family hears both; the restriction is kept per connection.
        HealthChecks mixed = checks.after(IpFamily.IPV6, ALL, Map.of(WEB, new HealthCheck(30000, 1)));
        assertThat(mixed.listenings()).containsExactly(Listening.everywhere(30000));
        assertThat(status(mixed, 30000, NODE_4)).isEqualTo(200);
        assertThat(mixed.answer(30000, Ip.parse("192.0.2.2"), true)).isEmpty();
        assertThat(status(mixed, 30000, NODE_6)).isEqualTo(200);
    }

    @Test
    void nothingNewIsTheSameObject() {
        HealthChecks checks = web(30000, 1);
        assertThat(checks.after(IpFamily.IPV4, ALL, Map.of())).isSameAs(checks);
        assertThat(HealthChecks.NONE.after(IpFamily.IPV4, ALL, Map.of())).isSameAs(HealthChecks.NONE);
        HealthChecks one = HealthChecks.NONE.after(IpFamily.IPV4, ALL, Map.of(WEB, new HealthCheck(30000, 1)));
        assertThat(one.after(IpFamily.IPV4, ALL, Map.of(DNS, HealthCheck.NONE, WEB, new HealthCheck(30000, 1))))
                .isSameAs(one);
    }
}
