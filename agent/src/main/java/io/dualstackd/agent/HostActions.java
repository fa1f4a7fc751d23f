package io.dualstackd.agent;

import io.dualstackd.admin.AdminSources;
import io.dualstackd.admin.StatusReport;
import io.dualstackd.admin.io.AdminServer;
import io.dualstackd.agent.app.Daemon;
import io.dualstackd.agent.app.LibraryLoader;
import io.dualstackd.agent.app.NetworkNotes;
import io.dualstackd.agent.app.ObjectSource;
import io.dualstackd.agent.app.PodNetworks;
import io.dualstackd.agent.app.Reloading;
import io.dualstackd.agent.app.Shutdown;
import io.dualstackd.agent.app.SighupHandler;
import io.dualstackd.agent.app.StartupDeadline;
import io.dualstackd.agent.app.StatusReports;
import io.dualstackd.agent.app.UnusableSource;
import io.dualstackd.agent.cli.Actions;
import io.dualstackd.agent.cli.ExitCode;
import io.dualstackd.agent.cli.Launch;
import io.dualstackd.agent.config.AgentConfig;
import io.dualstackd.agent.config.ConfigResult;
import io.dualstackd.agent.config.ConfigText;
import io.dualstackd.agent.config.io.DaemonSettings;
import io.dualstackd.agent.host.io.CniFile;
import io.dualstackd.agent.host.io.CniRecord;
import io.dualstackd.agent.host.io.CniWriter;
import io.dualstackd.agent.host.io.DaemonLock;
import io.dualstackd.agent.host.io.FamilySupport;
import io.dualstackd.agent.host.io.FormerSettings;
import io.dualstackd.agent.host.io.HostCleanup;
import io.dualstackd.agent.host.io.HostSettings;
import io.dualstackd.agent.host.io.Preflight;
import io.dualstackd.agent.host.io.VariantDetection;
import io.dualstackd.agent.log.io.LogSetup;
import io.dualstackd.agent.notify.ServiceEnvironment;
import io.dualstackd.agent.notify.io.ServiceManager;
import io.dualstackd.agent.reconcile.SyncObserver;
import io.dualstackd.dataplane.counters.io.ElementCounterProbe;
import io.dualstackd.dataplane.counters.io.NfacctCounters;
import io.dualstackd.dataplane.model.IptablesVariant;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.dataplane.rules.iptables.VariantSigns;
import io.dualstackd.netlink.io.NetlinkSockets;
import io.dualstackd.netlink.ip.IpFamily;
import io.dualstackd.netlink.sys.NativeAccessException;
import io.dualstackd.netlink.sys.NetNs;
import io.dualstackd.node.DetectLocal;
import io.dualstackd.pages.ui.io.UiServer;
import io.dualstackd.standalone.ledger.io.LedgerMismatch;
import io.dualstackd.supervision.io.FatalAction;
import io.dualstackd.supervision.io.Supervisor;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the commands on the host of this process. */
final class HostActions implements Actions {
    private static final Logger LOG = LoggerFactory.getLogger("dualstackd");

    private final String version;
    private final PrintStream err;

    HostActions(String version, PrintStream err) {
        this.version = version;
        this.err = err;
    }

    @Override
    public ExitCode run(Launch launch) {
        LibraryLoader libraries = LibraryLoader.start(launch.config().source());
        return onHost(ns -> {
            Optional<String> impossible = Preflight.problem(ns, launch.config());
            if (impossible.isPresent()) {
                return unsupported(impossible.get());
            }
            Settled settled = Settled.of(Settings.of(launch.config(), ns), launch.config());
            DaemonSettings settings = settled.settings();
            settings.missing()
                    .forEach((family, why) -> LOG.warn(
                            "single-stack: there is no {} on this host reason=\"{}\" next=wait-for-it", family, why));
            Optional<String> lacking = FamilySupport.problem(settings);
            if (lacking.isPresent()) {
                // The host may have the family later; systemd starts again what ends with 1, but not with 2.
                err.println("dualstackd: " + lacking.get());
                return ExitCode.FAILED;
            }
            return run(launch, settled, libraries);
        });
    }

    /**
     * The settings for the daemon on this host. The variant of iptables is detected once: it does not change while we have rules there.
     *
     * @param variant where iptables rules go, and why; empty in modes without iptables
     * @param noNfacct why rules of iptables do not count packets at named objects; empty where they do, and in other modes
     * @param noEndpointCounters why the connections of endpoints are not counted although that was asked for
     */
    private record Settled(
            DaemonSettings settings,
            Optional<VariantSigns.Choice> variant,
            Optional<String> noNfacct,
            Optional<String> noEndpointCounters) {
        static Settled of(DaemonSettings settings, AgentConfig config) {
            NetNs ns = settings.ns();
            if (config.mode() != ProxyMode.IPTABLES) {
                Optional<String> uncounted = config.mode() == ProxyMode.NFTABLES && config.endpointCounters()
                        ? ElementCounterProbe.unavailable(NetlinkSockets.of(ns))
                        : Optional.empty();
                DaemonSettings counting = settings.toBuilder()
                        .endpointCounters(settings.endpointCounters() && uncounted.isEmpty())
                        .build();
                return new Settled(counting, Optional.empty(), Optional.empty(), uncounted);
            }
            VariantSigns.Choice choice = config.variant()
                    .map(variant -> new VariantSigns.Choice(variant, "the configuration says so"))
                    .orElseGet(() -> VariantDetection.of(ns));
            Optional<String> noNfacct = noNfacct(choice.variant(), ns);
            DaemonSettings.Builder settled = settings.toBuilder()
                    .variant(choice.variant())
                    .node(settings.node().withNfacct(noNfacct.isEmpty()));
            return new Settled(settled.build(), Optional.of(choice), noNfacct, Optional.empty());
        }

        private static Optional<String> noNfacct(IptablesVariant variant, NetNs ns) {
            NfacctCounters objects = new NfacctCounters(NetlinkSockets.of(ns));
            return switch (variant) {
                case NF_TABLES -> objects.unavailable();
                case LEGACY -> objects.unavailableInLegacy(ns);
            };
        }

        /** The settings of another configuration, with what was found out about this host once. */
        DaemonSettings again(AgentConfig config) throws IOException {
            DaemonSettings fresh = Settings.again(config, settings);
            return fresh.toBuilder()
                    .variant(settings.variant())
                    .node(fresh.node().withNfacct(settings.node().nfacct()))
                    .build();
        }

        void log() {
            variant.ifPresent(choice ->
                    LOG.info("iptables rules go to variant={} reason=\"{}\"", choice.variant(), choice.why()));
            noNfacct.ifPresent(reason -> LOG.info("rules count no packets at nfacct objects reason=\"{}\"", reason));
            noEndpointCounters.ifPresent(
                    reason -> LOG.warn("connections of endpoints are not counted reason=\"{}\"", reason));
        }
    }

    /** The action of a command in the network namespace of this process. */
    private interface OnHost {
        ExitCode run(NetNs ns) throws IOException;
    }

    private ExitCode onHost(OnHost work) {
        try (NetNs ns = NetNs.current()) {
            Optional<String> problem = Preflight.problem(ns);
            return problem.isPresent() ? unsupported(problem.get()) : work.run(ns);
        } catch (NativeAccessException e) {
            return unsupported(String.valueOf(e.getMessage()));
        } catch (LedgerMismatch e) {
            err.println("dualstackd: " + e.getMessage());
            return ExitCode.USAGE;
        } catch (UnusableSource e) {
            err.println("dualstackd: " + e.getMessage());
            // What is named may be written or mounted later; a configuration that names nothing stays as it is.
            return e.isNamed() ? ExitCode.FAILED : ExitCode.USAGE;
        } catch (IOException e) {
            LOG.error("failed reason=\"{}\"", e.getMessage());
            return ExitCode.FAILED;
        }
    }

    private ExitCode run(Launch launch, Settled settled, LibraryLoader libraries) throws IOException {
        DaemonSettings settings = settled.settings();
        AgentConfig config = launch.config();
        // The configured source of objects may be missing: nothing on the host is changed before that is known.
        ObjectSource.require(settings);
        Optional<Path> cniFile = settings.pods().cniFile().map(Path::of);
        if (cniFile.isPresent()) {
            new CniFile(cniFile.get()).requireOurs();
        }
        // When another daemon answers there, the rules are its own and must not be touched.
        if (config.adminSocket().isPresent()) {
            AdminServer.requireFree(Path.of(config.adminSocket().get()));
        }
        // A SIGHUP during the start requests what the start does anyway.
        SighupHandler.call(() -> {});
        // Before our shutdown hook is installed: while it waits for another daemon to end, a signal ends this one at
        // once.
        DaemonLock lock = DaemonLock.take(
                settings.ns(),
                "mode " + config.mode()
                        + config.adminSocket()
                                .map(path -> ", admin socket " + path)
                                .orElse(""),
                DaemonLock.TIMEOUT);
        ServiceManager systemd = ServiceManager.connect(serviceEnvironment());
        libraries.await();
        Shutdown shutdown = new Shutdown();
        try {
            return runUntilTheEnd(launch, settled, lock, systemd, shutdown);
        } catch (IOException | RuntimeException e) {
            shutdown.cancel();
            throw e;
        }
    }

    private ExitCode runUntilTheEnd(
            Launch launch, Settled settled, DaemonLock lock, ServiceManager systemd, Shutdown shutdown)
            throws IOException {
        AtomicReference<ConfigResult.Usable> inForce = new AtomicReference<>(launch.usable());
        // Once: what is in force when the daemon starts again may be older than a file that was emptied since.
        Set<Path> emptyAtStart = Reloading.emptyFiles(launch);
        Settled current = settled;
        while (true) {
            Launch now = new Launch(inForce.get(), launch.files(), launch.reading());
            Optional<ExitCode> end = runOnce(now, emptyAtStart, current, lock, systemd, inForce, shutdown);
            if (end.isPresent()) {
                return end.get();
            }
            systemd.startingAgain();
            AgentConfig config = inForce.get().config();
            current = Settled.of(Settings.again(config, settled.settings()), config);
        }
    }

    /** Runs until the process is to end; returns empty when it is to be run again, as the host has another IP family now. */
    private Optional<ExitCode> runOnce(
            Launch launch,
            Set<Path> emptyAtStart,
            Settled settled,
            DaemonLock lock,
            ServiceManager systemd,
            AtomicReference<ConfigResult.Usable> inForce,
            Shutdown shutdown)
            throws IOException {
        DaemonSettings settings = settled.settings();
        AgentConfig config = launch.config();
        HostSettings host = HostSettings.of(settings);
        StatusReports reports = new StatusReports(version, settings, Instant.now());
        Supervisor supervisor = new Supervisor(FatalAction.ofProcess());
        shutdown.whileStarting(closer -> {
            closer.accept(() -> {
                if (!shutdown.isStartingAgain()) {
                    lock.close();
                }
            });
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
            settled.log();
            ObjectSource source = ObjectSource.open(settings);
            host.apply(launch.usable(), settings.node());
            Optional<CniWriter> cni = settings.pods()
                    .cniFile()
                    .map(file -> CniWriter.start(
                            Path.of(file),
                            settings.pods().cidrs(),
                            settings.state().map(CniRecord::in),
                            supervisor));
            cni.ifPresent(writer -> closer.accept(writer::close));
            Daemon daemon = Daemon.start(
                    settings,
                    source,
                    family -> Stream.of(SyncObserver.ofStatus(systemd::onStatus), host.observer()),
                    supervisor);
            closer.accept(daemon::close);
            closer.accept(() -> {
                if (!shutdown.isStartingAgain()) {
                    systemd.close();
                }
            });
            if (!settings.missing().isEmpty()) {
                // Served as soon as the kernel has it; the rules of the other stay.
                AtomicBoolean found = new AtomicBoolean();
                Runnable check = () -> {
                    Set<IpFamily> arrived = arrived(settings);
                    if (!arrived.isEmpty() && found.compareAndSet(false, true)) {
                        LOG.info(
                                "{} is there now next=restart-with-it",
                                arrived.stream().map(IpFamily::toString).collect(Collectors.joining(", ")));
                        shutdown.startAgain();
                    }
                };
                daemon.addresses().onChange(check);
                check.run();
            }
            Reloading reloading = Reloading.start(
                    launch,
                    emptyAtStart,
                    next -> {
                        DaemonSettings now = settled.again(next.config());
                        Optional<String> awaited = FamilySupport.problem(now).or(() -> daemon.awaited(now));
                        if (awaited.isPresent()) {
                            // The rules in force cannot wait as those of a start do, and no start would be possible.
                            throw new IOException(
                                    "nothing of it is in force yet, reload once this is resolved: " + awaited.get());
                        }
                        inForce.set(next);
                        LogSetup.install(
                                next.config().logging().format(),
                                next.config().logging().level(),
                                err);
                        host.awaitGuard(now.node());
                        daemon.follow(now);
                        daemon.shows(ConfigText.shown(next.given()));
                        host.apply(next, now.node());
                    },
                    host::check,
                    supervisor);
            closer.accept(reloading::close);
            SighupHandler.call(() -> {
                systemd.reloading();
                reloading.onRequest();
                systemd.reloaded();
            });
            NetworkNotes networks = new NetworkNotes(
                    daemon.networkSources(settings), NetlinkSockets.of(settings.ns()), supervisor.platform());
            AtomicReference<Optional<UiServer>> ui = new AtomicReference<>(Optional.empty());
            Supplier<StatusReport> report = () -> reports.of(
                    daemon,
                    Stream.of(
                                    daemon.awaited().stream(),
                                    host.notes().stream(),
                                    networks.now().stream(),
                                    cni.flatMap(CniWriter::note).stream(),
                                    ui.get().flatMap(UiServer::note).stream(),
                                    LogSetup.problem().stream())
                            .flatMap(notes -> notes)
                            .toList(),
                    cni.flatMap(CniWriter::error),
                    reloading.last());
            if (config.detectLocal() instanceof DetectLocal.NodeCidr) {
                StartupDeadline startupDeadline = StartupDeadline.start(
                        PodNetworks.TIMEOUT, daemon::synced, daemon::awaited, shutdown::giveUp, supervisor);
                closer.accept(startupDeadline::close);
            }
            systemd.follow(report, daemon::oldestBeat, supervisor);
            daemon.reports(report);
            daemon.shows(ConfigText.shown(launch.usable().given()));
            AdminSources sources = new AdminSources(
                    report,
                    daemon::pods,
                    () -> Optional.of(daemon.objects()),
                    daemon.source().editing(),
                    Optional.of(daemon.explainer()),
                    daemon.counts(),
                    daemon.flows(),
                    LogSetup.recent());
            admin.ifPresent(server -> server.answer(sources, supervisor));
            if (config.ui().isPresent()) {
                UiServer server =
                        UiServer.start(config.ui().get(), settings.ns(), sources, daemon.meters(), supervisor);
                closer.accept(server::close);
                ui.set(Optional.of(server));
            }
        });
        return shutdown.await();
    }

    /** The families that the host did not have at the start and has now. */
    private static Set<IpFamily> arrived(DaemonSettings settings) {
        try {
            Set<IpFamily> missing = FamilySupport.missing(settings.ns()).keySet();
            return settings.missing().keySet().stream()
                    .filter(family -> !missing.contains(family))
                    .collect(Collectors.toCollection(TreeSet::new));
        } catch (IOException e) {
            LOG.warn("it is not known whether the host has both IP families reason=\"{}\"", e.getMessage());
            return Set.of();
        }
    }

    @Override
    public ExitCode initialize(Launch launch) {
        return onHost(ns -> {
            Optional<String> impossible = Preflight.problem(ns, launch.config());
            if (impossible.isPresent()) {
                return unsupported(impossible.get());
            }
            // It leaves rules alone: those of another mode serve until the daemon has its own in force.
            DaemonSettings settings = Settled.of(Settings.of(launch.config(), ns), launch.config())
                    .settings();
            ObjectSource.require(settings);
            HostSettings.of(settings).initialize(launch.usable(), settings.node());
            return ExitCode.OK;
        });
    }

    /** The environment set by systemd, if it started this process. */
    static ServiceEnvironment serviceEnvironment() {
        return ServiceEnvironment.of(System.getenv(), ProcessHandle.current().pid());
    }

    @Override
    public ExitCode cleanup(Cleanup options, PrintStream to) {
        return onHost(ns -> {
            // Held until the end: a daemon that starts meanwhile waits for it.
            try (DaemonLock ignored = DaemonLock.take(ns, "dualstackd cleanup", Duration.ZERO)) {
                if (!options.adminSocket().isEmpty()) {
                    AdminServer.requireFree(Path.of(options.adminSocket()));
                }
                Optional<Path> state = Optional.of(options.stateDir())
                        .filter(text -> !text.isEmpty())
                        .map(Path::of);
                Optional<FormerSettings> former =
                        state.isPresent() ? Optional.of(FormerSettings.in(state.get(), ns)) : Optional.empty();
                Optional<CniRecord> cni = state.map(CniRecord::in);
                return new HostCleanup(ns, to, err).everything(former, cni, state) ? ExitCode.OK : ExitCode.FAILED;
            } catch (DaemonLock.Taken | FileAlreadyExistsException e) {
                err.println("dualstackd: nothing was removed, because a running daemon would restore it: "
                        + e.getMessage() + "; end it first");
                return ExitCode.FAILED;
            }
        });
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
        } catch (NativeAccessException e) {
            return unsupported(String.valueOf(e.getMessage()));
        } catch (io.dualstackd.agent.demo.Demo.NoServices e) {
            err.println("dualstackd: " + e.getMessage());
            return ExitCode.USAGE;
        } catch (IOException e) {
            err.println("dualstackd: the demo needs root for its network namespaces: " + e.getMessage());
            return ExitCode.UNSUPPORTED;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCode.FAILED;
        }
    }

    /** The examples, next to the program as located by the launcher. */
    private static String examples() {
        return Path.of(System.getProperty("dualstackd.home", "."), "examples").toString();
    }

    private ExitCode unsupported(String problem) {
        err.println("dualstackd: " + problem);
        return ExitCode.UNSUPPORTED;
    }
}
