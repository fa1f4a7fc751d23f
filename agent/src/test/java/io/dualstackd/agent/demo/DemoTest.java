package io.dualstackd.agent.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.model.ProxyMode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("slow")
final class DemoTest {
    @ParameterizedTest
    @EnumSource(value = ProxyMode.class, mode = EnumSource.Mode.EXCLUDE, names = "IPVS")
    void everyExampleAnswersOnEveryAddress(ProxyMode mode) throws Exception {
        StringWriter told = new StringWriter();
        boolean all = new Demo(Path.of("../examples"), mode, 20, new PrintWriter(told)).run();
        assertThat(all).as(told.toString()).isTrue();
        assertThat(told.toString()).contains("ClusterIP", "NodePort", "externalIP", "LoadBalancer", "IPv4", "IPv6");
    }
}
