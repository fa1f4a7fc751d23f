package io.dualstackd.admin;

import io.dualstackd.dataplane.plan.WithoutLocal;
import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.pods.RuntimeReport;
import io.dualstackd.standalone.ledger.LedgerFigures;
import io.dualstackd.standalone.manifest.Unused;
import io.dualstackd.supervision.ComponentState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The state of the daemon.
 *
 * @param version of the daemon
 * @param node name of this node
 * @param startedAt when the daemon started
 * @param madeAt when this report was made
 * @param families in the order IPv4, IPv6; a family this host does not have is there with {@link Phase#OFF}
 * @param problems of manifests, as they are now
 * @param unused entries of the folder, and slices, that are not used; nothing is wrong with them
 * @param runtime empty when no container runtime is followed
 * @param closedHealthPorts ports for health checks and metrics that cannot be opened: address, Services, reason
 * @param addresses of this node, in order
 * @param ledger of cluster IPs and node ports; empty where Services are taken as they are written
 * @param dns the DNS server; empty when there is none
 * @param setup notes on the host and the configuration
 * @param components state of each component that runs on its own
 */
public record StatusReport(
        String version,
        String node,
        long pid,
        Instant startedAt,
        Instant madeAt,
        Source source,
        List<Family> families,
        List<Problem> problems,
        Unused unused,
        List<String> closedHealthPorts,
        OwnAddresses addresses,
        Optional<ContainerRuntime> runtime,
        Optional<LedgerFigures> ledger,
        Optional<DnsReport> dns,
        Setup setup,
        List<ComponentState> components) {
    public StatusReport {
        closedHealthPorts = List.copyOf(closedHealthPorts);
        families = List.copyOf(families);
        problems = List.copyOf(problems);
        components = List.copyOf(components);
    }

    /** The health of the daemon in one word, with the reasons. */
    public Health health() {
        return Health.of(this);
    }

    /** True when every family that is on has its rules in the kernel. */
    public boolean isInForce() {
        return source.synced()
                && families.stream().allMatch(f -> f.phase() == Phase.READY || f.phase() == Phase.OFF)
                && families.stream().anyMatch(f -> f.phase() == Phase.READY);
    }

    /**
     * Source of objects.
     *
     * @param kind {@code manifests} or {@code cluster}
     * @param place the folder, or the URI of the API server
     * @param error why changes are not received now; empty while they are
     * @param synced whether it has been read completely at least once
     * @param outage how long changes have not been received; empty while they are
     * @param lastContact how long ago an API server last sent anything; empty for a folder, and when that is not known
     */
    public record Source(
            String kind,
            String place,
            Optional<String> error,
            boolean synced,
            int services,
            int slices,
            int nodes,
            Optional<Duration> outage,
            Optional<Duration> lastContact) {}

    /**
     * The host and the configuration.
     *
     * @param notes what is wrong with the host: whole sentences that include what to do
     * @param cni why the CNI configuration is not in place; empty when it is, or is not ours to write
     * @param missing IP families the host does not have, and why
     * @param reload the last reload of the configuration; empty when there was none
     */
    public record Setup(
            List<String> notes, Optional<String> cni, Map<IpFamily, String> missing, Optional<Reload> reload) {
        /** No notes. */
        public static final Setup NONE = new Setup(List.of(), Optional.empty(), Map.of(), Optional.empty());

        public Setup {
            notes = List.copyOf(notes);
            missing = Map.copyOf(missing);
        }
    }

    /**
     * The result of reloading the configuration.
     *
     * @param good whether every new value that can take effect without a restart has done so
     * @param what what was done, or why nothing was done
     * @param restart keys whose new values take effect only after a restart
     */
    public record Reload(Instant at, boolean good, String what, List<String> restart) {
        public Reload {
            restart = List.copyOf(restart);
        }
    }

    /**
     * The addresses of this node.
     *
     * @param chosen primary first
     * @param warnings whole sentences: why there is none, which choice is probably not intended, why changes may go unnoticed
     * @param unanswered whole sentences: families that have node ports but no node address to serve them on
     */
    public record OwnAddresses(List<OwnAddress> chosen, List<String> warnings, List<String> unanswered) {
        public OwnAddresses {
            chosen = List.copyOf(chosen);
            warnings = List.copyOf(warnings);
            unanswered = List.copyOf(unanswered);
        }
    }

    /**
     * An address of this node.
     *
     * @param type as in {@code status.addresses} of a Node
     * @param reason why it was chosen
     */
    public record OwnAddress(String type, String address, String reason) {}

    /**
     * The container runtime and the pods of this node. Problems here do not affect the health of the rules.
     *
     * @param pods pods known now, including dead ones
     * @param alive how many of them are alive
     * @param families address families of the pods that are alive
     * @param failovers pod addresses that were found dead since the start while a source listed them as ready
     * @param hidden endpoints that sources name but that receive no traffic now
     */
    public record ContainerRuntime(
            RuntimeReport state, int pods, int alive, PodFamilies families, long failovers, int hidden) {}

    /**
     * The number of pods with addresses of each family.
     *
     * @param ipv4 pods with at least one IPv4 address; {@code ipv6} likewise
     * @param both dual-stack pods, which are also counted in the other two
     */
    public record PodFamilies(int ipv4, int ipv6, int both) {
        /** @param pods the addresses of each pod */
        public static PodFamilies of(List<List<Ip>> pods) {
            int ipv4 = 0;
            int ipv6 = 0;
            int both = 0;
            for (List<Ip> ips : pods) {
                boolean has4 = ips.stream().anyMatch(ip -> ip.family() == IpFamily.IPV4);
                boolean has6 = ips.stream().anyMatch(ip -> ip.family() == IpFamily.IPV6);
                ipv4 += has4 ? 1 : 0;
                ipv6 += has6 ? 1 : 0;
                both += has4 && has6 ? 1 : 0;
            }
            return new PodFamilies(ipv4, ipv6, both);
        }
    }

    /** The state of the reconciler of a family. */
    public enum Phase {
        /** It has not programmed the kernel yet. */
        STARTING("starting"),
        /** The kernel holds the intended rules. */
        READY("ready"),
        /** The last attempt failed; it will be retried. */
        RETRYING("retrying"),
        /** This host does not have the family. */
        OFF("off");

        private final String label;

        Phase(String label) {
            this.label = label;
        }

        @Override
        public String toString() {
            return label;
        }
    }

    /**
     * One IP family.
     *
     * @param mode {@code iptables} or {@code nftables}
     * @param variant of iptables: {@code nf_tables} or {@code legacy}; empty when not known yet, and in other modes
     * @param last the last transaction that the kernel accepted
     * @param error why it is not {@link Phase#READY}
     * @param contest set while another program changes our rules again and again
     * @param latency empty before the first change
     */
    public record Family(
            IpFamily family,
            String mode,
            String variant,
            Phase phase,
            Objects objects,
            Totals totals,
            Optional<Transaction> last,
            Optional<Failure> error,
            Optional<Contest> contest,
            Optional<Latency> latency) {
        /** A family this host does not have. */
        public static Family off(IpFamily family) {
            return new Family(
                    family,
                    "",
                    "",
                    Phase.OFF,
                    Objects.NONE,
                    Totals.NONE,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());
        }
    }

    /**
     * The latencies of the last changes, from their notification until they were in force.
     *
     * @param changes number of changes measured
     * @param median half of them took longer
     * @param p99 99 of 100 took no longer
     */
    public record Latency(int changes, Duration median, Duration p99) {}

    /**
     * The rules in force for a family, in numbers.
     *
     * @param services with an address of the family
     * @param servicePorts their ports
     * @param endpoints endpoints that receive traffic, counted once per service port
     * @param chains chains of dualstackd in the kernel
     * @param rules rules of dualstackd in the kernel
     * @param tables of iptables mode; empty in other modes
     * @param withoutLocal service ports whose traffic is dropped on this node, because their policy is Local and no endpoint serves on it
     */
    public record Objects(
            int services,
            int servicePorts,
            int endpoints,
            int chains,
            int rules,
            List<Table> tables,
            WithoutLocal withoutLocal) {
        /** No objects. */
        public static final Objects NONE = new Objects(0, 0, 0, 0, 0, List.of(), WithoutLocal.NONE);

        public Objects {
            tables = List.copyOf(tables);
        }
    }

    /**
     * One table of iptables.
     *
     * @param rules rules of dualstackd in it
     * @param written rules written by the last sync that changed anything
     */
    public record Table(String name, int rules, int written) {}

    /**
     * Counters since the start.
     *
     * @param transactions transactions accepted by the kernel
     * @param refused transactions refused by the kernel
     * @param repairs repairs of our rules after another program changed them
     * @param staleFlows connections deleted because their endpoint no longer serves
     */
    public record Totals(long transactions, long refused, long repairs, long messages, long bytes, long staleFlows) {
        /** All counters zero. */
        public static final Totals NONE = new Totals(0, 0, 0, 0, 0, 0);
    }

    /**
     * One transaction.
     *
     * @param at when the kernel answered
     * @param took from the start of the work to the kernel's answer
     * @param messages sent
     * @param bytes sent
     * @param steps changes to chains and rules in it
     */
    public record Transaction(Instant at, Duration took, int messages, long bytes, int steps) {}

    /**
     * A conflict with another program over our rules.
     *
     * @param process the program that changes them; empty when not known
     * @param pid its process ID; 0 when not known
     * @param what what is changed, one example
     * @param since when the conflict was detected
     * @param repairs number of repairs since then
     * @param pause time between two repairs
     */
    public record Contest(String process, int pid, String what, Instant since, int repairs, Duration pause) {}

    /**
     * A failure.
     *
     * @param since the first failure of this series
     * @param attempts consecutive failures; empty while the rules are in force and only a part is missing
     * @param what what was attempted: the object or operation
     * @param message the error returned by the kernel
     * @param next what will be done about it
     */
    public record Failure(Instant since, Optional<Integer> attempts, String what, String message, String next) {}
}
