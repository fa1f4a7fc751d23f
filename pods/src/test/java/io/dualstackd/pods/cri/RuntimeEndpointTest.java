package io.dualstackd.pods.cri;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RuntimeEndpointTest {
    @ParameterizedTest
    @ValueSource(strings = {"unix:///run/containerd/containerd.sock", "/run/containerd/containerd.sock"})
    void bothWaysToWriteIt(String text) {
        RuntimeEndpoint endpoint = RuntimeEndpoint.parse(text);

        assertThat(endpoint.path()).isEqualTo("/run/containerd/containerd.sock");
        assertThat(endpoint).hasToString("unix:///run/containerd/containerd.sock");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tcp://127.0.0.1:1234     | over Unix sockets only",
                "npipe:////./pipe/crio    | over Unix sockets only",
                "http://runtime           | over Unix sockets only",
                "unix://run/crio.sock     | three slashes",
                "unix://                  | three slashes",
                "unix:/run/crio.sock      | is unix:///PATH/OF/SOCKET",
                "run/crio.sock            | is unix:///PATH/OF/SOCKET",
                "''                       | is unix:///PATH/OF/SOCKET",
                "/                        | is unix:///PATH/OF/SOCKET",
                "/run/containerd/         | is unix:///PATH/OF/SOCKET"
            })
    void aBadOneIsNamed(String text, String rule) {
        assertThatThrownBy(() -> RuntimeEndpoint.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(rule)
                .hasMessageContaining("\"" + text + "\"");
    }

    @ParameterizedTest
    @ValueSource(ints = {107, 108})
    void theKernelsLimit(int length) {
        String path = "/" + "s".repeat(length - 1);
        if (length == 107) {
            assertThat(RuntimeEndpoint.parse("unix://" + path).path()).hasSize(107);
        } else {
            assertThatThrownBy(() -> RuntimeEndpoint.parse(path))
                    .hasMessageContaining("at most 107 bytes, this one has 108");
        }
    }
}
