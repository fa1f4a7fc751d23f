package io.dualstackd.agent.cli;

import io.dualstackd.agent.config.Key;
import io.dualstackd.agent.config.ServiceApiSettings;
import io.dualstackd.agent.log.LogFormat;
import io.dualstackd.agent.log.LogLevel;
import io.dualstackd.agent.log.io.LogSetup;
import io.dualstackd.kubeapi.objects.Dialect;
import io.dualstackd.netlink.ip.IpPrefix;
import io.dualstackd.standalone.edit.Diagnostics;
import io.dualstackd.standalone.edit.FieldValidation;
import io.dualstackd.standalone.edit.NamedText;
import io.dualstackd.standalone.ledger.LedgerSettings;
import io.dualstackd.standalone.ledger.io.ServiceLedger;
import io.dualstackd.standalone.manifest.AdmissionStage;
import io.dualstackd.standalone.manifest.io.ManifestValidation;
import io.dualstackd.standalone.serviceapi.Semantics;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** {@code validate}: checks manifests without a daemon. */
final class ValidateCommand {
    private static final int FIRST_NODE_PORT = 30_000;
    private static final int LAST_NODE_PORT = 32_767;

    private ValidateCommand() {}

    /** Completes the command. */
    static CommandSpec spec(CommandSpec spec) {
        return spec.addPositional(PositionalParamSpec.builder()
                        .index("0..*")
                        .arity("1..*")
                        .required(true)
                        .paramLabel("FILE|DIR")
                        .type(List.class)
                        .auxiliaryTypes(String.class)
                        .description("What to check: files, folders, or - for standard input.")
                        .build())
                .addOption(OptionSpec.builder("-R", "--recursive")
                        .description("Read folders recursively.")
                        .build())
                .addOption(OptionSpec.builder(Key.SERVICE_CLUSTER_IP_RANGE.flag())
                        .paramLabel(Key.SERVICE_CLUSTER_IP_RANGE.parameter())
                        .type(String.class)
                        .defaultValue("")
                        .description("As for 'run': check as a daemon that assigns addresses from these networks does.")
                        .build())
                .addOption(Options.validate());
    }

    static ExitCode execute(ParseResult command, InputStream in, PrintStream out, PrintStream err) {
        List<String> files =
                command.commandSpec().positionalParameters().getFirst().getValue();
        List<NamedText> texts = new ArrayList<>();
        List<String> unreadable = new ArrayList<>();
        try {
            for (String file : files) {
                texts.addAll(ManifestFiles.read(
                        file,
                        Options.isSet(command, "--recursive"),
                        in,
                        why -> unreadable.add(String.valueOf(why.getMessage()))));
            }
        } catch (ManifestFiles.Unreadable e) {
            err.println("dualstackd: " + e.getMessage());
            return ExitCode.USAGE;
        }
        LogSetup.install(LogFormat.TEXT, LogLevel.WARN, err);
        ManifestValidation validation;
        try {
            validation = validation(texts, ranges(command), Options.validation(command));
        } catch (IOException e) {
            err.println("dualstackd: a temporary folder cannot be used: " + e.getMessage());
            return ExitCode.FAILED;
        }
        Diagnostics diagnostics = validation.diagnostics();
        unreadable.forEach(why -> err.println("dualstackd: " + why));
        diagnostics.lines().forEach(err::println);
        out.println(counted(validation.objects(), "object") + " in " + counted(texts.size(), "file") + ", "
                + diagnostics.summary()
                + (unreadable.isEmpty() ? "" : "; " + counted(unreadable.size(), "file") + " cannot be read"));
        return diagnostics.hasErrors() || !unreadable.isEmpty() ? ExitCode.FAILED : ExitCode.OK;
    }

    private static String counted(int number, String word) {
        return number + " " + word + (number == 1 ? "" : "s");
    }

    private static List<IpPrefix> ranges(ParseResult command) {
        String value = command.commandSpec()
                .findOption(Key.SERVICE_CLUSTER_IP_RANGE.flag())
                .getValue();
        List<IpPrefix> ranges;
        try {
            ranges = value.isEmpty()
                    ? List.of()
                    : Stream.of(value.split(",", -1))
                            .map(String::strip)
                            .map(IpPrefix::parse)
                            .toList();
        } catch (IllegalArgumentException e) {
            throw wrong(command, value, String.valueOf(e.getMessage()));
        }
        ServiceApiSettings.wrong(ranges).ifPresent(rule -> {
            throw wrong(command, value, rule);
        });
        return ranges;
    }

    private static ParameterException wrong(ParseResult command, String value, String rule) {
        return Options.misuse(command, Key.SERVICE_CLUSTER_IP_RANGE.flag() + ": \"" + value + "\": " + rule);
    }

    private static ManifestValidation validation(List<NamedText> texts, List<IpPrefix> ranges, FieldValidation fields)
            throws IOException {
        if (ranges.isEmpty()) {
            return ManifestValidation.of(texts, Dialect.STORED, AdmissionStage.NONE, fields);
        }
        Path state = Files.createTempDirectory("dualstackd-validate");
        LedgerSettings settings = new LedgerSettings(ranges, FIRST_NODE_PORT, LAST_NODE_PORT, Semantics.KUBERNETES);
        try (ServiceLedger ledger = ServiceLedger.open(state, settings)) {
            return ManifestValidation.of(texts, Dialect.WRITTEN, ledger, fields);
        } finally {
            remove(state);
        }
    }

    private static void remove(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            all.sorted(Comparator.reverseOrder()).forEach(path -> {
                try {
                    Files.delete(path);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        } catch (UncheckedIOException e) {
            throw new IOException(e);
        }
    }
}
