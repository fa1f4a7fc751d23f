package io.dualstackd.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.admin.Health.Kind;
import io.dualstackd.admin.Health.Word;
import io.dualstackd.kubeapi.print.JsonPrint;
import io.dualstackd.kubeapi.tree.Place;
import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.supervision.Component;
import io.dualstackd.supervision.ComponentState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HealthTest {
    @Test
    void nothingIsWrong() {
        assertThat(Reports.healthy().health()).isEqualTo(new Health(Word.HEALTHY, List.of()));
        assertThat(Reports.singleStack().health().word()).isEqualTo(Word.HEALTHY);
    }

    @Test
    void aFamilyThatIsNotInForceIsAFailureAndComesFirst() {
        Health health = Reports.failing().health();
        assertThat(health.word()).isEqualTo(Word.FAILED);
        assertThat(kinds(health))
                .startsWith(Kind.RULES_NOT_IN_FORCE)
                .contains(Kind.REFUSED_OBJECTS, Kind.RUNTIME, Kind.HEALTH_PORTS, Kind.CONTESTED_RULES);
    }

    @Test
    void aRequiredComponentThatIsOverdueIsAFailureAndAnotherOneDegrades() {
        assertThat(health(overdue(Component.RULES)).word()).isEqualTo(Word.FAILED);
        Health names = health(overdue(Component.NAMES));
        assertThat(names.word()).isEqualTo(Word.DEGRADED);
        assertThat(names.reasons().getFirst().text()).contains("names", "90 s", Component.NAMES.purpose());
    }

    @Test
    void aComponentThatFailedALittleWhileAgoDegrades() {
        assertThat(kinds(health(failed(Duration.ofMinutes(9))))).containsExactly(Kind.COMPONENT_RESTARTED);
        assertThat(health(failed(Duration.ofMinutes(11))).word()).isEqualTo(Word.HEALTHY);
    }

    @Test
    void anOutageOfTheSourceDegradesOnceItLasts() {
        assertThat(outage(Duration.ofSeconds(100)).health().word()).isEqualTo(Word.HEALTHY);
        Health health = outage(Duration.ofSeconds(121)).health();
        assertThat(kinds(health)).containsExactly(Kind.SOURCE_OUTAGE);
        assertThat(StatusText.of(outage(Duration.ofSeconds(121))))
                .startsWith("dualstackd 0.1.0 on node-1: DEGRADED\nreasons    no answer\n")
                .contains(", last contact 2 min 1 s ago\n");
        assertThat(JsonPrint.indented(StatusJson.of(outage(Duration.ofSeconds(121)))))
                .contains("\"healthy\" : true", "\"health\" : \"degraded\"", "\"reason\" : \"source-outage\"");
    }

    @Test
    void severalErrorsOfAnObjectAreOfOneObject() {
        Place place = Place.InFile.whole("web.yaml");
        List<Problem> problems = List.of(
                new Problem(
                        Problem.Severity.ERROR, place, "Service default/web", "70000", "the port must be 1 to 65535"),
                new Problem(Problem.Severity.ERROR, place, "Service default/web", "x", "the type must be ClusterIP"),
                Problem.error(place, "", "must be YAML"));
        Health health = StatusReportBuilder.like(Reports.healthy())
                .problems(problems)
                .build()
                .health();
        assertThat(health.reasons())
                .extracting(Health.Reason::text)
                .containsExactly("2 objects of the source are refused, the last good versions stay in force");
    }

    @Test
    void dnsProblemsDegrade() {
        assertThat(Reports.failing().health().reasons())
                .filteredOn(reason -> reason.kind() == Kind.DNS)
                .extracting(Health.Reason::text)
                .containsExactly(
                        "DNS questions are not received on 169.254.20.10:53: no interface has the address",
                        "none of the resolvers for other names answers: 192.0.2.1:53");
        assertThat(Kind.DNS.isFailure()).isFalse();
    }

    @Test
    void aCniConfigurationThatIsNotInPlaceDegrades() {
        StatusReport report = StatusReportBuilder.like(Reports.healthy())
                .cni("--write-cni: /x/10.conflist cannot be written: No space left on device")
                .build();
        assertThat(report.health().word()).isEqualTo(Word.DEGRADED);
        assertThat(kinds(report.health())).containsExactly(Kind.CNI);
        assertThat(StatusText.of(report))
                .contains("reasons    --write-cni: /x/10.conflist cannot be written: No space left on device\n");
    }

    @Test
    void everyReasonHasANameOfItsOwn() {
        assertThat(List.of(Kind.values()).stream().map(Kind::toString).distinct())
                .hasSize(Kind.values().length);
    }

    private static Health health(ComponentState component) {
        return StatusReportBuilder.like(Reports.healthy())
                .components(component)
                .build()
                .health();
    }

    private static StatusReport outage(Duration time) {
        return StatusReportBuilder.like(Reports.healthy())
                .unreachableCluster(time)
                .build();
    }

    private static ComponentState overdue(Component component) {
        return new ComponentState(component, Duration.ofSeconds(90), true, 0, Optional.empty());
    }

    private static ComponentState failed(Duration ago) {
        return new ComponentState(
                Component.EVENTS,
                Duration.ZERO,
                false,
                1,
                Optional.of(new ComponentState.Failure(ago, "IllegalStateException")));
    }

    private static List<Kind> kinds(Health health) {
        return health.reasons().stream().map(Health.Reason::kind).toList();
    }
}
