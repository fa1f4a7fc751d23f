package io.dualstackd.agent.admin.io;

import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.standalone.edit.EditResult;
import io.dualstackd.standalone.edit.ManifestEditor;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Handles requests that change objects. */
final class EditHandlers {
    static final String KNOWN = "apply NAMESPACE now|dry FILE BYTES, delete-text NAMESPACE now|dry must|may FILE BYTES,"
            + " delete KIND NAMESPACE NAME now|dry must|may";

    /** The prefix of lines that are warnings, not results. */
    static final String WARNING = "Warning: ";

    private EditHandlers() {}

    /** Answers the request; empty when it does not change objects. */
    static Optional<String> to(AdminRequest adminRequest, ManifestEditor manifestEditor) {
        List<String> words = adminRequest.words();
        if (adminRequest.isTooLong()) {
            return Optional.of(AdminClient.ERROR + "\nthe text is longer than " + AdminRequest.MAX_BODY / 1024 / 1024
                    + " MiB; split it into several\n");
        }
        return switch (words.getFirst() + " " + words.size()) {
            case "apply 5" ->
                Optional.of(
                        said(manifestEditor.apply(words.get(3), adminRequest.body(), words.get(1), dry(words.get(2)))));
            case "delete-text 6" ->
                Optional.of(said(manifestEditor.delete(
                        words.get(4), adminRequest.body(), words.get(1), may(words.get(3)), dry(words.get(2)))));
            case "delete 6" ->
                kind(words.get(1))
                        .map(kind -> said(manifestEditor.delete(
                                new ObjectKey(kind, kind.namespaced() ? words.get(2) : "", words.get(3)),
                                may(words.get(5)),
                                dry(words.get(4)))));
            default -> Optional.empty();
        };
    }

    private static boolean dry(String word) {
        return word.equals("dry");
    }

    private static boolean may(String word) {
        return word.equals("may");
    }

    private static Optional<ObjectKey.Kind> kind(String name) {
        return Stream.of(ObjectKey.Kind.values())
                .filter(kind -> kind.toString().equals(name))
                .findFirst();
    }

    private static String said(EditResult editResult) {
        StringBuilder text = new StringBuilder();
        switch (editResult) {
            case EditResult.Written(List<String> lines, List<String> warnings) -> {
                text.append(AdminClient.OK).append('\n');
                warnings.forEach(line -> text.append(WARNING).append(line).append('\n'));
                lines.forEach(line -> text.append(line).append('\n'));
            }
            case EditResult.Refused(List<String> reasons) -> {
                text.append(AdminClient.ERROR).append('\n');
                reasons.forEach(line -> text.append(line).append('\n'));
            }
        }
        return text.toString();
    }
}
