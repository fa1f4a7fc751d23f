package io.dualstackd.agent.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.agent.api.Manifests;
import io.dualstackd.agent.api.Service;
import io.dualstackd.agent.tree.Problem;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ClaimsTest {
    private final Claims claims = new Claims();

    static String service(String name, String ip) {
        return "---\napiVersion: v1\nkind: Service\nmetadata: {name: " + name + "}\nspec: {clusterIP: " + ip
                + ", ports: [{port: 80}]}\n";
    }

    private List<String> put(String file, String... documents) {
        return told(claims.put(file, Manifests.decode(file, String.join("", documents))));
    }

    private static List<String> told(List<Update> updates) {
        return updates.stream()
                .map(update -> switch (update) {
                    case Update.Put(Service s) ->
                        s.name() + "=" + s.clusterIps().getFirst();
                    case Update.Put(var other) -> other.key().toString();
                    case Update.Gone(var key) -> key.name() + " gone";
                })
                .toList();
    }

    private List<String> problems() {
        return claims.problems().stream().map(Object::toString).toList();
    }

    @Test
    void newChangedAndGone() {
        assertThat(put("a.yaml", service("x", "10.0.0.1"), service("y", "10.0.0.2")))
                .containsExactly("x=10.0.0.1", "y=10.0.0.2");
        assertThat(put("a.yaml", service("x", "10.0.0.1"), service("y", "10.0.0.3")))
                .containsExactly("y=10.0.0.3");
        assertThat(put("a.yaml", service("x", "10.0.0.1"))).containsExactly("y gone");
        assertThat(told(claims.remove("a.yaml"))).containsExactly("x gone");
        assertThat(claims.remove("a.yaml")).isEmpty();
    }

    @Test
    void theFirstFileInNameOrderWins() {
        assertThat(put("b.yaml", service("x", "10.0.0.2"))).containsExactly("x=10.0.0.2");
        assertThat(put("c.yaml", service("x", "10.0.0.3"))).isEmpty();
        assertThat(put("a.yaml", service("x", "10.0.0.1"))).containsExactly("x=10.0.0.1");
        assertThat(problems())
                .containsExactly(
                        "b.yaml:2 (document 1): Service default/x is already defined at a.yaml:2 (document 1), "
                                + "which stays in force; remove one of the two (Service default/x)",
                        "c.yaml:2 (document 1): Service default/x is already defined at a.yaml:2 (document 1), "
                                + "which stays in force; remove one of the two (Service default/x)");
        assertThat(told(claims.remove("a.yaml"))).containsExactly("x=10.0.0.2");
        assertThat(told(claims.remove("c.yaml"))).isEmpty();
        assertThat(problems()).isEmpty();
    }

    @Test
    void aRefusedObjectKeepsItsLastGoodState() {
        put("a.yaml", service("x", "10.0.0.1"), service("y", "10.0.0.2"), service("z", "10.0.0.3"));
        assertThat(put("a.yaml", service("x", "10.0.0.9"), service("y", "not-an-ip")))
                .containsExactly("x=10.0.0.9", "z gone");
        assertThat(problems()).hasSize(1).first().asString().contains("spec.clusterIP");
        assertThat(put("a.yaml", service("x", "10.0.0.9"), service("y", "10.0.0.5")))
                .containsExactly("y=10.0.0.5");
        assertThat(problems()).isEmpty();
    }

    @Test
    void whenItIsUnclearWhatIsBrokenNothingGoes() {
        put("a.yaml", service("x", "10.0.0.1"), service("y", "10.0.0.2"));
        assertThat(put("a.yaml", service("x", "10.0.0.9"), "---\nkind: [\n")).containsExactly("x=10.0.0.9");
        assertThat(put("a.yaml", "---\nkind: [\n")).isEmpty();
        assertThat(put("a.yaml", service("x", "10.0.0.9"))).containsExactly("y gone");
    }

    @Test
    void whatStayedBrokenFromTheStartIsNotThere() {
        assertThat(put("a.yaml", service("x", "nonsense"))).isEmpty();
        assertThat(put("a.yaml", service("x", "10.0.0.1"))).containsExactly("x=10.0.0.1");
    }

    @Test
    void twoServicesWithTheSameAddressOrNodePort() {
        put("a.yaml", service("x", "10.0.0.1"), service("y", "10.0.0.1"));
        assertThat(claims.problems()).noneMatch(Problem::isError);
        assertThat(problems())
                .containsExactly("a.yaml:7 (document 2): cluster IP 10.0.0.1 also belongs to Service default/x at "
                        + "a.yaml:2 (document 1); only one of them can answer (Service default/y)");
        put("a.yaml", service("x", "10.0.0.1"), service("y", "10.0.0.2"));
        assertThat(problems()).isEmpty();
        put("b.yaml", nodePort("p", "10.0.1.1", "TCP"), nodePort("q", "10.0.1.2", "UDP"));
        assertThat(problems()).isEmpty();
        put("c.yaml", nodePort("r", "10.0.1.3", "UDP"));
        assertThat(problems())
                .hasSize(1)
                .first()
                .asString()
                .contains("node port 30080/udp also belongs to Service default/q");
        claims.remove("b.yaml");
        assertThat(problems()).isEmpty();
    }

    private static String nodePort(String name, String ip, String protocol) {
        return "---\napiVersion: v1\nkind: Service\nmetadata: {name: " + name + "}\nspec: {type: NodePort, clusterIP: "
                + ip + ", ports: [{port: 80, nodePort: 30080, protocol: " + protocol + "}]}\n";
    }
}
