package io.dualstackd.admin.io;

import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.standalone.edit.EditMode;
import io.dualstackd.standalone.edit.EditResult;
import io.dualstackd.standalone.edit.FieldValidation;
import io.dualstackd.standalone.edit.ManifestEditor;
import io.dualstackd.standalone.edit.NamedText;
import io.dualstackd.standalone.edit.ObjectText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Handles requests that change objects. */
final class EditHandlers {
    static final String KNOWN =
            "apply NAMESPACE now|dry|diff strict|warn|ignore FILE BYTES, delete-text NAMESPACE now|dry must|may FILE BYTES,"
                    + " delete KIND NAMESPACE NAME now|dry must|may, text KIND NAMESPACE NAME,"
                    + " replace KIND NAMESPACE NAME VERSION strict|warn|ignore FILE BYTES";

    /** The first words of the requests that are handled here. */
    static final Set<String> WORDS = Set.of("apply", "delete-text", "delete", "text", "replace");

    /** The prefix of lines that are warnings, not results. */
    static final String WARNING = "Warning: ";

    /** The first character of lines that are problems with their places, in a refusal. */
    static final String PROBLEM = "\t";

    /** In place of a file's name: the body holds several texts. */
    static final String SEVERAL = "*";

    private static final String NOW = "now";
    private static final String DRY = "dry";
    private static final String MAY = "may";

    private EditHandlers() {}

    /**
     * Answers the request; empty when it does not change objects.
     *
     * @param absent says of an object that no manifest has why it cannot be edited
     */
    static Optional<String> to(
            AdminRequest adminRequest, ManifestEditor manifestEditor, Function<ObjectKey, String> absent) {
        List<String> words = adminRequest.words();
        if (adminRequest.isTooLong()) {
            return Optional.of(AdminClient.ERROR + "\nthe text is longer than " + AdminRequest.MAX_BODY / 1024 / 1024
                    + " MiB; split it into several\n");
        }
        try {
            return to(words, adminRequest, manifestEditor, absent);
        } catch (NotDivided e) {
            return Optional.of(AdminClient.ERROR + "\nthe texts of the request are not divided as announced\n");
        }
    }

    private static Optional<String> to(
            List<String> words,
            AdminRequest adminRequest,
            ManifestEditor manifestEditor,
            Function<ObjectKey, String> absent) {
        return switch (words.getFirst() + " " + words.size()) {
            case "apply 6" ->
                mode(words.get(2))
                        .flatMap(mode -> fields(words.get(3))
                                .map(fields -> response(manifestEditor.apply(
                                        texts(words.get(4), adminRequest.body()), words.get(1), mode, fields))));
            case "delete-text 6" ->
                isDelete(words.get(2), words.get(3))
                        ? Optional.of(response(manifestEditor.delete(
                                texts(words.get(4), adminRequest.body()),
                                words.get(1),
                                may(words.get(3)),
                                dry(words.get(2)))))
                        : Optional.empty();
            case "delete 6" ->
                isDelete(words.get(4), words.get(5))
                        ? key(words)
                                .map(key -> response(manifestEditor.delete(key, may(words.get(5)), dry(words.get(4)))))
                        : Optional.empty();
            case "text 4" -> key(words).map(key -> response(manifestEditor.text(key), absent.apply(key)));
            case "replace 8" ->
                key(words)
                        .flatMap(key -> fields(words.get(5))
                                .map(fields -> response(manifestEditor.replace(
                                        key, words.get(4), new NamedText(words.get(6), adminRequest.body()), fields))));
            default -> Optional.empty();
        };
    }

    /**
     * The texts of a request: one of this name, or for {@link #SEVERAL} each after a line with its length in characters, its name and its place.
     */
    private static List<NamedText> texts(String name, String body) {
        if (!name.equals(SEVERAL)) {
            return List.of(new NamedText(name, body));
        }
        List<NamedText> texts = new ArrayList<>();
        try {
            for (int at = 0; at < body.length(); ) {
                int end = body.indexOf('\n', at);
                int blank = body.indexOf(' ', at);
                int length = Integer.parseInt(body.substring(at, blank));
                int tab = body.indexOf('\t', blank);
                texts.add(new NamedText(
                        body.substring(blank + 1, tab),
                        body.substring(tab + 1, end),
                        body.substring(end + 1, end + 1 + length)));
                at = end + 1 + length;
            }
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new NotDivided(e);
        }
        return texts;
    }

    /** The texts of a request cannot be told from each other. */
    private static final class NotDivided extends RuntimeException {
        private static final long serialVersionUID = 1;

        NotDivided(RuntimeException reason) {
            super(reason);
        }
    }

    /** Several texts as the body of a request for {@link #SEVERAL}. */
    static String body(List<NamedText> texts) {
        return texts.stream()
                .map(text -> text.text().length() + " " + text.name() + "\t" + text.place() + "\n" + text.text())
                .collect(Collectors.joining());
    }

    private static Optional<FieldValidation> fields(String word) {
        return FieldValidation.of(word);
    }

    /** Empty for any other word: a client that wants less than a change must not get one. */
    private static Optional<EditMode> mode(String word) {
        return switch (word) {
            case NOW -> Optional.of(EditMode.NOW);
            case DRY -> Optional.of(EditMode.DRY_RUN);
            case "diff" -> Optional.of(EditMode.DIFF);
            default -> Optional.empty();
        };
    }

    private static boolean isDelete(String mode, String need) {
        return List.of(NOW, DRY).contains(mode) && List.of(MAY, "must").contains(need);
    }

    private static boolean dry(String word) {
        return word.equals(DRY);
    }

    private static boolean may(String word) {
        return word.equals(MAY);
    }

    /** The object of a request with the words {@code KIND NAMESPACE NAME} after the first one. */
    private static Optional<ObjectKey> key(List<String> words) {
        return Stream.of(ObjectKey.Kind.values())
                .filter(kind -> kind.toString().equals(words.get(1)))
                .map(kind -> new ObjectKey(kind, kind.namespaced() ? words.get(2) : "", words.get(3)))
                .findFirst();
    }

    private static String response(ObjectText objectText, String absent) {
        return switch (objectText) {
            case ObjectText.Found(String text) -> AdminClient.OK + "\n" + text;
            case ObjectText.Absent ignored -> AdminClient.ERROR + "\n" + absent + "\n";
            case ObjectText.Refused(String why) -> AdminClient.ERROR + "\n" + why + "\n";
        };
    }

    private static String response(EditResult editResult) {
        StringBuilder text = new StringBuilder();
        switch (editResult) {
            case EditResult.Written(List<String> lines, List<String> warnings) -> {
                text.append(AdminClient.OK).append('\n');
                warnings.forEach(line -> text.append(WARNING).append(line).append('\n'));
                lines.forEach(line -> text.append(line).append('\n'));
            }
            case EditResult.Refused(List<String> problems, List<String> reasons) -> {
                text.append(AdminClient.ERROR).append('\n');
                problems.forEach(line -> text.append(PROBLEM).append(line).append('\n'));
                reasons.forEach(line -> text.append(line).append('\n'));
            }
        }
        return text.toString();
    }
}
