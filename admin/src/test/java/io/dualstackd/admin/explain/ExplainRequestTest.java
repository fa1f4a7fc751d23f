package io.dualstackd.admin.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ExplainRequestTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            10.0.0.1 | 10.96.0.10:53         |      | 10.0.0.1 10.96.0.10:53/tcp
            10.0.0.1 | 10.96.0.10:53/udp     |      | 10.0.0.1 10.96.0.10:53/udp
            10.0.0.1 | 10.96.0.10:53/SCTP    | cni0 | 10.0.0.1 10.96.0.10:53/sctp cni0
            fd00::1  | [fd00:0::a]:443       |      | fd00::1 [fd00::a]:443/tcp
            """)
    void isReadAndWritten(String source, String destination, String in, String words) {
        ExplainRequest explainRequest = ExplainRequest.parse(source, destination, in == null ? "" : in);

        assertThat(String.join(" ", explainRequest.words())).isEqualTo(words);
        assertThat(ExplainRequest.of(explainRequest.words())).isEqualTo(explainRequest);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            host     | 10.96.0.10:53      | "host": the source must be an IP address
            10.0.0.1 | 10.96.0.10         | "10.96.0.10": the destination must be ADDRESS:PORT or [ADDRESS]:PORT
            10.0.0.1 | web:80             | "web": the destination must be an IP address
            10.0.0.1 | 10.96.0.10:0       | "0": the port must be 1 to 65535
            10.0.0.1 | 10.96.0.10:65536   | "65536": the port must be 1 to 65535
            10.0.0.1 | 10.96.0.10:53/icmp | "icmp": the protocol must be tcp, udp or sctp
            10.0.0.1 | [fd00::a]:53       | 10.0.0.1 and fd00::a are of different IP families
            fd00::1  | fd00::a:53         | "fd00::a:53": an IPv6 address needs brackets before a port: [fd00::a]:53
            fd00::1  | fd00:10:96::10     | "fd00:10:96::10": an IPv6 address needs brackets before a port: [ADDRESS]:PORT
            10.0.0.1 | shop/web           | "shop/web": the destination must be ADDRESS:PORT or [ADDRESS]:PORT
            10.0.0.1 | 10.96.0.10/udp     | "10.96.0.10/udp": the destination must be ADDRESS:PORT or [ADDRESS]:PORT
            """)
    void reportsInvalidRequests(String source, String destination, String rule) {
        assertThatThrownBy(() -> ExplainRequest.parse(source, destination, "")).hasMessage(rule);
    }
}
