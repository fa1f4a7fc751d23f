package io.dualstackd.agent.cli;

import io.dualstackd.admin.objects.ObjectKind;
import io.dualstackd.agent.config.Key;
import io.dualstackd.agent.log.LogFormat;
import io.dualstackd.agent.log.LogLevel;
import io.dualstackd.agent.log.io.LogSetup;
import io.dualstackd.dataplane.model.ProxyMode;
import io.dualstackd.kubeapi.tree.Suggestion;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.InvalidPathException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** The program's command line. */
public final class CommandLines {
    /** The modes that the demo offers; few kernels have IPVS. */
    private static final List<ProxyMode> DEMO_MODES = List.of(ProxyMode.IPTABLES, ProxyMode.NFTABLES);

    /** Formats whose output is laid out for people. */
    private static final Set<String> FOR_PEOPLE = Set.of("text", "table", "wide");

    /** A line of this length fits any terminal. */
    private static final int NARROW = 40;

    private static final List<String> SHELLS = List.of("bash", "zsh", "fish");

    private final Actions actions;
    private final String version;
    private final PrintStream out;
    private final PrintStream err;
    private final Terminal terminal;

    private CommandLines(Actions actions, String version, Terminal terminal, PrintStream out, PrintStream err) {
        this.actions = actions;
        this.version = version;
        this.out = out;
        this.err = err;
        this.terminal = terminal;
    }

    /**
     * Parses the arguments and runs the command.
     *
     * @return the exit code of the process
     */
    public static int execute(Actions actions, String version, PrintStream out, PrintStream err, String... arguments) {
        return execute(actions, version, Terminal.ofProcess(out.equals(System.out)), out, err, arguments);
    }

    /** As the other method, with this environment. */
    public static int execute(
            Actions actions, String version, Terminal terminal, PrintStream out, PrintStream err, String... arguments) {
        CommandLines lines = new CommandLines(actions, version, terminal, out, err);
        Map<String, Supplier<CommandSpec>> specs = lines.specs();
        String[] asked = asRun(specs.keySet(), commandFirst(specs.keySet(), arguments));
        CommandLine commandLine = lines.build(specs, asked.length == 0 ? "" : asked[0]);
        commandLine.setOut(new PrintWriter(out, true, out.charset()));
        commandLine.setErr(new PrintWriter(err, true, err.charset()));
        if (asked.length > 0 && asked[0].equals(Completion.COMMAND)) {
            Completion.of(commandLine, Arrays.asList(asked).subList(1, asked.length))
                    .forEach(out::println);
            return ExitCode.OK.number();
        }
        if (Arrays.stream(asked).anyMatch(Set.of("-h", "--help")::contains)) {
            commandLine.setUsageHelpWidth(HelpTexts.width(terminal));
        }
        return lines.written(commandLine.execute(asked));
    }

    /** The exit code; another one when the output was cut short, unless its reader has seen enough. */
    private int written(int exitCode) {
        if (!out.checkError() || terminal.piped()) {
            return exitCode;
        }
        err.println("dualstackd: the output could not be written completely; is there space left where it goes?");
        return exitCode == ExitCode.OK.number() ? ExitCode.FAILED.number() : exitCode;
    }

    /** Puts the command in front of a namespace that was given before it, as kubectl accepts it: {@code -n NS get svc}. */
    private static String[] commandFirst(Set<String> commands, String... arguments) {
        if (arguments.length == 0) {
            return arguments;
        }
        int command = switch (arguments[0]) {
            case "-n", "--namespace" -> 2;
            case "-A", "--all-namespaces" -> 1;
            default -> arguments[0].startsWith("--namespace=") ? 1 : 0;
        };
        if (command >= arguments.length || !commands.contains(arguments[command])) {
            return arguments;
        }
        List<String> moved = new ArrayList<>(Arrays.asList(arguments));
        moved.addFirst(moved.remove(command));
        return moved.toArray(String[]::new);
    }

    /**
     * Turns {@code help COMMAND} into {@code COMMAND --help}, and adds {@code run} to arguments that have flags of kube-proxy but no command, so that the program can replace kube-proxy with the same
     * arguments.
     */
    private static String[] asRun(Set<String> commands, String... arguments) {
        boolean bare = arguments.length > 0
                && arguments[0].startsWith("-")
                && !Set.of("-h", "--help", "-V", "--version").contains(arguments[0]);
        if (arguments.length > 0 && arguments[0].equals("help")) {
            List<String> of = Arrays.stream(arguments)
                    .skip(1)
                    .limit(1)
                    .filter(name -> !name.equals("help"))
                    .toList();
            boolean known = of.isEmpty() || commands.contains(of.getFirst());
            return Stream.concat(of.stream(), Stream.of("--help").filter(help -> known))
                    .toArray(String[]::new);
        }
        String[] run =
                bare ? Stream.concat(Stream.of("run"), Arrays.stream(arguments)).toArray(String[]::new) : arguments;
        return run.length > 0 && run[0].equals("run")
                ? Arrays.stream(run).map(RunOptions::explicit).toArray(String[]::new)
                : run;
    }

    /**
     * The command line; with one command only when it is named, because making all of them takes longer than most commands do.
     *
     * @param first the first argument
     */
    private CommandLine build(Map<String, Supplier<CommandSpec>> specs, String first) {
        CommandSpec root = spec("dualstackd", "Makes Kubernetes Services work on this node, on IPv4 and IPv6.");
        root.addOption(OptionSpec.builder("-V", "--version")
                .versionHelp(true)
                .description("Print the version and exit.")
                .build());
        root.version("dualstackd " + version);
        CommandLine commandLine = new CommandLine(root);
        Supplier<CommandSpec> only = specs.get(first);
        if (only != null) {
            commandLine.addSubcommand(first, only.get());
        } else {
            specs.forEach((name, spec) -> commandLine.addSubcommand(name, spec.get()));
        }
        HelpTexts.decorate(commandLine);
        commandLine.setExecutionStrategy(this::execute);
        commandLine.setParameterExceptionHandler(this::misuse);
        return commandLine;
    }

    /** The commands, in the order of the help. */
    private Map<String, Supplier<CommandSpec>> specs() {
        Map<String, Supplier<CommandSpec>> specs = new LinkedHashMap<>();
        specs.put("run", () -> RunOptions.spec(spec("run", HelpTexts.RUN), version));
        specs.put("status", () -> statusSpec());
        specs.put("pods", () -> PodsCommand.all(spec("pods", HelpTexts.PODS)));
        specs.put("pod", () -> PodsCommand.one(spec("pod", HelpTexts.POD)));
        specs.put("get", () -> GetCommand.spec(spec("get", HelpTexts.GET)));
        specs.put("describe", () -> DescribeCommand.spec(spec("describe", HelpTexts.DESCRIBE)));
        specs.put("apply", () -> EditCommand.apply(spec("apply", HelpTexts.APPLY)));
        specs.put("edit", () -> EditorCommand.spec(spec("edit", HelpTexts.EDIT)));
        specs.put("delete", () -> EditCommand.delete(spec("delete", HelpTexts.DELETE)));
        specs.put("diff", () -> EditCommand.diff(spec("diff", HelpTexts.DIFF)));
        specs.put("validate", () -> ValidateCommand.spec(spec("validate", HelpTexts.VALIDATE)));
        specs.put("service", () -> ServiceCommand.spec(spec("service", HelpTexts.SERVICE)));
        specs.put("top", () -> TopCommand.spec(spec("top", HelpTexts.TOP)));
        specs.put("monitor", () -> MonitorCommand.spec(spec("monitor", HelpTexts.MONITOR)));
        specs.put("explain", () -> ExplainCommand.spec(spec("explain", HelpTexts.EXPLAIN)));
        specs.put("trace", () -> ExplainCommand.traced(spec("trace", HelpTexts.TRACE)));
        specs.put("addresses", () -> AddressesCommand.spec(spec("addresses", HelpTexts.ADDRESSES)));
        specs.put("cleanup", () -> cleanupSpec());
        specs.put("demo", () -> demoSpec());
        specs.put("version", () -> spec("version", "Prints the version."));
        specs.put("completion", () -> completionSpec());
        return specs;
    }

    private static CommandSpec spec(String name, String description) {
        CommandSpec spec = CommandSpec.create().name(name);
        spec.usageMessage().description(description);
        spec.addOption(OptionSpec.builder("-h", "--help")
                .usageHelp(true)
                .description("Show this help and exit.")
                .build());
        return spec;
    }

    private static CommandSpec cleanupSpec() {
        CommandSpec spec = spec("cleanup", HelpTexts.CLEANUP);
        spec.addOption(Options.socket());
        spec.addOption(Options.state());
        return spec;
    }

    private static CommandSpec statusSpec() {
        CommandSpec spec = spec("status", HelpTexts.STATUS);
        spec.addOption(Options.socket());
        spec.addOption(OptionSpec.builder("-o", "--output")
                .paramLabel("FORMAT")
                .type(String.class)
                .defaultValue("text")
                .completionCandidates(StatusCommand.FORMATS)
                .description("text for people, json or yaml for programs. Default: ${DEFAULT-VALUE}.")
                .build());
        return spec;
    }

    private static CommandSpec demoSpec() {
        CommandSpec spec = spec("demo", HelpTexts.DEMO);
        spec.addOption(OptionSpec.builder("--manifests")
                .paramLabel("DIR")
                .type(String.class)
                .description("Show these manifests instead of the examples.")
                .build());
        spec.addOption(OptionSpec.builder(Key.MODE.flag())
                .paramLabel(Key.MODE.parameter())
                .type(String.class)
                .defaultValue(Key.MODE.fallback())
                .completionCandidates(
                        DEMO_MODES.stream().map(ProxyMode::toString).toList())
                .description("Show this mode: iptables or nftables. Default: ${DEFAULT-VALUE}.")
                .build());
        spec.addOption(OptionSpec.builder("--connections")
                .paramLabel("N")
                .type(Integer.class)
                .defaultValue("20")
                .description("Connections to each address. Default: ${DEFAULT-VALUE}.")
                .build());
        return spec;
    }

    private static CommandSpec completionSpec() {
        CommandSpec spec = spec("completion", HelpTexts.COMPLETION);
        spec.addPositional(PositionalParamSpec.builder()
                .index("0")
                .arity("0..1")
                .paramLabel("SHELL")
                .type(String.class)
                .defaultValue("bash")
                .completionCandidates(SHELLS)
                .description("bash, zsh or fish. Default: ${DEFAULT-VALUE}.")
                .build());
        return spec;
    }

    private int execute(ParseResult parsed) {
        Integer helped = CommandLine.executeHelpRequest(parsed);
        if (helped != null) {
            return helped;
        }
        Optional<ParseResult> sub = Optional.ofNullable(parsed.subcommand());
        CommandLine root = parsed.commandSpec().commandLine();
        if (sub.isEmpty()) {
            root.usage(root.getErr());
            return ExitCode.USAGE.number();
        }
        try {
            return command(sub.get()).number();
        } catch (ParameterException misuse) {
            throw misuse;
        } catch (InvalidPathException e) {
            err.println("dualstackd: \"" + e.getInput().replaceAll("\\p{Cntrl}", "?") + "\" is no path: "
                    + e.getReason() + "; a name that is not ASCII needs a locale with UTF-8, such as LC_ALL=C.UTF-8");
            return ExitCode.USAGE.number();
        } catch (RuntimeException mistake) {
            err.println("dualstackd: this is a bug, please report it:");
            mistake.printStackTrace(err);
            return ExitCode.FAILED.number();
        }
    }

    private ExitCode command(ParseResult command) {
        return switch (command.commandSpec().name()) {
            case "run" -> new RunCommand(actions, out, err).execute(command);
            case "status" -> coloured(command, to -> StatusCommand.execute(command, to, err));
            case "pods" -> shown(command, to -> PodsCommand.executeAll(command, to, err));
            case "pod" -> shown(command, to -> PodsCommand.executeOne(command, to, err));
            case "get" -> shown(command, to -> GetCommand.execute(command, to, err));
            case "describe" -> coloured(command, to -> DescribeCommand.execute(command, to, err));
            case "apply" -> new EditCommand(command, System.in, out, err).apply();
            case "delete" -> new EditCommand(command, System.in, out, err).delete();
            case "edit" -> new EditorCommand(command, terminal, out, err).execute();
            case "diff" -> new EditCommand(command, System.in, out, err).diff();
            case "validate" -> ValidateCommand.execute(command, System.in, out, err);
            case "service" -> coloured(command, to -> ServiceCommand.execute(command, to, err));
            case "monitor" -> MonitorCommand.execute(command, out, err);
            case "top" -> new TopCommand(command, terminal, out, err).execute();
            case "explain" -> coloured(command, to -> ExplainCommand.execute(command, to, err));
            case "trace" -> ExplainCommand.executeTrace(command, onScreen(colours()), out, err);
            case "addresses" -> shown(command, to -> AddressesCommand.execute(command, to, err));
            case "cleanup" -> {
                LogSetup.install(LogFormat.TEXT, LogLevel.INFO, err);
                yield actions.cleanup(new Actions.Cleanup(socket(command), Options.state(command)), out);
            }
            case "demo" -> {
                LogSetup.install(LogFormat.TEXT, LogLevel.WARN, err);
                yield actions.demo(demo(command), out);
            }
            case "completion" -> {
                String shell = Options.given(command, 0);
                if (!SHELLS.contains(shell)) {
                    throw Options.misuse(command, "\"" + shell + "\": must be " + String.join(", ", SHELLS));
                }
                out.print(Completion.script(shell));
                yield ExitCode.OK;
            }
            default -> {
                out.println("dualstackd " + version);
                yield ExitCode.OK;
            }
        };
    }

    /** Where a running daemon would answer; may be empty. */
    private static String socket(ParseResult command) {
        return command.commandSpec().findOption(Key.ADMIN_SOCKET.flag()).getValue();
    }

    /** Runs a command that prints a report; where a person reads it, with colours and with long lines broken. */
    private ExitCode coloured(ParseResult command, Function<PrintStream, ExitCode> run) {
        return shown(command, run, colours());
    }

    private UnaryOperator<String> colours() {
        return terminal.hasColours() ? Colours::of : UnaryOperator.identity();
    }

    /** As {@link #coloured}, without colours. */
    private ExitCode shown(ParseResult command, Function<PrintStream, ExitCode> run) {
        return shown(command, run, UnaryOperator.identity());
    }

    private ExitCode shown(ParseResult command, Function<PrintStream, ExitCode> run, UnaryOperator<String> coloured) {
        OptionSpec output = command.commandSpec().findOption("--output");
        boolean forPeople = output == null || FOR_PEOPLE.contains(String.valueOf(output.<Object>getValue()));
        boolean atOnce = !Options.isSet(command, "--watch");
        if (!forPeople || !atOnce || !terminal.screen()) {
            return run.apply(out);
        }
        ByteArrayOutputStream report = new ByteArrayOutputStream();
        try (PrintStream to = new PrintStream(report, true, out.charset())) {
            return run.apply(to);
        } finally {
            out.print(onScreen(coloured).apply(report.toString(out.charset())));
        }
    }

    /** Formats a report for a terminal: wrapped and coloured; for other outputs it is left as it is. */
    private UnaryOperator<String> onScreen(UnaryOperator<String> coloured) {
        return terminal.screen() ? report -> coloured.apply(fitted(report)) : UnaryOperator.identity();
    }

    private String fitted(String report) {
        boolean isLong = report.lines().anyMatch(line -> line.length() > NARROW);
        OptionalInt columns = isLong ? terminal.columns() : OptionalInt.empty();
        return columns.isPresent() ? Wrapping.of(report, columns.getAsInt()) : report;
    }

    private static Actions.Demo demo(ParseResult command) {
        String manifests = command.matchedOptionValue("--manifests", "");
        int connections = command.commandSpec().findOption("--connections").getValue();
        if (connections < 1 || connections > 10_000) {
            throw new ParameterException(
                    command.commandSpec().commandLine(), "--connections: \"" + connections + "\": must be 1 to 10000");
        }
        String wanted = command.commandSpec().findOption(Key.MODE.flag()).getValue();
        ProxyMode mode = DEMO_MODES.stream()
                .filter(known -> known.toString().equals(wanted))
                .findFirst()
                .orElseThrow(() -> new ParameterException(
                        command.commandSpec().commandLine(),
                        Key.MODE.flag() + ": \"" + wanted + "\": must be iptables or nftables"));
        return new Actions.Demo(Optional.of(manifests).filter(m -> !m.isEmpty()), mode, connections);
    }

    private int misuse(ParameterException e, String[] arguments) {
        CommandLine command = e.getCommandLine();
        Optional<String> unknown = e instanceof CommandLine.MissingParameterException
                ? unknownOption(command, arguments)
                : Optional.empty();
        if (unknown.isPresent()) {
            // Most likely it is the misspelt name of what is missing.
            return misuse(new CommandLine.UnmatchedArgumentException(command, List.of(unknown.get())), arguments);
        }
        err.println(Help.Ansi.AUTO.string("@|bold dualstackd:|@ ")
                + unexpected(e).map(word -> refusal(command, word)).orElseGet(e::getMessage));
        suggestion(command, e).ifPresent(err::println);
        err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
        return ExitCode.USAGE.number();
    }

    /** The first option that the command does not have. */
    private static Optional<String> unknownOption(CommandLine command, String... arguments) {
        Map<String, OptionSpec> known = command.getCommandSpec().optionsMap();
        boolean isValue = false;
        for (String word : arguments) {
            if (word.equals("--")) {
                break;
            }
            if (isValue || word.length() < 2 || word.charAt(0) != '-') {
                isValue = false;
                continue;
            }
            String name = word.replaceFirst("=.*", "");
            boolean isShort = !word.startsWith("--") && known.containsKey(word.substring(0, 2));
            if (!known.containsKey(name) && !isShort) {
                return Optional.of(word);
            }
            isValue = name.equals(word)
                    && known.containsKey(name)
                    && known.get(name).arity().min() > 0;
        }
        return Optional.empty();
    }

    /** The first argument that is neither an option nor expected. */
    private static Optional<String> unexpected(ParameterException e) {
        return e instanceof CommandLine.UnmatchedArgumentException unmatched
                ? unmatched.getUnmatched().stream()
                        .limit(1)
                        .filter(word -> !word.startsWith("-"))
                        .findFirst()
                : Optional.empty();
    }

    private static String refusal(CommandLine command, String word) {
        return command.getParent() == null
                ? "unknown command \"" + word + "\""
                : "unexpected argument \"" + word + "\"";
    }

    private static Optional<String> suggestion(CommandLine command, ParameterException e) {
        if (!(e instanceof CommandLine.UnmatchedArgumentException unmatched)
                || unmatched.getUnmatched().isEmpty()) {
            return Optional.empty();
        }
        if (command.getParent() == null
                && unexpected(e).flatMap(ObjectKind::named).isPresent()) {
            return unexpected(e).map(kind -> "Did you mean 'dualstackd get " + kind + "'?");
        }
        String word = unmatched.getUnmatched().getFirst().replaceFirst("=.*", "");
        Stream<String> known = Stream.concat(
                command.getCommandSpec().options().stream()
                        .flatMap(option -> Arrays.stream(option.names()))
                        // Kubelet's name for it is taken, but not recommended.
                        .filter(name -> !name.equals(Key.NODE_IP.flag())),
                command.getSubcommands().keySet().stream());
        return Suggestion.to(word, known.toList()).map(k -> "Did you mean " + k + "?");
    }
}
