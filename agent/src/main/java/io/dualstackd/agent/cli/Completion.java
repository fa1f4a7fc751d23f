package io.dualstackd.agent.cli;

import io.dualstackd.admin.io.AdminClient;
import io.dualstackd.admin.objects.ObjectKind;
import io.dualstackd.agent.config.Key;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * Completes a command line. The scripts of the shells call {@code dualstackd __complete WORD...} and print what it answers: one candidate a
 * line, or {@link #FILES} where the shell completes file names itself.
 *
 * <p>Names of Services, pods and namespaces come from the running daemon; without one there are none.
 */
final class Completion {
    /** The command that the scripts call. */
    static final String COMMAND = "__complete";

    /** In place of candidates: names of files and folders. */
    static final String FILES = ":files";

    private final CommandLine root;
    private final List<String> before;
    private final String word;

    private Completion(CommandLine root, List<String> before, String word) {
        this.root = root;
        this.before = before;
        this.word = word;
    }

    /**
     * Returns the lines to print.
     *
     * @param words after the name of the program, the last one being completed; bash gives {@code =} as a word of its own
     */
    static List<String> of(CommandLine root, List<String> words) {
        List<String> joined = new ArrayList<>();
        for (String word : words) {
            boolean glued = !joined.isEmpty()
                    && (word.equals("=") || joined.getLast().endsWith("="))
                    && joined.getLast().startsWith("-");
            if (glued) {
                joined.set(joined.size() - 1, joined.getLast() + word);
            } else {
                joined.add(word);
            }
        }
        String last = joined.isEmpty() ? "" : joined.removeLast();
        return new Completion(root, joined, last).candidates();
    }

    private List<String> candidates() {
        if (before.isEmpty()) {
            return word.startsWith("-")
                    ? starting(root.getCommandSpec().options().stream().map(OptionSpec::longestName))
                    : starting(Stream.concat(root.getSubcommands().keySet().stream(), Stream.of("help"))
                            .filter(name -> !name.equals(COMMAND)));
        }
        if (before.getFirst().equals("help")) {
            return before.size() > 1 ? List.of() : starting(root.getSubcommands().keySet().stream());
        }
        CommandLine command = root.getSubcommands().get(before.getFirst());
        if (command == null) {
            return List.of();
        }
        CommandSpec spec = command.getCommandSpec();
        int equals = word.indexOf('=');
        if (word.startsWith("-") && equals > 0) {
            return Optional.ofNullable(spec.findOption(word.substring(0, equals)))
                    .map(option -> values(option, word.substring(equals + 1)))
                    .orElse(List.of());
        }
        OptionSpec open = before.size() > 1 ? spec.findOption(before.getLast()) : null;
        if (open != null && open.arity().min() > 0) {
            return values(open, word);
        }
        if (word.startsWith("-")) {
            return starting(spec.options().stream().map(OptionSpec::longestName));
        }
        return positional(spec);
    }

    private List<String> starting(Stream<String> words) {
        return words.filter(one -> one.startsWith(word)).distinct().sorted().toList();
    }

    private List<String> values(OptionSpec option, String begun) {
        if (option.longestName().equals("--namespace")) {
            return names(ObjectKind.SERVICES)
                    .map(name -> name.substring(0, name.indexOf('/')))
                    .distinct()
                    .filter(name -> name.startsWith(begun))
                    .toList();
        }
        List<String> listed = candidates(option);
        if (!listed.isEmpty()) {
            return listed.stream().filter(one -> one.startsWith(begun)).sorted().toList();
        }
        if (option.paramLabel().equals(RunOptions.SWITCH)) {
            return Stream.of("false", "true")
                    .filter(one -> one.startsWith(begun))
                    .toList();
        }
        return option.paramLabel().matches(".*(FILE|DIR|PATH|FOLDER).*") ? List.of(FILES) : List.of();
    }

    private static List<String> candidates(ArgSpec of) {
        Iterable<String> listed = of.completionCandidates();
        return listed == null
                ? List.of()
                : StreamSupport.stream(listed.spliterator(), false).toList();
    }

    private List<String> positional(CommandSpec spec) {
        List<String> given = given(spec);
        List<PositionalParamSpec> parameters = spec.positionalParameters();
        String command = spec.name();
        if (parameters.isEmpty()) {
            return List.of();
        }
        PositionalParamSpec parameter = parameters.get(Math.min(given.size(), parameters.size() - 1));
        if (given.size() >= parameters.size() && parameter.arity().max() == 1) {
            return List.of();
        }
        if (command.equals("explain") || command.equals("monitor")) {
            return starting(names(ObjectKind.SERVICES));
        }
        if (command.equals("pod")) {
            return starting(names(ObjectKind.PODS));
        }
        if (parameter.paramLabel().contains("FILE")) {
            return List.of(FILES);
        }
        boolean ofObjects = parameter.paramLabel().startsWith("KIND");
        if (ofObjects && !given.isEmpty() && !given.getFirst().contains("/")) {
            return ObjectKind.named(given.getFirst())
                    .map(kind -> namesIn(kind, "", given))
                    .orElse(List.of());
        }
        int slash = word.indexOf('/');
        if (ofObjects && slash > 0) {
            return ObjectKind.named(word.substring(0, slash))
                    .map(kind -> namesIn(kind, word.substring(0, slash + 1), given))
                    .orElse(List.of());
        }
        return starting(candidates(parameter).stream());
    }

    /** The arguments before the word that belong to no option. */
    private List<String> given(CommandSpec spec) {
        List<String> given = new ArrayList<>();
        for (int i = 1; i < before.size(); i++) {
            OptionSpec option = spec.findOption(before.get(i));
            if (option != null && option.arity().min() > 0) {
                i++;
            } else if (!before.get(i).startsWith("-")) {
                given.add(before.get(i));
            }
        }
        return given;
    }

    /**
     * The names of a kind in the namespace of the command line, or with their namespaces where one has been typed.
     *
     * @param prefix before each of them: {@code svc/}
     * @param given arguments, which are not offered again
     */
    private List<String> namesIn(ObjectKind kind, String prefix, List<String> given) {
        String namespace = "default";
        for (int i = 1; i + 1 < before.size(); i++) {
            if (before.get(i).equals("-n") || before.get(i).equals("--namespace")) {
                namespace = before.get(i + 1);
            }
        }
        String wanted = namespace;
        boolean full = !kind.namespaced() || word.substring(prefix.length()).contains("/");
        return starting(names(kind)
                .filter(name -> full || name.startsWith(wanted + "/"))
                .map(name -> prefix + (full ? name : name.substring(name.indexOf('/') + 1)))
                .filter(name -> !given.contains(name)));
    }

    /** {@code NAMESPACE/NAME} of every object of a kind; without a namespace for kinds that have none. */
    private Stream<String> names(ObjectKind kind) {
        String socket = Key.ADMIN_SOCKET.fallback();
        for (int i = 0; i + 1 < before.size(); i++) {
            if (before.get(i).equals(Key.ADMIN_SOCKET.flag())) {
                socket = before.get(i + 1);
            }
        }
        AdminClient.Answer answer = AdminClient.send(Path.of(socket), "get " + kind.plural() + " watch * -");
        return answer instanceof AdminClient.Answer.Report report
                ? report.text()
                        .lines()
                        .filter(line -> !line.startsWith("\t"))
                        .map(line -> line.substring(line.indexOf('/') + 1, line.indexOf(' ')))
                        .map(name -> name.startsWith("/") ? name.substring(1) : name)
                : Stream.empty();
    }

    /** The script that a shell sources. */
    static String script(String shell) {
        return switch (shell) {
            case "zsh" -> """
                #compdef dualstackd
                _dualstackd() {
                  local -a candidates
                  candidates=("${(@f)$(dualstackd __complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
                  if [[ "${candidates[1]}" == ":files" ]]; then
                    _files
                  else
                    compadd -Q -- "${(@)candidates:#}"
                  fi
                }
                if [[ "${funcstack[1]}" == _dualstackd ]]; then _dualstackd "$@"; else compdef _dualstackd dualstackd; fi
                """;
            case "fish" -> """
                function __dualstackd_complete
                  set -l words (commandline -opc) (commandline -ct)
                  set -l candidates (dualstackd __complete $words[2..-1] 2>/dev/null)
                  if test "$candidates[1]" = ":files"
                    __fish_complete_path (commandline -ct)
                  else
                    printf '%s\\n' $candidates
                  end
                end
                complete -c dualstackd -f -a '(__dualstackd_complete)'
                """;
            default -> """
                _dualstackd() {
                  local IFS=$'\\n' word="${COMP_WORDS[COMP_CWORD]}" candidates
                  candidates=$(dualstackd __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
                  [ "$word" != "=" ] || word=
                  if [ "$candidates" = ":files" ]; then
                    compopt -o filenames 2>/dev/null
                    COMPREPLY=($(compgen -f -- "$word"))
                  else
                    COMPREPLY=($candidates)
                  fi
                }
                complete -F _dualstackd dualstackd
                """;
        };
    }
}
