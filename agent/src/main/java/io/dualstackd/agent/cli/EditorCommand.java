package io.dualstackd.agent.cli;

import io.dualstackd.admin.io.AdminClient;
import io.dualstackd.admin.objects.Listing;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.standalone.edit.ObjectDiff;
import io.dualstackd.standalone.edit.ObjectText;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code edit}: opens the text of an object in an editor and puts in force what is saved. */
final class EditorCommand {
    private static final List<String> HELP = List.of(
            "This is the text of the manifest. Saved changes are put in force when the editor ends; other comments are kept.",
            "Saving it unchanged or empty changes nothing. These lines are removed.");
    private static final List<String> AGAIN = List.of(
            "Change the text and save it to try again. If you save it unchanged, the command ends and this file is kept.");

    private final ParseResult command;
    private final Editor editor;
    private final PrintStream out;
    private final PrintStream err;
    private final Path socket;

    EditorCommand(ParseResult command, Terminal terminal, PrintStream out, PrintStream err) {
        this.command = command;
        this.editor = Editor.of(terminal);
        this.out = out;
        this.err = err;
        this.socket = Path.of(Options.socket(command));
    }

    /** Completes the command. */
    static CommandSpec spec(CommandSpec spec) {
        return spec.addPositional(ObjectArguments.inManifests(true))
                .addOption(Options.namespace())
                .addOption(Options.validate())
                .addOption(Options.socket());
    }

    /** Edits the objects one after the other; ends at the first that is not done. */
    ExitCode execute() {
        ObjectArguments arguments = ObjectArguments.of(command);
        String namespace = arguments.namespace().orElseGet(() -> Options.namespace(command));
        List<String> objects = new ArrayList<>();
        for (Listing.Target target : arguments.targets()) {
            ObjectKey.Kind kind = EditCommand.kind(command, target, "edited");
            objects.add(kind + " " + namespace + " " + target.name().orElseThrow());
        }
        for (String object : objects) {
            ExitCode exitCode = edit(object);
            if (exitCode != ExitCode.OK) {
                return exitCode;
            }
        }
        return ExitCode.OK;
    }

    /** @param object {@code KIND NAMESPACE NAME} */
    private ExitCode edit(String object) {
        AdminClient.Answer answer = AdminClient.send(socket, "text " + object);
        if (!(answer instanceof AdminClient.Answer.Report(String text, boolean ignored, boolean also))) {
            return DescribeCommand.print(answer, socket.toString(), out, err);
        }
        Path file;
        try {
            file = Files.createTempFile("dualstackd-edit-", ".yaml");
        } catch (IOException e) {
            err.println("dualstackd: no file can be made to edit: " + e);
            return ExitCode.FAILED;
        }
        try {
            return new Round(object, file).edit(text);
        } catch (CharacterCodingException e) {
            return kept(file, "the text that was saved is not UTF-8; nothing was changed", ExitCode.FAILED);
        } catch (IOException e) {
            return kept(file, "cannot edit: " + e, ExitCode.FAILED);
        }
    }

    private ExitCode kept(Path file, String why, ExitCode exitCode) {
        err.println("dualstackd: " + why);
        err.println("dualstackd: what was saved is kept in " + file);
        return exitCode;
    }

    /** The editing of one object in one file. */
    private final class Round {
        private final String object;
        private final Path file;

        Round(String object, Path file) {
            this.object = object;
            this.file = file;
        }

        ExitCode edit(String original) throws IOException {
            String before = original;
            EditBuffer buffer = EditBuffer.below(HELP, name(), original);
            boolean refused = false;
            while (true) {
                Files.writeString(file, buffer.shown());
                int status = editor.open(file);
                String saved = buffer.saved(Files.readString(file));
                if (status != 0) {
                    String why = "the editor \"" + editor.command() + "\" ended with exit status " + status
                            + "; nothing was changed";
                    if (!saved.equals(original)) {
                        return kept(file, why, ExitCode.FAILED);
                    }
                    err.println("dualstackd: " + why);
                    Files.deleteIfExists(file);
                    return ExitCode.FAILED;
                }
                if (EditBuffer.isEmpty(saved)) {
                    return cancelled("saved file was empty");
                }
                if (saved.equals(before)) {
                    return cancelled("no changes made");
                }
                if (refused && saved.equals(buffer.text())) {
                    return kept(
                            file,
                            "edit cancelled, no valid changes were saved; the kept file begins with the reasons",
                            ExitCode.FAILED);
                }
                AdminClient.Answer answer = replace(before, saved);
                if (!(answer instanceof AdminClient.Answer.Refused(String why))) {
                    ExitCode exitCode = EditCommand.print(answer, socket, out, err);
                    return exitCode == ExitCode.OK ? done() : kept(file, "nothing is known to be changed", exitCode);
                }
                List<String> reasons = new ArrayList<>(List.of("Refused, nothing was changed:"));
                why.lines().forEach(reason -> reasons.add("  " + reason.strip()));
                AdminClient.Answer again = AdminClient.send(socket, "text " + object);
                if (!(again instanceof AdminClient.Answer.Report(String now, boolean ignored, boolean also))) {
                    EditCommand.printReasons(why, err);
                    return kept(file, "nothing was changed", DescribeCommand.print(again, socket.toString(), out, err));
                }
                if (!now.equals(before)) {
                    reasons.add(
                            "Since the text was opened, the manifest has been changed as follows; saving overwrites it:");
                    ObjectDiff.ofTexts(before, now).forEach(line -> reasons.add("  " + line));
                    before = now;
                }
                reasons.addAll(AGAIN);
                buffer = EditBuffer.below(reasons, name(), saved);
                refused = true;
            }
        }

        private AdminClient.Answer replace(String before, String saved) {
            return AdminClient.send(
                    socket,
                    "replace " + object + " " + ObjectText.version(before) + " " + Options.validation(command) + " "
                            + name(),
                    saved.getBytes(StandardCharsets.UTF_8));
        }

        private String name() {
            return String.valueOf(file.getFileName());
        }

        private ExitCode cancelled(String why) throws IOException {
            err.println("Edit cancelled, " + why + ".");
            return done();
        }

        private ExitCode done() throws IOException {
            Files.deleteIfExists(file);
            return ExitCode.OK;
        }
    }
}
