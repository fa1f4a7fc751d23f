package io.dualstackd.dns;

import io.dualstackd.dns.message.DnsAnswer;
import io.dualstackd.dns.message.DnsName;
import io.dualstackd.dns.message.DnsQuestion;
import io.dualstackd.dns.message.DnsRecord;
import io.dualstackd.dns.message.EndpointTarget;
import io.dualstackd.dns.message.RecordData;
import io.netty.handler.codec.dns.DnsRecordType;
import io.netty.handler.codec.dns.DnsResponseCode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** All names of the cluster: those of its domain, and those of its addresses. Used by one thread. */
public final class Zone {
    /** TTL in seconds of the schema version, which does not change. */
    private static final int VERSION_TTL = 28_800;

    private static final String VERSION = "1.1.0";

    /** The longest chain of ExternalNames that is followed. */
    private static final int LONGEST_CHAIN = 10;

    private final ZoneSettings settings;
    private final ServiceIndex services = new ServiceIndex();
    private final DomainNodes nodes;
    private final ZoneRecords records;
    private boolean ready;

    public Zone(ZoneSettings settings) {
        this.settings = settings;
        this.nodes = new DomainNodes(settings, services);
        this.records = new ZoneRecords(settings, nodes);
    }

    /**
     * Applies a change; after the first complete one the zone answers.
     *
     * @param serial of the zone from now on, as seconds since 1970
     */
    public void apply(ZoneChange change, long serial) {
        if (change.complete()) {
            services.keepOnly(change.services().keySet());
        }
        change.services()
                .forEach((name, service) -> service.ifPresentOrElse(services::put, () -> services.remove(name)));
        // Not before: a Service that is missing because of an exception would be denied.
        ready |= change.complete();
        records.serial(serial);
    }

    /** Whether the Services have been read. */
    public boolean isReady() {
        return ready;
    }

    /** Services that are known. */
    public int size() {
        return services.size();
    }

    /** @param rotation any number: selects which of several addresses comes first */
    public ZoneAnswer answer(DnsQuestion question, int rotation) {
        if (question.name().isIn(settings.domain())) {
            return ready ? inDomain(question, rotation) : new ZoneAnswer.NotReady();
        }
        return ReverseName.of(question.name())
                .map(name -> reverse(question, name))
                .orElseGet(ZoneAnswer.NotOurs::new);
    }

    private ZoneAnswer inDomain(DnsQuestion question, int rotation) {
        DnsName name = question.name();
        DnsRecordType type = question.type();
        DnsName apex = name.last(settings.domain().labels());
        return switch (nodes.find(name)) {
            case DomainNode.Missing() -> known(records.missing(apex));
            case DomainNode.Apex() -> known(records.apex(question));
            case DomainNode.Version() -> {
                DnsRecord version = new DnsRecord(name, DnsRecordType.TXT, VERSION_TTL, new RecordData.Text(VERSION));
                yield known(type.equals(DnsRecordType.TXT) ? records.of(List.of(version)) : records.noData(apex));
            }
            case DomainNode.Addresses(List<EndpointTarget> targets) -> {
                if (type.equals(DnsRecordType.SRV)) {
                    yield known(records.services(name, targets, apex));
                }
                List<DnsRecord> found = records.addresses(name, type, targets, rotation);
                yield known(found.isEmpty() ? records.noData(apex) : records.of(found));
            }
            case DomainNode.Alias(DnsName target) -> alias(question, target, rotation, apex);
        };
    }

    private static ZoneAnswer known(DnsAnswer answer) {
        return new ZoneAnswer.Known(answer);
    }

    /** Follows ExternalNames as long as their target is in the domain. */
    private ZoneAnswer alias(DnsQuestion question, DnsName first, int rotation, DnsName apex) {
        DnsRecordType type = question.type();
        List<DnsRecord> chain = new ArrayList<>();
        chain.add(records.alias(question.name(), first));
        if (type.equals(DnsRecordType.CNAME)) {
            return known(records.of(chain));
        }
        if (!isAddress(type)) {
            return known(records.noData(apex));
        }
        Set<DnsName> seen = new HashSet<>(Set.of(question.name()));
        DnsName at = first;
        while (at.isIn(settings.domain())) {
            if (!seen.add(at) || seen.size() > LONGEST_CHAIN) {
                return known(records.noData(apex));
            }
            switch (nodes.find(at)) {
                case DomainNode.Alias(DnsName next) -> {
                    chain.add(records.alias(at, next));
                    at = next;
                }
                case DomainNode.Addresses(List<EndpointTarget> targets) -> {
                    List<DnsRecord> found = records.addresses(at, type, targets, rotation);
                    chain.addAll(found);
                    return known(found.isEmpty() ? records.noData(apex) : records.of(chain));
                }
                case DomainNode.Missing(), DomainNode.Apex(), DomainNode.Version() -> {
                    return known(records.noData(apex));
                }
            }
        }
        return new ZoneAnswer.Alias(chain, at);
    }

    private static boolean isAddress(DnsRecordType type) {
        return type.equals(DnsRecordType.A) || type.equals(DnsRecordType.AAAA);
    }

    private ZoneAnswer reverse(DnsQuestion question, ReverseName name) {
        if (ready && question.type().equals(DnsRecordType.PTR)) {
            List<DnsRecord> names = name.address().stream()
                    .flatMap(ip -> services.namesOf(ip).stream())
                    .flatMap(labels -> nodes.name(labels).stream())
                    .distinct()
                    .map(target -> records.pointer(question.name(), target))
                    .toList();
            if (!names.isEmpty()) {
                return known(records.of(names));
            }
        }
        Optional<Integer> digits = settings.reverse().stream()
                .filter(ours -> ours.contains(name.network()))
                .findFirst()
                .map(ReverseName::zoneDigits);
        if (digits.isEmpty()) {
            return new ZoneAnswer.NotOurs();
        }
        return ready ? known(inReverseZone(question, name, digits.get())) : new ZoneAnswer.NotReady();
    }

    private DnsAnswer inReverseZone(DnsQuestion question, ReverseName name, int digits) {
        DnsName apex = question.name().last(digits + 2);
        boolean isApex = name.exact() && question.name().labels() == digits + 2;
        if (isApex) {
            return records.apex(question);
        }
        boolean exists = name.exact() && services.hasNameIn(name.network());
        return exists ? records.noData(apex) : records.missing(apex);
    }

    /** Returns the answer to the original question, made of the aliases and the answer of other resolvers for the target. */
    public static DnsAnswer joined(ZoneAnswer.Alias alias, DnsAnswer target) {
        List<DnsRecord> answers = new ArrayList<>(alias.aliases());
        boolean failed =
                !target.code().equals(DnsResponseCode.NOERROR) && !target.code().equals(DnsResponseCode.NXDOMAIN);
        if (failed) {
            return DnsAnswer.failure(DnsResponseCode.SERVFAIL);
        }
        answers.addAll(target.answers());
        // As in CoreDNS: the alias exists, whatever its target is.
        return new DnsAnswer(DnsResponseCode.NOERROR, true, false, target.truncated(), answers, List.of(), List.of());
    }
}
