package io.dualstackd.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.dualstackd.admin.Reports;
import io.dualstackd.admin.StatusReport;
import io.dualstackd.admin.io.AdminServer;
import io.dualstackd.agent.config.AgentConfig;
import io.dualstackd.agent.config.ConfigResult;
import io.dualstackd.agent.config.Key;
import io.dualstackd.agent.config.SourceSettings;
import io.dualstackd.agent.log.LogLevel;
import io.dualstackd.dataplane.model.IptablesVariant;
import io.dualstackd.dataplane.model.NodePortAddresses;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.node.DetectLocal;
import io.dualstackd.nodeaddr.NodeIps;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("kernel")
final class CommandLinesTest {
    private final List<Object> done = new ArrayList<>();
    private final List<Actions.Cleanup> cleanups = new ArrayList<>();
    private final List<Launch> launches = new ArrayList<>();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private ExitCode answer = ExitCode.OK;

    @TempDir
    private Path tmp;

    private final Actions actions = new Actions() {
        @Override
        public ExitCode run(Launch launch) {
            done.add(launch.config());
            launches.add(launch);
            return answer;
        }

        @Override
        public ExitCode initialize(Launch launch) {
            done.add("initialize " + launch.config().mode());
            return answer;
        }

        @Override
        public ExitCode cleanup(Cleanup options, PrintStream to) {
            done.add("cleanup");
            cleanups.add(options);
            return answer;
        }

        @Override
        public ExitCode demo(Demo options, PrintStream to) {
            done.add(options);
            return answer;
        }
    };

    private int execute(String... arguments) {
        try (PrintStream o = new PrintStream(out, true, StandardCharsets.UTF_8);
                PrintStream e = new PrintStream(err, true, StandardCharsets.UTF_8)) {
            return CommandLines.execute(actions, "1.2.3", o, e, arguments);
        }
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void runWithFlags() {
        assertThat(execute(
                        "run", "--standalone", "--manifests", "/m", "--masquerade-all", "--node-ips=10.0.0.1,fd00::1"))
                .isZero();
        assertThat(done).hasSize(1);
        AgentConfig config = (AgentConfig) done.getFirst();
        assertThat(config.source()).isEqualTo(new SourceSettings.Folder("/m"));
        assertThat(config.rules().masqueradeAll()).isTrue();
        assertThat(config.node().ips()).contains(NodeIps.parse("10.0.0.1,fd00::1"));
    }

    /** As {@code --config <(envsubst <template)} and {@code --config /dev/stdin} have it: a second reading finds nothing, or never ends. */
    @Test
    void aPipeIsReadOnce() throws Exception {
        Path pipe = tmp.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        write(pipe, "clusterCIDR: 10.0.0.0/8\n");
        assertThat(execute("run", "--config", pipe.toString())).as(err()).isZero();
        write(pipe, "clusterCIDR: 192.0.2.0/24\n");
        Launch launch = launches.getFirst();
        assertThat(launch.config().detectLocal())
                .isEqualTo(new DetectLocal.ClusterCidr(List.of(IpPrefix.parse("10.0.0.0/8"))));
        assertThat(launch.files()).isEmpty();
        assertThat(launch.reading().again())
                .isInstanceOfSatisfying(
                        ConfigResult.Usable.class,
                        again -> assertThat(again.config()).isEqualTo(launch.config()));
        assertThat(Files.readString(pipe)).as("nobody has read it").contains("192.0.2.0");
    }

    /** Waits on a thread of its own until somebody reads. */
    private static void write(Path pipe, String text) {
        Thread.ofPlatform().daemon().start(() -> {
            try {
                Files.writeString(pipe, text);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /** Also a name that is not ASCII is no path for the JVM in a locale without it, which a test cannot have. */
    @ParameterizedTest
    @CsvSource({"validate,x\0.yaml", "run,--config=x\0.yaml", "status,--admin-socket=x\0.yaml"})
    void whatIsNoPathIsRefused(String command, String argument) {
        assertThat(execute(command, argument)).isEqualTo(2);
        assertThat(err())
                .startsWith("dualstackd: ")
                .contains("\"x?.yaml\" is no path: ", "LC_ALL=C.UTF-8")
                .doesNotContain("bug", "\tat ");
    }

    /** As {@code run} does: the networks are what the ledger of the check is made of. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "10.0.0.0/8,10.1.0.0/16              | two networks must be of different IP families, and both are IPv4",
                "10.0.0.0/24,fd00::/108,fd01::/108   | must be one network or two, not 3",
                "fd00::/8                            | must be /64 or smaller",
                "10.0.0.0/31                         | is too small: it must have at least 8 addresses",
                "10.0.0.0/24,                        | is not a network",
            })
    void validateRefusesNetworksThatADaemonRefuses(String ranges, String rule) throws IOException {
        Path file = Files.writeString(
                tmp.resolve("s.yaml"),
                "{apiVersion: v1, kind: Service, metadata: {name: a}, spec: {ports: [{port: 80}]}}");
        assertThat(execute("validate", "--service-cluster-ip-range", ranges, file.toString()))
                .isEqualTo(2);
        assertThat(err()).contains("--service-cluster-ip-range: \"" + ranges + "\": ", rule);
        assertThat(out()).isEmpty();
    }

    /** A file that cannot be read hides no error of another one. */
    @Test
    void validateGoesOnBehindAFileThatIsNotUtf8() throws IOException {
        Path manifests = Files.createDirectory(tmp.resolve("manifests"));
        Path latin = Files.write(manifests.resolve("a.yaml"), new byte[] {'a', ':', ' ', (byte) 0xe9, '\n'});
        Files.writeString(manifests.resolve("b.yaml"), "{apiVersion: v1, kind: Service, metadata: {name: B}}");
        assertThat(execute("validate", manifests.toString())).isOne();
        assertThat(err())
                .startsWith("dualstackd: " + latin + " cannot be read: it is not UTF-8\n")
                .contains("b.yaml:1 (document 1): error: metadata.name: ");
        assertThat(out()).contains("in 1 file, ", "; 1 file cannot be read\n");
    }

    @Test
    void validateAcceptsTheNetworksOfRun() throws IOException {
        Path file = Files.writeString(
                tmp.resolve("s.yaml"),
                "{apiVersion: v1, kind: Service, metadata: {name: a}, spec: {ports: [{port: 80}]}}");
        assertThat(execute("validate", "--service-cluster-ip-range", "10.0.0.0/24, fd00::/108", file.toString()))
                .as(err())
                .isZero();
    }

    @Test
    void besideAFileFlagsOfKubeProxyAreIgnored() throws IOException {
        Path file = Files.writeString(
                tmp.resolve("c.yaml"), "iptables: {masqueradeAll: true, masqueradeBit: 5}\nclusterCIDR: 10.0.0.0/8\n");
        assertThat(execute(
                        "run",
                        "--config",
                        file.toString(),
                        "--standalone",
                        "--manifests",
                        "/m",
                        "--masquerade-all=false"))
                .isZero();
        AgentConfig config = (AgentConfig) done.getFirst();
        assertThat(config.rules().masqueradeAll()).isTrue();
        assertThat(config.rules().masqueradeBit()).isEqualTo(5);
        assertThat(err())
                .contains("warning: flag --config: ")
                .contains("ignored")
                .contains("--masquerade-all\n");
    }

    @Test
    void theCommandLineOfKubeProxyItself() {
        assertThat(execute("--v=2", "--hostname-override=node-1", "--oom-score-adj", "-998", "--ipvs-strict-arp"))
                .isZero();
        AgentConfig config = (AgentConfig) done.getFirst();
        assertThat(config.node().nameOverride()).contains("node-1");
        assertThat(config.host().oomScoreAdj()).isEqualTo(-998);
        assertThat(config.source().kind()).isEqualTo("cluster");
        assertThat(err()).contains("warning: flag --ipvs-strict-arp: \"true\": has an effect in mode ipvs only");
        assertThat(execute("-v=5", "--cleanup")).isZero();
        assertThat(execute("-v", "5", "--init-only", "--proxy-mode=nftables")).isZero();
        assertThat(execute("run", "--version")).isZero();
        assertThat(done.subList(1, 3)).containsExactly("cleanup", "initialize nftables");
        assertThat(out()).isEqualTo("dualstackd 1.2.3\n");
    }

    /** kube-proxy takes {@code _} for {@code -} in the names of flags; values stay. */
    @Test
    void underscoresInTheNamesOfFlags() {
        assertThat(execute(
                        "--cluster_cidr=10.0.0.0/8",
                        "--masquerade_all",
                        "--detect_local_mode=InterfaceNamePrefix",
                        "--pod_interface-name_prefix",
                        "veth_a",
                        "--iptables_variant=nf_tables",
                        "--oom_score_adj",
                        "-998"))
                .as(err())
                .isZero();
        AgentConfig config = (AgentConfig) done.getFirst();
        assertThat(config.rules().masqueradeAll()).isTrue();
        assertThat(config.detectLocal()).isEqualTo(new DetectLocal.InterfacePrefix("veth_a"));
        assertThat(config.variant()).contains(IptablesVariant.NF_TABLES);
        assertThat(config.host().oomScoreAdj()).isEqualTo(-998);
        assertThat(execute("--init_only=1", "--proxy_mode=nftables")).isZero();
        assertThat(execute("--cleanup=T")).isZero();
        assertThat(done.subList(1, 3)).containsExactly("initialize nftables", "cleanup");
        assertThat(execute("run", "--no_such_flag")).isEqualTo(ExitCode.USAGE.number());
        assertThat(err()).contains("--no_such_flag");
    }

    /** A list of kube-proxy's may be given in parts, and of its other flags the last value counts. */
    @Test
    void flagsOfKubeProxyThatAreGivenSeveralTimes() {
        assertThat(execute(
                        "--v=2",
                        "--nodeport-addresses=10.0.0.0/8",
                        "--v=5",
                        "--nodeport-addresses",
                        "fd00::/8,192.0.2.0/24",
                        "--masquerade-all",
                        "--masquerade-all=false",
                        "--cluster-cidr=10.0.0.0/8",
                        "--cluster-cidr=172.16.0.0/12",
                        "--feature-gates=AllAlpha=true",
                        "--feature-gates=AllowServiceExternalIPs=false"))
                .as(err())
                .isZero();
        AgentConfig config = (AgentConfig) done.getFirst();
        assertThat(config.nodePortAddresses())
                .isEqualTo(new NodePortAddresses.Within(Stream.of("10.0.0.0/8", "fd00::/8", "192.0.2.0/24")
                        .map(IpPrefix::parse)
                        .toList()));
        assertThat(config.logging().level()).isEqualTo(LogLevel.DEBUG);
        assertThat(config.rules().masqueradeAll()).isFalse();
        assertThat(config.detectLocal())
                .isEqualTo(new DetectLocal.ClusterCidr(List.of(IpPrefix.parse("172.16.0.0/12"))));
        assertThat(config.externalIps()).isFalse();
    }

    @Test
    void aFlagOfOursIsGivenOnce() {
        assertThat(execute("run", "--standalone", "--manifests=/a", "--manifests=/b"))
                .isEqualTo(ExitCode.USAGE.number());
        assertThat(err()).contains("--manifests: must be given once, not 2 times");
        assertThat(done).isEmpty();
    }

    @Test
    void theConfigurationThatWouldBeUsedIsWritten() throws IOException {
        Path file = tmp.resolve("written.yaml");
        assertThat(execute("--write-config-to", file.toString(), "--cluster-cidr=10.0.0.0/8,fd00::/8", "--zone=a"))
                .isZero();
        assertThat(done).isEmpty();
        String text = Files.readString(file);
        assertThat(text)
                .startsWith("apiVersion: kubeproxy.config.k8s.io/v1alpha1\n")
                .contains("clusterCIDR: \"10.0.0.0/8,fd00::/8\"\n", "  zone: a\n", "mode: iptables\n");
        assertThat(execute("--config", file.toString())).isZero();
        assertThat(err()).isEmpty();
        assertThat(execute("--write-config-to", tmp.resolve("no/where").toString()))
                .isEqualTo(1);
    }

    @Test
    void aMissingConfigurationFile() {
        assertThat(execute("run", "--config", "/nowhere.yaml")).isEqualTo(2);
        assertThat(err())
                .isEqualTo("dualstackd: configuration file /nowhere.yaml cannot be read: there is no such file\n");
    }

    @Test
    void mistypedFlagsAndCommands() {
        assertThat(execute("run", "--standalon")).isEqualTo(2);
        assertThat(err())
                .contains("--standalon")
                .contains("Did you mean --standalone?")
                .contains("Try 'dualstackd run --help'");
        err.reset();
        assertThat(execute("statsu")).isEqualTo(2);
        assertThat(err()).contains("Did you mean status?");
        assertThat(execute("run", "--cluster-cidr")).isEqualTo(2);
        assertThat(execute("demo", "--connections", "many")).isEqualTo(2);
        assertThat(execute("demo", "--connections", "0")).isEqualTo(2);
        assertThat(execute("status", "-o", "xml")).isEqualTo(2);
        assertThat(done).isEmpty();
    }

    @Test
    void noArgumentsPrintHelp() {
        assertThat(execute()).isEqualTo(2);
        assertThat(err()).contains("Usage: dualstackd").contains("cleanup").contains("sudo dualstackd demo");
    }

    @ParameterizedTest
    @ValueSource(strings = {"run", "status", "addresses", "cleanup", "demo", "version", "completion"})
    void everyCommandHasHelp(String command) {
        assertThat(execute(command, "--help")).isZero();
        assertThat(out()).startsWith("Usage: dualstackd " + command).contains("Exit codes:");
        assertThat(out().lines()).allMatch(line -> line.length() <= 100);
        assertThat(done).isEmpty();
    }

    @Test
    void theHelpOfRunNamesEveryFlag() {
        execute("run", "--help");
        for (Key key : Key.values()) {
            assertThat(out()).contains(key.flag());
            assertThat(out()).contains(key.settingGroup().title() + ":\n");
        }
    }

    @Test
    void versions() {
        assertThat(execute("version")).isZero();
        assertThat(execute("--version")).isZero();
        assertThat(out()).isEqualTo("dualstackd 1.2.3\ndualstackd 1.2.3\n");
    }

    @Test
    void exitCodesOfActionsAreThoseOfTheProcess() {
        answer = ExitCode.UNSUPPORTED;
        assertThat(execute("cleanup")).isEqualTo(3);
        assertThat(execute("demo", "--connections", "7", "--proxy-mode", "nftables", "--manifests", "x"))
                .isEqualTo(3);
        assertThat(done).containsExactly("cleanup", new Actions.Demo(Optional.of("x"), ProxyMode.NFTABLES, 7));
    }

    /** As a command, as a flag of kube-proxy's, and with a configuration that cannot be read. */
    @Test
    void cleanupKnowsWhereTheDaemonWas() throws Exception {
        Path file = Files.writeString(tmp.resolve("own.yaml"), """
                apiVersion: dualstackd.io/v1alpha1
                kind: DualstackdConfiguration
                adminSocket: /from/file.sock
                stateDir: ""
                """);
        execute("cleanup");
        execute("cleanup", "--admin-socket=/a.sock", "--state-dir=/s");
        execute("--cleanup", "--dualstackd-config", file.toString());
        execute("run", "--cleanup", "--config", "/nowhere.yaml", "--state-dir=/s");
        assertThat(cleanups)
                .containsExactly(
                        new Actions.Cleanup("/run/dualstackd/admin.sock", "/var/lib/dualstackd"),
                        new Actions.Cleanup("/a.sock", "/s"),
                        new Actions.Cleanup("/from/file.sock", ""),
                        new Actions.Cleanup("/run/dualstackd/admin.sock", "/s"));
    }

    @Test
    void reportsInternalErrors() {
        Actions broken = new Actions() {
            @Override
            public ExitCode run(Launch launch) {
                throw new IllegalStateException("boom");
            }

            @Override
            public ExitCode initialize(Launch launch) {
                throw new IllegalStateException("boom");
            }

            @Override
            public ExitCode cleanup(Cleanup options, PrintStream to) {
                throw new IllegalStateException("boom");
            }

            @Override
            public ExitCode demo(Demo options, PrintStream to) {
                throw new IllegalStateException("boom");
            }
        };
        PrintStream e = new PrintStream(err, true, StandardCharsets.UTF_8);
        assertThat(CommandLines.execute(broken, "1", e, e, "cleanup")).isEqualTo(1);
        assertThat(err()).contains("this is a bug").contains("IllegalStateException: boom");
    }

    @Test
    void podsAskTheDaemon() throws IOException {
        Path folder = Files.createTempDirectory(Path.of("/tmp"), "dsd");
        String socket = folder.resolve("s").toString();
        try (AdminServer ignored = AdminServer.open(Path.of(socket), Reports::healthy)) {
            assertThat(execute("pods", "--admin-socket", socket, "-o", "wide")).isEqualTo(1);
            assertThat(err()).contains("follows no container runtime; start it with --cri ENDPOINT");
            assertThat(execute("pod", "shop/web", "--admin-socket", socket)).isEqualTo(1);
        }
        assertThat(execute("pods", "--admin-socket", socket)).isEqualTo(4);
        assertThat(execute("pod", "--admin-socket", socket)).isEqualTo(2);
        assertThat(execute("pod", "web", "--admin-socket", socket)).isEqualTo(2);
        assertThat(err()).contains("\"web\": must be NAMESPACE/NAME of a pod");
        assertThat(execute("pods", "-o", "xml")).isEqualTo(2);
        assertThat(err()).contains("--output: \"xml\": must be wide, json, yaml");
        assertThat(execute("pods", "--help")).isZero();
        Files.deleteIfExists(folder);
    }

    @Test
    void statusAsksTheDaemon() throws IOException {
        Path folder = Files.createTempDirectory(Path.of("/tmp"), "dsd");
        Path socket = folder.resolve("s");
        AtomicReference<StatusReport> report = new AtomicReference<>(Reports.healthy());
        try (AdminServer ignored = AdminServer.open(socket, report::get)) {
            assertThat(execute("status", "--admin-socket", socket.toString())).isZero();
            assertThat(out()).startsWith("dualstackd 0.1.0 on node-1: healthy");
            out.reset();
            report.set(Reports.failing());
            assertThat(execute("status", "--admin-socket", socket.toString(), "-o", "json"))
                    .isEqualTo(1);
            assertThat(out()).startsWith("{").contains("\"healthy\" : false");
        }
        assertThat(execute("status", "--admin-socket", socket.toString())).isEqualTo(4);
        assertThat(err()).contains("no daemon answers on " + socket);
        Files.delete(folder);
    }

    @Test
    void completesTypedWords() {
        assertThat(completed("sta")).containsExactly("status");
        assertThat(completed("help", "exp")).containsExactly("explain");
        assertThat(completed("run", "--proxy-mode", "")).containsExactly("iptables", "ipvs", "nftables");
        assertThat(completed("run", "--proxy-mode=nf")).containsExactly("nftables");
        assertThat(completed("run", "--proxy-mode", "=", "nf")).containsExactly("nftables");
        assertThat(completed("run", "--write-co")).containsExactly("--write-config-to");
        assertThat(completed("run", "--config", "")).containsExactly(":files");
        assertThat(completed("apply", "-f", "we")).containsExactly(":files");
        assertThat(completed("validate", "we")).containsExactly(":files");
        assertThat(completed("get", "endpoints")).containsExactly("endpoints", "endpointslice", "endpointslices");
        assertThat(completed("get", "-o", "")).contains("wide", "json");
        assertThat(completed("get", "svc", "")).isEmpty();
        assertThat(completed("nothing", "")).isEmpty();
        assertThat(completed("--")).containsExactly("--help", "--version");
        assertThat(completed("run", "--standalone=")).containsExactly("false", "true");
        assertThat(completed("apply", "--dry-run=c")).containsExactly("client");
    }

    @Test
    void completesNothingAfterTheLastArgument() {
        assertThat(completed("service", "")).containsExactly("list");
        assertThat(completed("service", "list", "")).isEmpty();
        assertThat(completed("completion", "bash", "")).isEmpty();
        assertThat(completed("help", "status", "")).isEmpty();
    }

    @Test
    void helpOfHelpIsThatOfTheProgram() {
        assertThat(execute("help", "help")).isZero();
        assertThat(out()).startsWith("Usage: dualstackd [OPTIONS] [COMMAND]");
    }

    @ParameterizedTest
    @CsvSource({"status", "get svc", "explain demo/web", "monitor", "top"})
    void aCommandThatAsksTheDaemonNeedsItsSocket(String command) {
        List<String> words = new ArrayList<>(List.of(command.split(" ")));
        words.add("--admin-socket=");
        assertThat(execute(words.toArray(String[]::new))).isEqualTo(2);
        assertThat(err()).startsWith("dualstackd: --admin-socket: is empty: must be the path of the daemon's socket");
    }

    @Test
    void aTimeThatIsTooLongIsNamedAsItWasTyped() {
        assertThat(execute("trace", "10.0.0.1", "10.96.0.1:80", "--for=10m")).isEqualTo(2);
        assertThat(err()).startsWith("dualstackd: --for: \"10m\": must be 1s to 5m");
    }

    @Test
    void aConfigurationCannotBeWrittenWhereThereIsNoFolder() {
        String file = tmp.resolve("none/c.yaml").toString();
        assertThat(execute("run", "--standalone", "--manifests", "/m", "--write-config-to", file))
                .isEqualTo(1);
        assertThat(err()).isEqualTo("dualstackd: " + file + " cannot be written: there is no such folder\n");
    }

    /** A file on a full disk; a reader that has seen enough is no failure. */
    @Test
    void outputThatCannotBeWrittenIsAFailure() {
        try (PrintStream e = new PrintStream(err, true, StandardCharsets.UTF_8);
                PrintStream full = new PrintStream(new Full(), true, StandardCharsets.UTF_8)) {
            assertThat(CommandLines.execute(actions, "1", new Terminal(Map.of(), false, true), full, e, "--help"))
                    .isZero();
            assertThat(err()).isEmpty();
            assertThat(CommandLines.execute(actions, "1", new Terminal(Map.of()), full, e, "version"))
                    .isEqualTo(1);
            assertThat(err()).startsWith("dualstackd: the output could not be written completely");
        }
    }

    /** The end of a full disk. */
    private static final class Full extends OutputStream {
        @Override
        public void write(int ignored) throws IOException {
            throw new IOException("No space left on device");
        }
    }

    private List<String> completed(String... words) {
        out.reset();
        assertThat(execute(
                        Stream.concat(Stream.of("__complete"), Stream.of(words)).toArray(String[]::new)))
                .isZero();
        return out().lines().toList();
    }
}
