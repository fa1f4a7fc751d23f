package io.dualstackd.agent.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class DemoTest {
    @Test
    void everyExampleAnswersOnEveryAddress() throws Exception {
        StringWriter told = new StringWriter();
        boolean all = new Demo(Path.of("../examples"), 20, new PrintWriter(told)).run();
        assertThat(all).as(told.toString()).isTrue();
        assertThat(told.toString()).contains("ClusterIP", "NodePort", "externalIP", "LoadBalancer", "IPv4", "IPv6");
    }
}
