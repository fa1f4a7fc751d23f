package io.dualstackd.standalone.serviceapi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FamilyShapeTest {
    private static List<String> words(String text) {
        return text.isEmpty() ? List.of() : List.of(text.split(" ", -1));
    }

    @ParameterizedTest(name = "clusterIP \"{0}\", clusterIPs [{1}], families {2}: {3}")
    @CsvSource({
        "10.0.0.1,'','','spec.clusterIPs: required, because clusterIP is set'",
        "10.0.0.1,10.0.0.2,'','spec.clusterIPs[0]: \"10.0.0.2\": first value must match clusterIP, 10.0.0.1'",
        "'',10.0.0.1,'','spec.clusterIPs: \"10.0.0.1\": must be empty when clusterIP is not specified'",
        "'','',44,'spec.ipFamilies[1]: \"IPv4\": a family may be listed only once'",
        "None,None 10.0.0.1,'','spec.clusterIPs: \"None,10.0.0.1\": None must be the first and only value'",
        "10.0.0.300,10.0.0.300,'','spec.clusterIPs[0]: \"10.0.0.300\": is not an IP address'",
        "10.0.0.1,10.0.0.1 10.0.0.2,'','spec.clusterIPs[1]: \"10.0.0.2\": there may be no more than one IP for each IP family'",
        "fd00::1,fd00::1,4,'spec.clusterIPs[0]: \"fd00::1\": an IPv4 value is expected, as ipFamilies[0] says'"
    })
    void reportsEachErrorOnce(String first, String all, String families, String rejection) {
        FamilyFields fields =
                new FamilyFields(first, words(all), CreateFamiliesTest.families(families), Optional.empty());
        assertThat(FamilyShape.check(fields, Set.of()))
                .extracting(Rejection::toString)
                .containsExactly(rejection);
    }

    @Test
    void threeAddressesAreTooMany() {
        FamilyFields fields = FamilyFields.UNSET.withClusterIps("10.0.0.1", List.of("10.0.0.1", "fd00::1", "10.0.0.2"));
        assertThat(FamilyShape.check(fields, Set.of()))
                .extracting(Rejection::rule)
                .containsExactly("may only hold up to 2 values", "there may be no more than one IP for each IP family");
    }

    @Test
    void acceptedCombinationMayStay() {
        FamilyFields fields = FamilyFields.UNSET.withClusterIps("10.0.0.1 ", List.of("10.0.0.1 "));
        assertThat(FamilyShape.check(fields, Set.of("10.0.0.1 "))).isEmpty();
        assertThat(FamilyShape.check(fields, Set.of())).hasSize(1);
    }

    @ParameterizedTest(name = "({0}; {1}) then ({2}; {3}) is ({4}; {5})")
    @CsvSource({
        "'','',10.0.0.10,'',10.0.0.10,10.0.0.10",
        "'','','',10.0.0.10,'',10.0.0.10",
        "'','',10.0.0.10,10.0.0.10,10.0.0.10,10.0.0.10",
        "10.0.0.10,10.0.0.10,10.0.0.10,10.0.0.10,10.0.0.10,10.0.0.10",
        "10.0.0.10,10.0.0.10,10.0.0.11,10.0.0.11,10.0.0.11,10.0.0.11",
        "10.0.0.10,10.0.0.10 2000::1,10.0.0.11,10.0.0.11 3000::1,10.0.0.11,10.0.0.11 3000::1",
        "10.0.0.10,10.0.0.10,10.0.0.10,10.0.0.10 2000::1,10.0.0.10,10.0.0.10 2000::1",
        "10.0.0.10,10.0.0.10 2000::1,10.0.0.10,10.0.0.10,10.0.0.10,10.0.0.10",
        "10.0.0.10,10.0.0.10,'',10.0.0.10,'',''",
        "10.0.0.10,10.0.0.10,10.0.0.10,'',10.0.0.10,10.0.0.10",
        "10.0.0.10,10.0.0.10 2000::1,10.0.0.10,'',10.0.0.10,10.0.0.10 2000::1",
        "10.0.0.10,10.0.0.10,'','','',''",
        "10.0.0.10,10.0.0.10,'',10.0.0.11,'',10.0.0.11",
        "10.0.0.10,10.0.0.10 2000::1,10.0.0.11,'',10.0.0.11,''",
        "None,None,10.0.0.10,None,10.0.0.10,10.0.0.10",
        "10.0.0.10,10.0.0.10,None,10.0.0.10,None,None",
        "10.0.0.10,10.0.0.10 2000::1,None,10.0.0.11 2000::1,None,10.0.0.11 2000::1"
    })
    void oneFieldFollowsTheOther(
            String oldFirst, String oldAll, String first, String all, String wantedFirst, String wantedAll) {
        FamilyFields old = FamilyFields.UNSET.withClusterIps(oldFirst, words(oldAll));
        FamilyFields given = FamilyFields.UNSET.withClusterIps(first, words(all));
        assertThat(ClusterIpFields.normalised(given, old))
                .isEqualTo(FamilyFields.UNSET.withClusterIps(wantedFirst, words(wantedAll)));
    }

    @Test
    void aNewServiceMayNameOnlyTheFirstAddress() {
        FamilyFields first = FamilyFields.UNSET.withClusterIps("10.0.0.10", List.of());
        assertThat(ClusterIpFields.normalised(first).clusterIps()).containsExactly("10.0.0.10");
        FamilyFields list = FamilyFields.UNSET.withClusterIps("", List.of("10.0.0.10"));
        assertThat(ClusterIpFields.normalised(list)).isEqualTo(list);
    }
}
