package io.dualstackd.standalone.serviceapi;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.standalone.allocation.PortPool;
import io.dualstackd.standalone.serviceapi.ServiceRules.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which of a new Service's ports get a node port: a number stands for itself, {@code a} and {@code b} for any, {@code -} for none. */
final class NodePortCasesTest {
    private static final int FIRST = 30_000;
    private static final int LAST = 32_767;

    @ParameterizedTest(name = "{0}: {1} → {2}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    ExternalName       | 80/TCP                    | -
                    ExternalName       | 80/TCP/30080              | ERR
                    ClusterIP          | 80/TCP                    | -
                    ClusterIP          | 80/TCP 443/TCP            | - -
                    ClusterIP          | 80/TCP/30080              | ERR
                    NodePort           | 80/TCP                    | a
                    NodePort           | 80/TCP/30080              | 30080
                    NodePort           | 80/TCP 443/TCP            | a b
                    NodePort           | 80/TCP/30080 443/TCP/30045 | 30080 30045
                    NodePort           | 80/TCP/30080 443/TCP/30080 | ERR
                    NodePort           | 53/TCP 53/UDP             | a a
                    NodePort           | 53/TCP/30053 53/UDP/30054 | 30053 30054
                    NodePort           | 53/TCP/30053 53/UDP       | 30053 30053
                    NodePort           | 53/TCP 53/UDP/30053       | 30053 30053
                    NodePort           | 53/SCTP 53/UDP/30054 53/TCP/30053 | 30054 30054 30053
                    LoadBalancer-false | 53/TCP 53/UDP/30053       | - 30053
                    NodePort           | 53/TCP/30053 53/UDP/30053 | 30053 30053
                    NodePort           | 93/TCP/30070 76/UDP/30070 | ERR
                    NodePort           | 80/TCP/29999              | ERR
                    LoadBalancer       | 80/TCP                    | a
                    LoadBalancer       | 80/TCP/30080              | 30080
                    LoadBalancer       | 80/TCP 443/TCP            | a b
                    LoadBalancer       | 80/TCP/30080 443/TCP/30045 | 30080 30045
                    LoadBalancer       | 80/TCP/30080 443/TCP/30080 | ERR
                    LoadBalancer       | 53/TCP 53/UDP             | a a
                    LoadBalancer       | 53/TCP/30053 53/UDP/30053 | 30053 30053
                    LoadBalancer       | 93/TCP/30070 76/UDP/30070 | ERR
                    LoadBalancer-false | 80/TCP                    | -
                    LoadBalancer-false | 80/TCP 443/TCP            | - -
                    LoadBalancer-false | 80/TCP/30080              | 30080
                    LoadBalancer-false | 80/TCP/30080 443/TCP      | 30080 -
                    LoadBalancer-false | 80/TCP/30080 443/TCP/30045 | 30080 30045
                    """)
    void created(String type, String ports, String expected) {
        String spec =
                "externalName: x.example, type: " + type.replace("-false", ", allocateLoadBalancerNodePorts: false")
                        + ", ports: [" + String.join(", ", entries(ports)) + "]";
        assertThat(result(ServiceFixtures.rules("4").create(ServiceFixtures.service(spec))))
                .isEqualTo(expected);
    }

    private static List<String> entries(String ports) {
        List<String> entries = new ArrayList<>();
        for (String port : ports.split(" ", -1)) {
            String[] parts = port.split("/", -1);
            entries.add("{name: p" + entries.size() + ", port: " + parts[0] + ", protocol: " + parts[1]
                    + (parts.length > 2 ? ", nodePort: " + parts[2] : "") + "}");
        }
        return entries;
    }

    private static String result(Answer answer) {
        if (!(answer instanceof Answer.Settled(Tree.Mapping ignored, ServiceFields fields))) {
            return "ERR";
        }
        if (!fields.mayHaveNodePorts()) {
            return letters(fields.ports());
        }
        NodePortRules rules = new NodePortRules(new PortPool(FIRST, LAST), new Random(4));
        return switch (rules.create(fields.ports(), fields.needsNodePorts())) {
            case NodePortRules.Answer.Given given -> letters(given.ports());
            case NodePortRules.Answer.Denied denied -> {
                assertThat(denied.rejection().field()).startsWith("spec.ports[");
                yield "ERR";
            }
        };
    }

    /** Numbers of the dynamic band as letters, in the order they appear. */
    private static String letters(List<PortFields> ports) {
        List<Integer> dynamic = new ArrayList<>();
        List<String> words = new ArrayList<>();
        for (PortFields port : ports) {
            int number = port.nodePort();
            if (number == 0) {
                words.add("-");
            } else if (number < FIRST + PortPool.staticSize(LAST - FIRST + 1)) {
                words.add(Integer.toString(number));
            } else {
                if (!dynamic.contains(number)) {
                    dynamic.add(number);
                }
                words.add(Character.toString('a' + dynamic.indexOf(number)));
            }
        }
        return String.join(" ", words);
    }
}
