package io.dualstackd.agent.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.agent.Main;
import io.dualstackd.dataplane.model.ProxyMode;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("slow")
final class DemoTest {
    @ParameterizedTest
    @EnumSource(value = ProxyMode.class, mode = EnumSource.Mode.EXCLUDE, names = "IPVS")
    void everyExampleAnswersOnEveryAddress(ProxyMode mode) throws Exception {
        StringWriter output = new StringWriter();
        boolean all = new Demo(Path.of("../examples"), mode, 20, new PrintWriter(output)).run();
        assertThat(all).as(output.toString()).isTrue();
        assertThat(output.toString()).contains("ClusterIP", "NodePort", "externalIP", "LoadBalancer", "IPv4", "IPv6");
    }

    /** As a deployment with a Service for each of its ports. */
    @Test
    void onePodMayBelongToSeveralServices(@TempDir Path manifests) throws Exception {
        for (String name : List.of("web", "admin")) {
            int port = name.equals("web") ? 8080 : 9090;
            Files.writeString(
                    manifests.resolve(name + ".yaml"), """
                    apiVersion: v1
                    kind: Service
                    metadata: {name: %1$s, namespace: shop}
                    spec: {clusterIP: 10.96.0.%2$d, clusterIPs: [10.96.0.%2$d, "fd00:10:96::%2$d"], ipFamilies: [IPv4, IPv6], ports: [{name: http, port: 80}]}
                    ---
                    apiVersion: discovery.k8s.io/v1
                    kind: EndpointSlice
                    metadata: {name: %1$s-4, namespace: shop, labels: {kubernetes.io/service-name: %1$s}}
                    addressType: IPv4
                    ports: [{name: http, port: %3$d}]
                    endpoints: [{addresses: [10.244.0.11]}]
                    ---
                    apiVersion: discovery.k8s.io/v1
                    kind: EndpointSlice
                    metadata: {name: %1$s-6, namespace: shop, labels: {kubernetes.io/service-name: %1$s}}
                    addressType: IPv6
                    ports: [{name: http, port: %3$d}]
                    endpoints: [{addresses: ["fd00:10:244::11"]}]
                    """.formatted(name, name.equals("web") ? 10 : 11, port));
        }
        StringWriter output = new StringWriter();
        boolean all = new Demo(manifests, ProxyMode.NFTABLES, 2, new PrintWriter(output)).run();
        assertThat(all).as(output.toString()).isTrue();
        assertThat(output.toString()).contains("an outside client, 2 pods");
    }

    /** A wrong folder is a mistake in the command line, and has nothing to do with privileges. */
    @Test
    void aFolderWithoutServicesIsAMistakeOfTheCommandLine(@TempDir Path manifests) {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
            assertThat(Main.execute(out, out, "demo", "--manifests", manifests.toString()))
                    .isEqualTo(2);
        }
        assertThat(printed.toString(StandardCharsets.UTF_8)).startsWith("dualstackd: no Service in " + manifests + ";");
    }
}
