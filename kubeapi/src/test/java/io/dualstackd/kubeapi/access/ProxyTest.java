package io.dualstackd.kubeapi.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which connections go by way of a proxy. */
final class ProxyTest {
    private static ClusterAccess server(String host, Optional<String> proxy) {
        return new ClusterAccess(true, host, 6443, "", Optional.empty(), Optional.empty(), false, proxy);
    }

    @ParameterizedTest
    @CsvSource({
        "http://proxy:3128, http://proxy:3128",
        "proxy:3128, http://proxy:3128",
        "http://proxy, http://proxy:80",
        "http://u:p@[fd00::1]:8080/, http://[fd00::1]:8080",
        "socks5://proxy, socks5://proxy:1080",
    })
    void urls(String url, String means) {
        assertThat(Proxy.of(server("api", Optional.of(url)), Map.of()).map(Proxy::toString))
                .contains(means);
    }

    @Test
    void accounts() {
        Proxy proxy = Proxy.of(server("api", Optional.of("http://u:p:q@proxy:1")), Map.of())
                .orElseThrow();
        assertThat(proxy.user()).contains("u");
        assertThat(proxy.password()).isEqualTo("p:q");
        assertThat(proxy.toString()).doesNotContain("p:q");
    }

    /** A URL cannot hold every character as it is. */
    @Test
    void accountsAreDecoded() {
        Proxy proxy = Proxy.of(server("api", Optional.of("http://corp%5Cu:p%40ss%3a%2F+1%C3%A9@proxy:1")), Map.of())
                .orElseThrow();
        assertThat(proxy.user()).contains("corp\\u");
        assertThat(proxy.password()).isEqualTo("p@ss:/+1é");
        assertThat(proxy.host()).isEqualTo("proxy");
        assertThatThrownBy(() -> Proxy.of(server("api", Optional.of("http://u:100%secret@proxy:1")), Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("proxy-url: in the proxy's user and password % must be followed by two hexadecimal digits");
    }

    /** As in Go, an empty variable is as good as none. */
    @Test
    void anEmptyVariableDoesNotHideTheOneInLowerCase() {
        Map<String, String> environment = Map.of("HTTPS_PROXY", "", "https_proxy", "http://proxy:3128");
        assertThat(Proxy.of(server("api", Optional.empty()), environment).map(Proxy::host))
                .contains("proxy");
    }

    @ParameterizedTest
    @CsvSource({"https://proxy:1, proxy-url: a proxy of kind", "http://proxy:0, port", "http://:80, no host"})
    void refusesUnusableProxy(String url, String message) {
        assertThatThrownBy(() -> Proxy.of(server("api", Optional.of(url)), Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "api.example.org | other.org        | true",
                "api.example.org | example.org      | false",
                "api.example.org | .example.org     | false",
                "api.example.org | *.example.org    | false",
                "api.example.org | ample.org        | true",
                "api.example.org | a, api.example.org:6443 | false",
                "10.96.0.1       | 10.0.0.0/8       | false",
                "10.96.0.1       | 192.168.0.0/16   | true",
                "fd00::1         | fd00::/8         | false",
                "fd00::1         | fe80::/10        | true",
                "fd00::1         | fd00::1          | false",
                "fd00::1         | FD00:0:0::1      | false",
                "FD00:0::1       | a, fd00::1       | false",
                "fd00::1         | [fd00::1]        | false",
                "fd00::1         | [fd00::1]:6443   | false",
                "fd00::1         | [fd00::1]:443    | true",
                "fd00::1         | fd00::1:6443     | true",
                "fd00::1         | fd00::           | true",
                "10.96.0.1       | 10.96.0.1:443    | true",
                "10.96.0.1       | 10.96.0.1:6443   | false",
                "10.96.0.1       | *                | false",
                "localhost       | x                | false",
                "127.0.0.1       | x                | false",
                "::1             | x                | false",
                "0:0:0:0:0:0:0:1 | x                | false",
            })
    void environmentSelectsTheProxy(String host, String noProxy, boolean proxied) {
        Map<String, String> environment = Map.of("https_proxy", "http://proxy:3128", "NO_PROXY", noProxy);
        assertThat(Proxy.of(server(host, Optional.empty()), environment).isPresent())
                .isEqualTo(proxied);
    }

    @Test
    void withoutAnythingThereIsNone() {
        assertThat(Proxy.of(server("api", Optional.empty()), Map.of("HTTP_PROXY", "http://proxy")))
                .isEmpty();
    }
}
