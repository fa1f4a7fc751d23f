package io.dualstackd.dataplane.counters;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.dataplane.counters.CountedRule.Destination;
import io.dualstackd.dataplane.counters.CountedRule.Kind;
import io.dualstackd.dataplane.diff.FragmentImage;
import io.dualstackd.dataplane.diff.FragmentImage.Place;
import io.dualstackd.dataplane.diff.FragmentImage.PlacedImage;
import io.dualstackd.dataplane.diff.Op;
import io.dualstackd.dataplane.diff.Origin;
import io.dualstackd.dataplane.diff.RuleImage;
import io.dualstackd.dataplane.io.Samples;
import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.rules.encoding.IptablesEncoding;
import io.dualstackd.dataplane.rules.encoding.LegacyEncoding;
import io.dualstackd.dataplane.rules.encoding.PrintKey;
import io.dualstackd.dataplane.rules.iptables.ChainId;
import io.dualstackd.dataplane.rules.iptables.ChainNames;
import io.dualstackd.dataplane.rules.iptables.Match;
import io.dualstackd.dataplane.rules.iptables.Rule;
import io.dualstackd.dataplane.rules.iptables.Table;
import io.dualstackd.dataplane.rules.iptables.Target;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.netlink.ip.Proto;
import io.dualstackd.netlink.nft.NftFamily;
import io.dualstackd.netlink.nft.NftRule;
import io.dualstackd.netlink.nft.TableName;
import io.dualstackd.netlink.nft.expr.Counter;
import io.dualstackd.netlink.wire.DecodeException;
import io.dualstackd.netlink.xt.table.XtEntry;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Values of rules that are replaced while they are read, in every order. */
final class RuleCountersTest {
    private static final ServiceKey WEB = new ServiceKey("shop", "web");
    private static final Ip ADDRESS = Ip.parse("10.96.0.10");
    private static final ChainId SERVICES = new ChainId(Table.NAT, ChainNames.SERVICES);
    private static final CountedRule COUNTED =
            new CountedRule(Kind.TRANSLATED, new Destination(Optional.of(ADDRESS), Proto.TCP, 80));

    private Counter start = Counter.ZERO;
    private final RuleCounters counters = new RuleCounters((rule, value) -> {
        start = value;
        return Samples.imageByText(rule);
    });

    @Test
    void aRuleThatIsReplacedStartsAtWhatWasRead() {
        read(found(1, 5));
        place();
        assertThat(start.packets()).isEqualTo(5);
        read(found(2, 6));
        assertThat(shown()).isEqualTo(6);
    }

    @Test
    void nothingIsDoneBeforeTheFirstReading() {
        Op step = step();
        assertThat(counters.continued(step)).isSameAs(step);
        counters.wanted(new Origin.OfService(WEB), FragmentImage.NOTHING);
        read(found(1, 5));
        assertThat(shown()).isEqualTo(5);
    }

    @Test
    void readOnceMoreBeforeTheNewRuleIsInForce() {
        read(found(1, 5));
        place();
        read(found(1, 8));
        read(found(2, 6));
        assertThat(shown()).as("three before and one after").isEqualTo(9);
        place();
        assertThat(start.packets()).isEqualTo(9);
        read(found(3, 10));
        assertThat(shown()).isEqualTo(10);
    }

    @Test
    void firstReadAfterTheNewRuleWasMade() {
        read();
        place();
        read(found(1, 4));
        read(found(2, 1));
        assertThat(shown()).isEqualTo(5);
    }

    @Test
    void bothRulesInOneReading() {
        read(found(1, 5));
        place();
        read(found(2, 5), found(1, 5));
        read(found(2, 6));
        assertThat(shown()).isEqualTo(6);
    }

    @Test
    void aReadingThatBeganBeforeTheServiceWentIsNotShown() {
        RuleCounters.Reading reading = begin();
        counters.wanted(new Origin.OfService(WEB), FragmentImage.NOTHING);
        counters.taken();
        reading.add(found(1, 7));
        counters.end(reading);
        assertThat(shown()).isZero();
        assertThat(counters.total(Kind.TRANSLATED)).isEqualTo(7);
        read();
        read();
        assertThat(counters.total(Kind.TRANSLATED)).isEqualTo(7);
        place();
        assertThat(start).as("of a Service of that name").isEqualTo(Counter.ZERO);
    }

    @Test
    void aReadingBetweenTheMakingOfATransactionAndItsEndIsNotShown() {
        read();
        counters.wanted(new Origin.OfService(WEB), FragmentImage.NOTHING);
        read(found(1, 7));
        counters.taken();
        assertThat(shown()).isZero();
        assertThat(counters.total(Kind.TRANSLATED)).isEqualTo(7);
    }

    @Test
    void aServiceThatIsUnknownLosesItsCounts() {
        read(found(1, 7));
        counters.retain(Set.of());
        counters.taken();
        assertThat(shown()).isZero();
        read(found(1, 8));
        assertThat(shown()).isZero();
        assertThat(counters.total(Kind.TRANSLATED)).isEqualTo(8);
    }

    @Test
    void aRuleThatTheKernelDidNotLetGoKeepsItsCount() {
        read(found(1, 7));
        counters.wanted(new Origin.OfService(WEB), FragmentImage.NOTHING);
        counters.discarded();
        assertThat(shown()).isEqualTo(7);
        read(found(1, 8));
        place();
        assertThat(start.packets()).isEqualTo(8);
        read(found(2, 8));
        assertThat(shown()).isEqualTo(8);
        assertThat(counters.total(Kind.TRANSLATED)).isEqualTo(8);
    }

    @Test
    void legacyRuleKeepsCountingAfterReplacement() throws IOException {
        readLegacy(5);
        placeLegacy(true);
        assertThat(start.packets()).isEqualTo(5);
        readLegacy(6);
        assertThat(shown()).isEqualTo(6);
        readLegacy(2);
        assertThat(shown()).as("after a reset by another program").isEqualTo(8);
        placeLegacy(true);
        assertThat(start.packets()).isEqualTo(8);
        readLegacy(9);
        assertThat(shown()).isEqualTo(9);
    }

    @Test
    void inLegacyAReplacementThatIsRefusedChangesNothing() throws IOException {
        readLegacy(5);
        readLegacy(2);
        placeLegacy(false);
        assertThat(start.packets()).isEqualTo(7);
        readLegacy(8);
        assertThat(shown()).isEqualTo(13);
    }

    @Test
    void inLegacyAReadingOfTheFormerTableIsNothing() throws IOException {
        readLegacy(5);
        RuleCounters.Reading reading = begin();
        int ignored = counters.replacements().read(reading, () -> 0);
        placeLegacy(true);
        reading.add(found(0, 7));
        counters.end(reading);
        assertThat(shown()).isEqualTo(5);
        readLegacy(6);
        assertThat(shown()).isEqualTo(6);
    }

    private void readLegacy(long packets) throws IOException {
        RuleCounters.Reading reading = begin();
        int ignored = counters.replacements().read(reading, () -> 0);
        reading.add(found(0, packets));
        counters.end(reading);
    }

    private void placeLegacy(boolean taken) throws IOException {
        place();
        int ignored = counters.replacements().replace(() -> {
            if (taken) {
                counters.placed(List.of(step()));
            }
            return 0;
        });
    }

    static Stream<Rule> written() {
        return Stream.of("10.96.0.10", "fd00:10:96::10")
                .map(Ip::parse)
                .flatMap(address -> Stream.of(Proto.TCP, Proto.UDP, Proto.SCTP)
                        .flatMap(protocol -> Stream.of(
                                        new Target.Jump("KUBE-SVC-A"), new Target.Reject(), new Target.Drop())
                                .map(target -> rule(target, address, protocol, 0xfedc))));
    }

    /** What is read of a rule is what was written. */
    @ParameterizedTest
    @MethodSource("written")
    void readAsWritten(Rule rule) throws DecodeException {
        Match.Destination destination = (Match.Destination) rule.matches().getFirst();
        IptablesEncoding encoding =
                new IptablesEncoding(destination.prefix().address().family(), new PrintKey(1, 2));
        RuleImage.Expressions image = (RuleImage.Expressions) encoding.image(rule, new Counter(3, 180));
        assertThat(image.print()).isEqualTo(encoding.image(rule).print());
        for (ChainId chain : CountedRule.CHAINS) {
            NftRule read = NftRule.of(
                    new TableName(
                                    NftFamily.of(destination.prefix().address().family()),
                                    chain.table().toString())
                            .chain(chain.name()),
                    image.body().decode());
            XtEntry entry = ((RuleImage.Entry)
                            new LegacyEncoding(destination.prefix().address().family(), new PrintKey(1, 2))
                                    .image(rule, new Counter(3, 180)))
                    .entry();
            assertThat(FoundRule.of(chain, entry)).isEqualTo(FoundRule.of(chain, read));
            assertThat(FoundRule.of(chain, read))
                    .contains(new FoundRule(WEB, CountedRule.of(chain, rule).orElseThrow(), 0, new Counter(3, 180)));
        }
    }

    private static Rule rule(Target target, Ip address, Proto protocol, int port) {
        return Rule.of(
                target,
                new Match.Destination(IpPrefix.host(address), false),
                new Match.Protocol(protocol),
                Match.Comment.of("shop/web:http cluster IP"),
                new Match.DestinationPort(protocol, port));
    }

    private static RuleImage image() {
        return Samples.imageByText(rule(new Target.Jump("KUBE-SVC-A"), ADDRESS, Proto.TCP, 80));
    }

    private static Op step() {
        return new Op.PlaceRule(SERVICES, Place.HEAD, image(), new Origin.OfService(WEB));
    }

    private void place() {
        start = Counter.ZERO;
        counters.wanted(
                new Origin.OfService(WEB),
                new FragmentImage(List.of(), List.of(new PlacedImage(SERVICES, Place.HEAD, image()))));
        Op ignored = counters.continued(step());
        counters.taken();
    }

    private static FoundRule found(long handle, long packets) {
        return new FoundRule(WEB, COUNTED, handle, new Counter(packets, packets * 60));
    }

    private RuleCounters.Reading begin() {
        return counters.begin();
    }

    private void read(FoundRule... rules) {
        RuleCounters.Reading reading = begin();
        for (FoundRule rule : rules) {
            reading.add(rule);
        }
        counters.end(reading);
    }

    private long shown() {
        return counters.packets(COUNTED);
    }
}
