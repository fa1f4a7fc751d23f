package io.dualstackd.agent.cli;

import io.dualstackd.agent.config.AgentConfig;
import io.dualstackd.agent.config.ConfigReader;
import io.dualstackd.agent.config.ConfigReader.Input;
import io.dualstackd.agent.config.ConfigReader.Source;
import io.dualstackd.agent.config.ConfigResult;
import io.dualstackd.agent.config.ConfigText;
import io.dualstackd.agent.config.GoText;
import io.dualstackd.agent.config.Key;
import io.dualstackd.agent.log.LogFormat;
import io.dualstackd.agent.log.LogLevel;
import io.dualstackd.agent.log.io.LogSetup;
import io.dualstackd.kubeapi.tree.Problem;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.MalformedInputException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import picocli.CommandLine.ParseResult;

/** {@code run}: builds a configuration from files and flags, and reports all problems with them at once. */
final class RunCommand {
    private final Actions actions;
    private final PrintStream out;
    private final PrintStream err;
    /** What was in files that can be read once only, such as pipes, by their paths. */
    private final Map<String, Source> readOnce = new ConcurrentHashMap<>();

    RunCommand(Actions actions, PrintStream out, PrintStream err) {
        this.actions = actions;
        this.out = out;
        this.err = err;
    }

    /** Thrown for a file that cannot be read. */
    private static final class Unreadable extends IOException {
        Unreadable(String path, IOException why) {
            super("configuration file " + path + " cannot be read: " + why(why), why);
        }
    }

    ExitCode execute(ParseResult command) {
        if (isTrue(command, RunOptions.CLEANUP)) {
            LogSetup.install(LogFormat.TEXT, LogLevel.INFO, err);
            return actions.cleanup(cleanup(command), out);
        }
        ConfigResult read;
        try {
            read = ConfigReader.read(input(command));
        } catch (Unreadable e) {
            err.println("dualstackd: " + e.getMessage());
            return ExitCode.USAGE;
        }
        return switch (read) {
            case ConfigResult.Usable usable -> {
                usable.warnings().forEach(w -> err.println("dualstackd: warning: " + w));
                yield execute(command, usable);
            }
            case ConfigResult.Refused(List<Problem> problems) -> {
                long errors = problems.stream().filter(Problem::isError).count();
                err.println("dualstackd: " + (errors == 1 ? "one problem" : errors + " problems")
                        + " in the configuration; nothing was started:");
                problems.forEach(p -> err.println("  " + (p.isError() ? "" : "warning: ") + p));
                yield ExitCode.USAGE;
            }
        };
    }

    /** The options of {@code cleanup}. An unusable configuration is ignored: the rules are removed all the same. */
    private Actions.Cleanup cleanup(ParseResult command) {
        try {
            if (ConfigReader.read(input(command)) instanceof ConfigResult.Usable usable) {
                return new Actions.Cleanup(
                        usable.config().adminSocket().map(Object::toString).orElse(""),
                        usable.config().stateDir());
            }
        } catch (Unreadable e) {
            // As if there were no configuration.
        }
        return new Actions.Cleanup(
                command.matchedOptionValue(Key.ADMIN_SOCKET.flag(), Key.ADMIN_SOCKET.fallback()),
                command.matchedOptionValue(Key.STATE_DIR.flag(), Key.STATE_DIR.fallback()));
    }

    private ExitCode execute(ParseResult command, ConfigResult.Usable usable) {
        String target = command.matchedOptionValue(RunOptions.WRITE_CONFIG_TO, "");
        if (!target.isEmpty()) {
            return write(usable, target);
        }
        AgentConfig config = usable.config();
        LogSetup.install(config.logging().format(), config.logging().level(), err);
        List<Path> files = Stream.of(RunOptions.CONFIG, RunOptions.OWN_CONFIG, RunOptions.KUBEADM_CONFIG)
                .map(flag -> command.matchedOptionValue(flag, ""))
                .filter(path -> !path.isEmpty() && !readOnce.containsKey(path))
                .map(Path::of)
                .toList();
        Launch launch = new Launch(usable, files, () -> ConfigReader.read(input(command)));
        return isTrue(command, RunOptions.INIT_ONLY) ? actions.initialize(launch) : actions.run(launch);
    }

    private Input input(ParseResult command) throws Unreadable {
        return new Input(
                file(command, RunOptions.CONFIG),
                file(command, RunOptions.OWN_CONFIG),
                file(command, RunOptions.KUBEADM_CONFIG),
                flags(command));
    }

    private ExitCode write(ConfigResult.Usable usable, String target) {
        if (target.equals("-")) {
            out.print(ConfigText.of(usable.given()));
            return ExitCode.OK;
        }
        try {
            Files.writeString(Path.of(target), ConfigText.of(usable.given()));
            out.println("wrote the configuration to " + target);
            return ExitCode.OK;
        } catch (NoSuchFileException e) {
            err.println("dualstackd: " + target + " cannot be written: there is no such folder");
            return ExitCode.FAILED;
        } catch (IOException e) {
            err.println("dualstackd: " + target + " cannot be written: " + why(e));
            return ExitCode.FAILED;
        }
    }

    private static Map<Key, String> flags(ParseResult command) {
        Map<Key, String> flags = new EnumMap<>(Key.class);
        for (Key key : Key.values()) {
            if (command.hasMatchedOption(key.flag())) {
                flags.put(key, value(command, key));
            }
        }
        return flags;
    }

    /** As with kube-proxy, a list may be given in several parts, and of another flag of kube-proxy that is given twice the last value counts. */
    private static String value(ParseResult command, Key key) {
        List<String> values = command.matchedOption(key.flag()).originalStringValues();
        if (values.size() > 1 && key.isOwnFlag()) {
            throw Options.misuse(command, key.flag() + ": must be given once, not " + values.size() + " times");
        }
        return key.isJoined() ? String.join(",", values) : values.getLast();
    }

    private static boolean isTrue(ParseResult command, String flag) {
        String value = command.matchedOptionValue(flag, "false");
        return GoText.truth(value)
                .orElseThrow(() -> Options.misuse(command, flag + ": \"" + value + "\": must be true or false"));
    }

    private Optional<Source> file(ParseResult command, String flag) throws Unreadable {
        String path = command.matchedOptionValue(flag, "");
        if (path.isEmpty() || readOnce.containsKey(path)) {
            return Optional.ofNullable(readOnce.get(path));
        }
        try {
            Path file = Path.of(path);
            Source source = new Source(path, Files.readString(file));
            if (!Files.isRegularFile(file)) {
                readOnce.put(path, source);
            }
            return Optional.of(source);
        } catch (IOException e) {
            throw new Unreadable(path, e);
        }
    }

    private static String why(IOException e) {
        return switch (e) {
            case NoSuchFileException ignored -> "there is no such file";
            case AccessDeniedException ignored -> "permission denied";
            case MalformedInputException ignored -> "the text is not UTF-8";
            default -> Objects.toString(e.getMessage(), e.getClass().getSimpleName());
        };
    }
}
