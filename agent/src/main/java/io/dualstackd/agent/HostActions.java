package io.dualstackd.agent;

import io.dualstackd.agent.admin.AdminSources;
import io.dualstackd.agent.admin.io.AdminServer;
import io.dualstackd.agent.cli.Actions;
import io.dualstackd.agent.cli.ExitCode;
import io.dualstackd.agent.config.AgentConfig;
import io.dualstackd.agent.ledger.io.LedgerMismatch;
import io.dualstackd.agent.line.LineStatus;
import io.dualstackd.agent.node.CpuList;
import io.dualstackd.agent.notify.ServiceEnvironment;
import io.dualstackd.agent.notify.io.ServiceManager;
import io.dualstackd.netlink.sys.NativeDoorException;
import io.dualstackd.netlink.sys.NetNs;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The commands, on the host the process runs on. */
final class HostActions implements Actions {
    private static final Logger LOG = LoggerFactory.getLogger("dualstackd");

    private final String version;
    private final PrintStream out;
    private final PrintStream err;

    HostActions(String version, PrintStream out, PrintStream err) {
        this.version = version;
        this.out = out;
        this.err = err;
    }

    @Override
    public ExitCode run(AgentConfig config) {
        try (NetNs ns = NetNs.current()) {
            Optional<String> problem = Preflight.problem(ns);
            if (problem.isPresent()) {
                return unsupported(problem.get());
            }
            DaemonSettings settings = Settings.of(config, ns);
            return run(config, settings);
        } catch (NativeDoorException e) {
            return unsupported(String.valueOf(e.getMessage()));
        } catch (LedgerMismatch e) {
            err.println("dualstackd: " + e.getMessage());
            return ExitCode.USAGE;
        } catch (IOException e) {
            LOG.error("cannot start reason=\"{}\"", e.getMessage());
            return ExitCode.FAILED;
        }
    }

    private ExitCode run(AgentConfig config, DaemonSettings settings) throws IOException {
        StatusReports reports = new StatusReports(version, settings, Instant.now());
        Shutdown shutdown = new Shutdown();
        shutdown.whileStarting(closer -> {
            // First the socket: when another daemon answers there, the rules are its own and nothing may be touched.
            Optional<AdminServer> admin = config.adminSocket().isPresent()
                    ? Optional.of(AdminServer.bind(Path.of(config.adminSocket().get())))
                    : Optional.empty();
            admin.ifPresent(server -> closer.accept(server::close));
            LOG.info(
                    "starting version={} node={} mode={} source={}",
                    version,
                    settings.node().name(),
                    config.mode(),
                    settings.source().kind());
            LoopbackRoute.open(settings.ns(), settings.node());
            int cores = cores();
            AtomicBoolean tracking =
                    new AtomicBoolean(ConntrackSettings.apply(settings.ns(), config.conntrack(), cores));
            ServiceManager systemd = ServiceManager.connect(serviceEnvironment());
            Daemon daemon = Daemon.start(settings, status -> {
                systemd.heard(status);
                if (status.state() == LineStatus.State.IN_FORCE && !tracking.getAndSet(true)) {
                    conntrackAtLast(settings, config, cores);
                }
            });
            closer.accept(daemon::close);
            closer.accept(systemd::close);
            systemd.follow(() -> reports.of(daemon), daemon::oldestBeat);
            daemon.reports(() -> reports.of(daemon));
            admin.ifPresent(server -> server.answer(new AdminSources(
                    () -> reports.of(daemon),
                    daemon::pods,
                    () -> Optional.of(daemon.objects()),
                    daemon.editing(),
                    Optional.of(daemon.explains()))));
        });
        shutdown.await();
        return ExitCode.OK;
    }

    @Override
    public ExitCode initialize(AgentConfig config) {
        try (NetNs ns = NetNs.current()) {
            Optional<String> problem = Preflight.problem(ns);
            if (problem.isPresent()) {
                return unsupported(problem.get());
            }
            LoopbackRoute.open(ns, Settings.of(config, ns).node());
            if (!ConntrackSettings.apply(ns, config.conntrack(), cores())) {
                LOG.warn("settings of connection tracking not there next=set-when-dualstackd-runs");
            }
            return new HostCleanup(ns, out, err).othersThan(config.mode()) ? ExitCode.OK : ExitCode.FAILED;
        } catch (NativeDoorException e) {
            return unsupported(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            LOG.error("cannot initialize reason=\"{}\"", e.getMessage());
            return ExitCode.FAILED;
        }
    }

    /** What systemd wants of us, where it started us. */
    static ServiceEnvironment serviceEnvironment() {
        return ServiceEnvironment.of(System.getenv(), ProcessHandle.current().pid());
    }

    /** Not what the JVM says, which a container's share of processors makes smaller. */
    private static int cores() {
        try {
            return CpuList.count(Files.readString(Path.of("/sys/devices/system/cpu/online")))
                    .orElseGet(Runtime.getRuntime()::availableProcessors);
        } catch (IOException e) {
            return Runtime.getRuntime().availableProcessors();
        }
    }

    private static void conntrackAtLast(DaemonSettings settings, AgentConfig config, int cores) {
        try {
            ConntrackSettings.apply(settings.ns(), config.conntrack(), cores);
        } catch (IOException e) {
            LOG.error("setting not changed reason=\"{}\" next=restart-to-try-again", e.getMessage());
        }
    }

    @Override
    public ExitCode cleanup(PrintStream to) {
        try (NetNs ns = NetNs.current()) {
            Optional<String> problem = Preflight.problem(ns);
            if (problem.isPresent()) {
                return unsupported(problem.get());
            }
            return new HostCleanup(ns, to, err).everything() ? ExitCode.OK : ExitCode.FAILED;
        } catch (NativeDoorException e) {
            return unsupported(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            err.println("dualstackd: " + e.getMessage());
            return ExitCode.FAILED;
        }
    }

    @Override
    public ExitCode demo(Demo options, PrintStream out) {
        Path manifests = Path.of(options.manifests().orElseGet(HostActions::examples));
        try {
            Optional<String> problem = Preflight.demoProblem();
            if (problem.isPresent()) {
                return unsupported(problem.get());
            }
            PrintWriter writer = new PrintWriter(out, true, StandardCharsets.UTF_8);
            boolean all =
                    new io.dualstackd.agent.demo.Demo(manifests, options.mode(), options.connections(), writer).run();
            writer.flush();
            return all ? ExitCode.OK : ExitCode.FAILED;
        } catch (NativeDoorException e) {
            return unsupported(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            err.println("dualstackd: the demo needs root for its network namespaces: " + e.getMessage());
            return ExitCode.UNSUPPORTED;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCode.FAILED;
        }
    }

    /** Next to the program, where the launcher says it lives. */
    private static String examples() {
        return Path.of(System.getProperty("dualstackd.home", "."), "examples").toString();
    }

    private ExitCode unsupported(String problem) {
        err.println("dualstackd: " + problem);
        return ExitCode.UNSUPPORTED;
    }
}
