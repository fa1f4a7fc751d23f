package io.dualstackd.node.io;

import io.dualstackd.netlink.ip.Ip;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.supervision.Component;
import io.dualstackd.supervision.Heartbeat;
import io.dualstackd.supervision.io.BoundedWait;
import io.dualstackd.supervision.io.Supervisor;
import io.dualstackd.supervision.sys.Platform;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The addresses of the node's name in DNS, resolved periodically on a thread of its own, {@code names}: a resolver without servers takes
 * half a minute to fail, and no other thread may block that long. An answer stays until there is another one: servers that are down do not
 * change a node's addresses.
 */
public final class NameLookup implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("addresses");

    /** Resolves a name; may block for any time. */
    @FunctionalInterface
    public interface Resolver {
        List<Ip> resolve(String name) throws Exception;

        /** The system's resolver: hosts file and DNS, as seen from {@code ns}. */
        static Resolver system(NetNs ns) {
            return name -> ns.call(() -> Arrays.stream(InetAddress.getAllByName(name))
                    .map(address -> Ip.ofBytes(address.getAddress()))
                    .distinct()
                    .toList());
        }
    }

    /**
     * The intervals of requests.
     *
     * @param timeout how long to wait for the first answer before continuing without it
     * @param again interval between requests
     * @param soonest minimum time since the last answer, however often {@link #again} is called
     */
    public record Pace(Duration timeout, Duration again, Duration soonest) {
        public static final Pace USUAL = new Pace(Duration.ofSeconds(1), Duration.ofSeconds(30), Duration.ofSeconds(1));
    }

    private final String name;
    private final Resolver resolver;
    private final Pace pace;
    private final Runnable changed;
    private final Platform platform;
    private final Platform.Latch answered;
    private final Platform.Latch closed;
    private final Platform.Permits requests;
    /** The last answer, if it lacked a family that was there before; used by the thread that asks. */
    private Optional<Set<Ip>> doubted = Optional.empty();

    private volatile List<Ip> resolved = List.of();
    /** The last answer that was passed on; empty before the first. Used by the thread of the lookup. */
    private Optional<List<Ip>> reported = Optional.empty();

    private volatile boolean overdue;

    private NameLookup(String name, Resolver resolver, Pace pace, Platform platform, Runnable changed) {
        this.platform = platform;
        this.answered = platform.latch();
        this.closed = platform.latch();
        this.requests = platform.permits();
        this.name = name;
        this.resolver = resolver;
        this.pace = pace;
        this.changed = changed;
    }

    /**
     * Returns a lookup that has not been started.
     *
     * @param changed called on a thread of the lookup when the answer has changed, or when {@link #isSettled} becomes true; must not
     *     block
     */
    public static NameLookup of(String name, Resolver resolver, Pace pace, Runnable changed) {
        return of(name, resolver, pace, Platform.system(), changed);
    }

    /** As the other, on this platform. */
    public static NameLookup of(String name, Resolver resolver, Pace pace, Platform platform, Runnable changed) {
        return new NameLookup(name, resolver, pace, platform, changed);
    }

    /** Starts the lookup. To be called once. */
    public NameLookup begin() {
        return begin(Supervisor.none());
    }

    /** As {@link #begin()}; the thread is watched by {@code supervisor}. */
    public NameLookup begin(Supervisor supervisor) {
        var _ = supervisor.worker(Component.NAMES, this::run).start();
        var _ = supervisor.worker(Component.NAMES, this::expect).start();
        return this;
    }

    /** The last answer; empty before the first answer, and when the name is unknown. */
    public List<Ip> resolved() {
        return resolved;
    }

    /** Whether there was an answer, or the time to wait for it is over. */
    public boolean isSettled() {
        return overdue || answered.isOpen();
    }

    /** The network has changed: repeat the request soon. */
    public void again() {
        if (requests.available() == 0) {
            requests.release();
        }
    }

    private void run(Heartbeat heartbeat) throws InterruptedException {
        while (!closed.isOpen()) {
            heartbeat.beat();
            try {
                learn(resolver.resolve(name));
            } catch (UnknownHostException e) {
                LOG.debug("name not resolved name={} reason=\"{}\"", name, e.getMessage());
            } catch (Exception e) {
                LOG.debug("name not resolved name={}", name, e);
            }
            answered.open();
            List<Ip> now = resolved;
            if (!reported.equals(Optional.of(now))) {
                changed.run();
                reported = Optional.of(now);
            }
            boolean over = closed.await(pace.soonest());
            boolean ignored = over || BoundedWait.inParts(platform, heartbeat, pace.again(), requests::tryAcquire);
        }
    }

    /**
     * Many servers rotate the addresses of a name, and a resolver passes on what it has when the question for one family fails: a node must
     * not change its address because of that. So an answer that lacks a family counts when it is repeated.
     */
    private void learn(List<Ip> answer) {
        Set<Ip> fresh = Set.copyOf(answer);
        boolean lacksFamily = !families(answer).containsAll(families(resolved));
        boolean repeated = doubted.equals(Optional.of(fresh));
        doubted = lacksFamily ? Optional.of(fresh) : Optional.empty();
        if (!fresh.equals(Set.copyOf(resolved)) && (!lacksFamily || repeated)) {
            resolved = answer;
        }
    }

    private static Set<IpFamily> families(List<Ip> ips) {
        return ips.stream().map(Ip::family).collect(Collectors.toSet());
    }

    private void expect(Heartbeat heartbeat) throws InterruptedException {
        heartbeat.quiet(pace.timeout());
        if (!answered.await(pace.timeout())) {
            overdue = true;
            changed.run();
        }
    }

    @Override
    public void close() {
        closed.open();
        again();
    }
}
