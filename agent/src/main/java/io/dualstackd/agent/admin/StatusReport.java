package io.dualstackd.agent.admin;

import io.dualstackd.dataplane.plan.WithoutLocal;
import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.pods.RuntimeReport;
import io.dualstackd.standalone.ledger.LedgerFigures;
import io.dualstackd.supervision.ComponentState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How the daemon is.
 *
 * @param version of the daemon
 * @param node name of this node
 * @param startedAt when the daemon started
 * @param madeAt when this report was made
 * @param families in the order IPv4, IPv6; a family this host does not have is there with {@link Phase#OFF}
 * @param problems of manifests, as they are now
 * @param runtime empty when no container runtime is followed
 * @param closedHealthPorts health-check node ports that cannot be opened: address, Services, reason
 * @param addresses of this node, in order
 * @param ledger of cluster IPs and node ports; empty where Services are taken as they are written
 * @param setup what is to be said of host and configuration
 * @param components how everything that runs on its own is
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
        List<String> closedHealthPorts,
        OwnAddresses addresses,
        Optional<ContainerRuntime> runtime,
        Optional<LedgerFigures> ledger,
        Setup setup,
        List<ComponentState> components) {
    /** Nothing is to be said of host and configuration. */
    public StatusReport(
            String version,
            String node,
            long pid,
            Instant startedAt,
            Instant madeAt,
            Source source,
            List<Family> families,
            List<Problem> problems,
            List<String> closedHealthPorts,
            OwnAddresses addresses,
            Optional<ContainerRuntime> runtime,
            Optional<LedgerFigures> ledger) {
        this(
                version,
                node,
                pid,
                startedAt,
                madeAt,
                source,
                families,
                problems,
                closedHealthPorts,
                addresses,
                runtime,
                ledger,
                Setup.NONE,
                List.of());
    }

    public StatusReport {
        closedHealthPorts = List.copyOf(closedHealthPorts);
        families = List.copyOf(families);
        problems = List.copyOf(problems);
        components = List.copyOf(components);
    }

    /** In one word, and why. */
    public Health health() {
        return Health.of(this);
    }

    /** True when every family that is on holds what it should. */
    public boolean isInForce() {
        return source.synced()
                && families.stream().allMatch(f -> f.phase() == Phase.READY || f.phase() == Phase.OFF)
                && families.stream().anyMatch(f -> f.phase() == Phase.READY);
    }

    /**
     * Where objects come from.
     *
     * @param kind {@code manifests} or {@code cluster}
     * @param place the folder, or the URI of the API server
     * @param trouble why news do not come now; empty while they do
     * @param synced it has been read completely at least once
     * @param outage how long news have not come; empty while they do
     * @param lastContact how long ago an API server last said anything; empty for a folder, and when that is not known
     */
    public record Source(
            String kind,
            String place,
            Optional<String> trouble,
            boolean synced,
            int services,
            int slices,
            int nodes,
            Optional<Duration> outage,
            Optional<Duration> lastContact) {
        /** Without times. */
        public Source(
                String kind,
                String place,
                Optional<String> trouble,
                boolean synced,
                int services,
                int slices,
                int nodes) {
            this(kind, place, trouble, synced, services, slices, nodes, Optional.empty(), Optional.empty());
        }
    }

    /**
     * Host and configuration.
     *
     * @param notes what of the host is not as it should be: whole sentences that say what to do
     * @param missing IP families the host does not have, and why
     * @param reload the last time the configuration was read again; empty when it was not
     */
    public record Setup(List<String> notes, Map<IpFamily, String> missing, Optional<Reload> reload) {
        /** Nothing to say. */
        public static final Setup NONE = new Setup(List.of(), Map.of(), Optional.empty());

        public Setup {
            notes = List.copyOf(notes);
            missing = Map.copyOf(missing);
        }
    }

    /**
     * What came of reading the configuration again.
     *
     * @param good all of it that can count does
     * @param what was done, or why not
     * @param restart keys whose new values only count after a restart
     */
    public record Reload(Instant at, boolean good, String what, List<String> restart) {
        public Reload {
            restart = List.copyOf(restart);
        }
    }

    /**
     * What this node is known by.
     *
     * @param chosen primary first
     * @param troubles whole sentences: why there is none, what is hardly meant, why changes may go unseen
     * @param unanswered whole sentences: families that have node ports and no address of the node for them
     */
    public record OwnAddresses(List<OwnAddress> chosen, List<String> troubles, List<String> unanswered) {
        public OwnAddresses {
            chosen = List.copyOf(chosen);
            troubles = List.copyOf(troubles);
            unanswered = List.copyOf(unanswered);
        }

        /** Every node port has an address. */
        public OwnAddresses(List<OwnAddress> chosen, List<String> troubles) {
            this(chosen, troubles, List.of());
        }
    }

    /**
     * An address of this node.
     *
     * @param type as in {@code status.addresses} of a Node
     * @param reason why it is chosen
     */
    public record OwnAddress(String type, String address, String reason) {}

    /**
     * The container runtime and this node's pods. Trouble here is not the health of the rules.
     *
     * @param pods known now, dead ones included
     * @param alive of them
     * @param families of those alive
     * @param failovers addresses of pods that were found dead, since the start
     * @param hidden endpoints that sources name and nobody is sent to, now
     */
    public record ContainerRuntime(
            RuntimeReport state, int pods, int alive, PodFamilies families, long failovers, int hidden) {}

    /**
     * How many pods have addresses of which family.
     *
     * @param ipv4 with one at least, and so for IPv6
     * @param both dual-stack ones, which are counted in the others, too
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

    /** Where a family's line stands. */
    public enum Phase {
        /** Has not programmed the kernel yet. */
        STARTING("starting"),
        /** The kernel holds what it should. */
        READY("ready"),
        /** The last attempt failed; there will be another one. */
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
     * @param last the last transaction that the kernel took
     * @param error why it is not {@link Phase#READY}
     * @param contest somebody else changes our rules again and again
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
            Optional<Trouble> error,
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
     * How long the last changes took from their news until in force.
     *
     * @param changes how many these are
     * @param median of them; half took longer
     * @param p99 all but one of a hundred took no longer
     */
    public record Latency(int changes, Duration median, Duration p99) {}

    /**
     * What is in force.
     *
     * @param services with an address of the family
     * @param servicePorts their ports
     * @param endpoints that receive traffic, counted once per service port
     * @param chains of ours in the kernel
     * @param rules of ours in the kernel
     * @param tables of iptables mode; empty in other modes
     * @param withoutLocal service ports that drop what comes here: their policy is Local, and no endpoint serves on this node
     */
    public record Objects(
            int services,
            int servicePorts,
            int endpoints,
            int chains,
            int rules,
            List<Table> tables,
            WithoutLocal withoutLocal) {
        /** Nothing. */
        public static final Objects NONE = new Objects(0, 0, 0, 0, 0, List.of(), WithoutLocal.NONE);

        public Objects {
            tables = List.copyOf(tables);
        }
    }

    /**
     * One table of iptables.
     *
     * @param rules of ours in it
     * @param written by the last pass that changed anything
     */
    public record Table(String name, int rules, int written) {}

    /**
     * Counted since the start.
     *
     * @param transactions taken by the kernel
     * @param refused by the kernel
     * @param repairs of our rules after somebody else changed them
     * @param staleFlows connections deleted because their endpoint serves no more
     */
    public record Totals(long transactions, long refused, long repairs, long messages, long bytes, long staleFlows) {
        /** Nothing happened. */
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
     * A fight about rules of ours.
     *
     * @param process who changes them, empty when not known
     * @param pid its number, 0 when not known
     * @param what is changed, one example
     * @param since when it was found out
     * @param repairs of ours since then
     * @param pause between two of them
     */
    public record Contest(String process, int pid, String what, Instant since, int repairs, Duration pause) {}

    /**
     * What went wrong.
     *
     * @param since the first failure of this row
     * @param attempts failures in this row
     * @param what was attempted: the object or operation
     * @param said what the kernel said
     * @param next what will be done about it
     */
    public record Trouble(Instant since, int attempts, String what, String said, String next) {}
}
