package io.dualstackd.standalone.serviceapi;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPrefix;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ServiceCidrRulesTest {
    private static List<IpPrefix> networks(String text) {
        return text.isEmpty()
                ? List.of()
                : List.of(text.split(" ", -1)).stream().map(IpPrefix::parse).toList();
    }

    @ParameterizedTest(name = "{0} may go beside {1} with {2} in use: kept by {3}")
    @CsvSource({
        // The same network in another object.
        "10.0.0.0/24,10.0.0.0/24,10.0.0.5,",
        // A larger one elsewhere.
        "10.0.0.0/24,10.0.0.0/16,10.0.0.5,",
        // Only a smaller one: it depends on the addresses.
        "10.0.0.0/16,10.0.0.0/24,10.0.0.5,",
        "10.0.0.0/16,10.0.0.0/24,10.0.9.5,10.0.9.5",
        // The smaller one's own broadcast address is no Service's there.
        "10.0.0.0/16,10.0.0.0/24,10.0.0.255,10.0.0.255",
        "10.0.0.0/16,'',10.0.9.5,10.0.9.5",
        "10.0.0.0/16,'',fd00::5,",
        // With two families both must be covered.
        "10.0.0.0/24 fd00::/112,10.0.0.0/24,fd00::5,fd00::5",
        "10.0.0.0/24 fd00::/112,10.0.0.0/24,10.0.0.5,",
        "10.0.0.0/24 fd00::/112,10.0.0.0/24 fd00::/64,fd00::5,"
    })
    void itGoesWhenNoAddressDependsOnIt(String cidrs, String others, String used, String keptBy) {
        assertThat(ServiceCidrRules.keptBy(networks(cidrs), networks(others), List.of(Ip.parse(used))))
                .isEqualTo(Optional.ofNullable(keptBy).map(Ip::parse));
    }

    @Test
    void onlyTheOtherFamilyMayBeAdded() {
        assertThat(ServiceCidrRules.checkChange(List.of("10.0.0.0/16"), List.of("10.0.0.0/16", "fd00::/112")))
                .isEmpty();
        assertThat(ServiceCidrRules.checkChange(List.of("10.0.0.0/16"), List.of("fd00::/112", "10.0.0.0/16")))
                .hasSize(1);
        assertThat(ServiceCidrRules.checkChange(List.of("10.0.0.0/16"), List.of("10.1.0.0/16")))
                .hasSize(1);
        assertThat(ServiceCidrRules.checkChange(List.of("10.0.0.0/16", "fd00::/112"), List.of("10.0.0.0/16")))
                .hasSize(1);
    }
}
