package io.dualstackd.dns;

import io.dualstackd.dns.message.DnsAnswer;
import io.dualstackd.dns.message.DnsName;
import io.dualstackd.dns.message.DnsQuestion;
import io.dualstackd.dns.message.DnsRecord;
import io.dualstackd.dns.message.EndpointTarget;
import io.dualstackd.dns.message.RecordData;
import io.dualstackd.netlink.ip.Ip;
import io.netty.handler.codec.dns.DnsRecordType;
import io.netty.handler.codec.dns.DnsResponseCode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Builds the records of answers, with the same values as CoreDNS. */
final class ZoneRecords {
    /** Values of SOA records, in seconds; they are for secondaries, of which there are none. */
    private static final int REFRESH = 7_200;

    private static final int RETRY = 1_800;
    private static final int EXPIRE = 86_400;
    private static final int LONGEST_SOA_TTL = 300;

    /** At most so many records are made for an answer: with the shortest, of 16 bytes, more do not fit into any message. */
    private static final int MOST = 4_096;

    /** The total weight of the {@code SRV} records of an answer. */
    private static final int WEIGHT = 100;

    private final ZoneSettings settings;
    private final DomainNodes nodes;
    private final DnsName mailbox;
    private final DnsName server;
    private long serial;

    ZoneRecords(ZoneSettings settings, DomainNodes nodes) {
        this.settings = settings;
        this.nodes = nodes;
        this.server = below(settings.domain(), "dns", "ns");
        this.mailbox = below(settings.domain(), ZoneSettings.MAILBOX);
    }

    private static DnsName below(DnsName domain, String... labels) {
        Optional<DnsName> name = Optional.of(domain);
        for (String label : labels) {
            name = name.flatMap(parent -> parent.child(label));
        }
        return name.orElseThrow(
                () -> new IllegalArgumentException("\"" + domain + "\" is too long for the domain of a cluster"));
    }

    void serial(long now) {
        serial = now;
    }

    private DnsAnswer answer(
            DnsResponseCode code, List<DnsRecord> answers, List<DnsRecord> authority, List<DnsRecord> additional) {
        return new DnsAnswer(code, true, false, answers, authority, additional);
    }

    DnsAnswer of(List<DnsRecord> answers) {
        return answer(DnsResponseCode.NOERROR, answers, List.of(), List.of());
    }

    /** Returns the answer for a name that exists and has no record of that type. */
    DnsAnswer noData(DnsName apex) {
        return answer(DnsResponseCode.NOERROR, List.of(), List.of(authority(apex)), List.of());
    }

    /** Returns the answer for a name that does not exist. */
    DnsAnswer missing(DnsName apex) {
        return answer(DnsResponseCode.NXDOMAIN, List.of(), List.of(authority(apex)), List.of());
    }

    private DnsRecord authority(DnsName apex) {
        return new DnsRecord(
                apex,
                DnsRecordType.SOA,
                Math.min(settings.ttl(), LONGEST_SOA_TTL),
                new RecordData.Authority(
                        server, mailbox, serial & 0xffff_ffffL, REFRESH, RETRY, EXPIRE, settings.ttl()));
    }

    /** Returns the answer to a question about the zone's own name. */
    DnsAnswer apex(DnsQuestion question) {
        DnsName name = question.name();
        if (question.type().equals(DnsRecordType.SOA)) {
            return of(List.of(authority(name)));
        }
        if (!question.type().equals(DnsRecordType.NS)) {
            return noData(name);
        }
        DnsName target = nodes.serverName().orElse(server);
        DnsRecord ns = new DnsRecord(name, DnsRecordType.NS, settings.ttl(), new RecordData.Target(target));
        List<DnsRecord> glue = nodes.serverAddresses().stream()
                .map(each -> DnsRecord.address(target, settings.ttl(), each.address()))
                .toList();
        return answer(DnsResponseCode.NOERROR, List.of(ns), List.of(), glue);
    }

    /** Returns the address records of the type, each once. */
    List<DnsRecord> addresses(DnsName name, DnsRecordType type, List<EndpointTarget> targets, int rotation) {
        List<Ip> ofType = new ArrayList<>();
        for (EndpointTarget endpointTarget : targets) {
            if (DnsRecord.addressType(endpointTarget.address().family()).equals(type)) {
                ofType.add(endpointTarget.address());
            }
        }
        if (ofType.size() > MOST) {
            Set<Ip> found = new LinkedHashSet<>();
            int first = Math.floorMod(rotation, ofType.size());
            for (int i = 0; i < ofType.size() && found.size() < MOST; i++) {
                found.add(ofType.get((first + i) % ofType.size()));
            }
            return found.stream()
                    .map(ip -> DnsRecord.address(name, settings.ttl(), ip))
                    .toList();
        }
        Set<Ip> found = new LinkedHashSet<>(ofType);
        List<DnsRecord> records = new ArrayList<>(found.size());
        found.forEach(ip -> records.add(DnsRecord.address(name, settings.ttl(), ip)));
        return rotated(records, rotation);
    }

    private static List<DnsRecord> rotated(List<DnsRecord> records, int rotation) {
        if (records.size() < 2) {
            return records;
        }
        int first = Math.floorMod(rotation, records.size());
        List<DnsRecord> rotated = new ArrayList<>(records.subList(first, records.size()));
        rotated.addAll(records.subList(0, first));
        return rotated;
    }

    /** Returns {@code SRV} records, and the addresses of their targets. */
    DnsAnswer services(DnsName name, List<EndpointTarget> targets, DnsName apex) {
        Set<DnsRecord> services = new LinkedHashSet<>();
        Set<DnsRecord> addresses = new LinkedHashSet<>();
        // As in CoreDNS: an address of the second family takes its share of the weight, although the record is the
        // same.
        int weight = Math.max(1, WEIGHT / Math.max(1, targets.size()));
        for (EndpointTarget endpointTarget : targets) {
            if (services.size() == MOST) {
                break;
            }
            if (endpointTarget.port() == DnsPort.NONE) {
                continue;
            }
            nodes.targetName(name, endpointTarget).ifPresent(target -> {
                RecordData data = new RecordData.Service(0, weight, endpointTarget.port(), target);
                services.add(new DnsRecord(name, DnsRecordType.SRV, settings.ttl(), data));
                addresses.add(DnsRecord.address(target, settings.ttl(), endpointTarget.address()));
            });
        }
        return services.isEmpty()
                ? noData(apex)
                : answer(DnsResponseCode.NOERROR, List.copyOf(services), List.of(), List.copyOf(addresses));
    }

    DnsRecord alias(DnsName owner, DnsName target) {
        return new DnsRecord(owner, DnsRecordType.CNAME, settings.ttl(), new RecordData.Target(target));
    }

    DnsRecord pointer(DnsName owner, DnsName target) {
        return new DnsRecord(owner, DnsRecordType.PTR, settings.ttl(), new RecordData.Target(target));
    }
}
