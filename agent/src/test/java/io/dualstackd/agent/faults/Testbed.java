package io.dualstackd.agent.faults;

import io.dualstackd.agent.Main;
import io.dualstackd.kubeapi.objects.ObjectKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** A node with a supervised daemon, its API server, changes that go on, and the oracle. */
final class Testbed implements AutoCloseable {
    private static final Path LAUNCHER = Path.of("bin", "dualstackd");
    /** An id that no user of this machine has. */
    private static final int USER = 64_321;

    private static final int TIMEOUT_SECONDS = 120;

    final FaultNet net;
    final FakeApiServer server;
    final Expected expected = new Expected();
    final Workload workload;
    final Mode mode;
    private final Scratch scratch;
    private final Source source;
    private final FakeSystemd systemd;
    private final List<String> command;
    private final Supervisor supervisor;
    private final Oracle oracle;
    private final Changes changes;

    private ObjectStore.@Nullable Backup backup;
    private @Nullable ForeignRules foreign;

    private Testbed(Scratch scratch, Mode mode, Source source, int services, long seed, String... jvmFlags)
            throws Exception {
        this.scratch = scratch;
        this.mode = mode;
        this.source = source;
        this.net = FaultNet.make();
        this.server = FakeApiServer.start(net.outside(), scratch.folder());
        if (source != Source.CLUSTER) {
            Set<ObjectKey.Kind> without = source == Source.LEDGER ? Set.of(ObjectKey.Kind.SERVICE_CIDR) : Set.of();
            server.objects().mirror(new ManifestMirror(Files.createDirectories(manifests()), without));
        }
        Files.writeString(config(), "{}\n");
        this.systemd = FakeSystemd.at(scratch.folder().resolve("notify.sock"));
        this.workload = Workload.begin(server.objects(), expected, services, seed);
        this.command = command(jvmFlags);
        this.supervisor = Supervisor.start(this::startDaemon);
        this.oracle = Oracle.start(mode, expected, net.commands(), health(), supervisor);
        this.changes = Changes.of(workload);
    }

    /** Returns when all rules are in the kernel. */
    static Testbed start(Scratch scratch, Mode mode, Source source, int services, long seed, String... jvmFlags)
            throws Exception {
        Testbed bed = new Testbed(scratch, mode, source, services, seed, jvmFlags);
        try {
            if (!bed.oracle.awaitAgreement(System.nanoTime(), TIMEOUT_SECONDS)) {
                throw new IllegalStateException("never in force: " + bed.oracle.last() + ", "
                        + bed.oracle.healthReport() + "; see " + bed.log());
            }
            for (boolean ipv6 : new boolean[] {false, true}) {
                Map<Destination, Set<String>> read = mode.read(bed.net.commands(), ipv6);
                Destination frame = ipv6 ? Destination.FRAME6 : Destination.FRAME4;
                bed.expected.frame(frame, read.getOrDefault(frame, Set.of()));
            }
            return bed;
        } catch (Exception e) {
            bed.close();
            throw e;
        }
    }

    private ChildDaemon startDaemon() throws IOException {
        ChildDaemon daemon = ChildDaemon.start(command, asUser(), log());
        scratch.remember(daemon.pid());
        return daemon;
    }

    private List<String> command(String... jvmFlags) throws IOException {
        List<String> all = new ArrayList<>(List.of("nsenter", "--net=" + net.nodePath()));
        all.addAll(scratch.inMounts());
        all.addAll(asUser());
        all.addAll(List.of(systemd.environment()));
        all.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        all.addAll(flags());
        all.addAll(List.of(jvmFlags));
        all.add("-javaagent:" + AgentJars.pack(scratch.folder()));
        all.addAll(List.of("-cp", productClassPath(), Main.class.getName()));
        all.addAll(List.of(
                "run",
                source == Source.CLUSTER ? "--kubeconfig=" + server.kubeconfig() : "--manifests=" + manifests(),
                "--standalone=" + (source != Source.CLUSTER),
                "--dualstackd-config=" + config(),
                "--proxy-mode=" + mode.flag(),
                "--hostname-override=" + Workload.NODE,
                "--cluster-cidr=10.244.0.0/16,fd00:10:244::/56",
                "--conntrack-max-per-core=0",
                "--state-dir=" + scratch.state(),
                "--admin-socket=" + adminSocket()));
        if (source == Source.LEDGER) {
            all.add("--service-cluster-ip-range=10.96.0.0/12,fd00:10:96::/112");
        }
        return all;
    }

    /**
     * Limits on threads do not bind root, so it is another user, who may read class files and write settings of the network all the same. A
     * user namespace may know of nobody but root.
     */
    private static List<String> asUser() throws IOException {
        String[] map = Files.readString(Path.of("/proc/self/uid_map")).strip().split("\\s+", -1);
        return Long.parseLong(map[2]) <= USER
                ? List.of()
                : List.of(
                        "setpriv",
                        "--reuid=" + USER,
                        "--clear-groups",
                        "--inh-caps=-all,+net_admin,+dac_override",
                        "--ambient-caps=-all,+net_admin,+dac_override",
                        "--bounding-set=-all,+net_admin,+dac_override",
                        "--no-new-privs");
    }

    /** The product's own, as its launcher has them. */
    static List<String> flags() throws IOException {
        Path launcher = Files.exists(LAUNCHER) ? LAUNCHER : Path.of("..").resolve(LAUNCHER);
        String script = Files.readString(launcher);
        String invocation = script.substring(script.indexOf("/bin/java\"") + "/bin/java\"".length());
        return Arrays.stream(invocation.substring(0, invocation.indexOf("-jar")).split("[\\s\\\\]+", -1))
                .filter(word -> word.startsWith("-") && !word.contains("$"))
                .toList();
    }

    /** The property {@code faults.product} names another build. */
    private String productClassPath() throws IOException {
        String other = System.getProperty("faults.product", "");
        return other.isEmpty() ? AgentJars.productClassPath(scratch.folder()) : other;
    }

    /** Ends the daemon, and does something before it is started again. */
    void whileDown(Callable<?> what) throws Exception {
        supervisor.hold(true);
        try {
            daemon().kill();
            daemon().awaitEnd();
            what.call();
        } finally {
            supervisor.hold(false);
        }
    }

    /** Remembers the server's state. */
    void backup() {
        backup = server.objects().backup();
    }

    /** Puts the server back to the state it had then. */
    void restore() {
        workload.restore(Objects.requireNonNull(backup));
    }

    void foreign(ForeignRules.Where where, int perSecond) throws IOException {
        foreign = ForeignRules.start(net.node(), mode, where, perSecond);
    }

    /** Returns how many changes there were. */
    int foreignEnds() throws InterruptedException {
        ForeignRules rules = foreign;
        foreign = null;
        return rules == null ? 0 : rules.end();
    }

    /** Gives every part of the daemon something to do. */
    void stir() throws Exception {
        net.commands().run("ip", "address", "add", "192.0.2.77/32", "dev", "eth0");
        net.commands().run("nft", "add table inet stirred");
        workload.touch();
        net.commands().run("nft", "delete table inet stirred");
        Files.writeString(config(), "{}\n");
        net.commands().run("ip", "address", "delete", "192.0.2.77/32", "dev", "eth0");
    }

    /** What was not thrown will not be. */
    void disarm() {
        try {
            daemon().send("disarm");
        } catch (IOException e) {
            // It has ended.
        }
    }

    private Path config() {
        return scratch.folder().resolve("dualstackd.yaml");
    }

    private Path manifests() {
        return scratch.folder().resolve("manifests");
    }

    Path adminSocket() {
        return scratch.folder().resolve("admin.sock");
    }

    Path log() {
        return scratch.folder().resolve("daemon.log");
    }

    Scratch scratch() {
        return scratch;
    }

    ChildDaemon daemon() {
        return supervisor.daemon();
    }

    Supervisor supervisor() {
        return supervisor;
    }

    Health health() {
        return new Health(net.node(), adminSocket());
    }

    Oracle oracle() {
        return oracle;
    }

    Changes changes() {
        return changes;
    }

    @Override
    public void close() throws Exception {
        foreignEnds();
        changes.close();
        oracle.close();
        server.faults().end();
        supervisor.close();
        server.close();
        systemd.close();
        net.close();
    }
}
