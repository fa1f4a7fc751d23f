package io.dualstackd.agent.cli;

import io.dualstackd.agent.config.AgentConfig;
import io.dualstackd.agent.config.ConfigReader;
import io.dualstackd.agent.config.ConfigResult;
import io.dualstackd.agent.config.Key;
import io.dualstackd.agent.tree.Problem;
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
import java.util.function.Function;
import picocli.CommandLine.ParseResult;

/** {@code run}: makes a configuration of file and flags, and complains about all that is wrong with them at once. */
final class RunCommand {
    private RunCommand() {}

    static ExitCode execute(ParseResult command, PrintStream err, Function<AgentConfig, ExitCode> run) {
        Map<Key, String> flags = new EnumMap<>(Key.class);
        for (Key key : Key.values()) {
            String value = command.matchedOptionValue(key.flag(), (String) null);
            if (value != null) {
                flags.put(key, value);
            }
        }
        Optional<ConfigReader.Source> file = Optional.empty();
        String path = command.matchedOptionValue("--config", "");
        if (!path.isEmpty()) {
            try {
                file = Optional.of(new ConfigReader.Source(path, Files.readString(Path.of(path))));
            } catch (IOException e) {
                err.println("dualstackd: configuration file " + path + " cannot be read: " + why(e));
                return ExitCode.USAGE;
            }
        }
        return switch (ConfigReader.read(file, flags)) {
            case ConfigResult.Usable(AgentConfig config, List<Problem> warnings) -> {
                warnings.forEach(w -> err.println("dualstackd: warning: " + w));
                yield run.apply(config);
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

    private static String why(IOException e) {
        return switch (e) {
            case NoSuchFileException ignored -> "there is no such file";
            case AccessDeniedException ignored -> "permission denied";
            case MalformedInputException ignored -> "the text is not UTF-8";
            default -> Objects.toString(e.getMessage(), e.getClass().getSimpleName());
        };
    }
}
