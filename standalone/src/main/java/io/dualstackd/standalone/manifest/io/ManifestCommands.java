package io.dualstackd.standalone.manifest.io;

import io.dualstackd.kubeapi.objects.Dialect;
import io.dualstackd.kubeapi.objects.Manifests;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.store.io.Store;
import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.standalone.edit.Diagnostics;
import io.dualstackd.standalone.edit.EditMode;
import io.dualstackd.standalone.edit.EditRequest;
import io.dualstackd.standalone.edit.EditResult;
import io.dualstackd.standalone.edit.FieldValidation;
import io.dualstackd.standalone.edit.FileEdit;
import io.dualstackd.standalone.edit.ManifestEditor;
import io.dualstackd.standalone.edit.NamedText;
import io.dualstackd.standalone.edit.ObjectDiff;
import io.dualstackd.standalone.edit.ObjectText;
import io.dualstackd.standalone.edit.TextName;
import io.dualstackd.standalone.manifest.AdmissionStage;
import io.dualstackd.standalone.manifest.ManifestIndex;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes the files of a folder on behalf of commands: a whole request is validated first, by the same rules and against the same state as
 * the files themselves, and written only if all of it is accepted. It is in force when the answer is returned.
 *
 * <p>Holds the folder's lock, so no files are read while a request is processed; a file that another program changes meanwhile is read
 * again, and the request is validated anew.
 */
public final class ManifestCommands implements ManifestEditor {
    private static final Logger LOG = LoggerFactory.getLogger("manifests");
    private static final int ATTEMPTS = 20;
    private static final Duration PAUSE = Duration.ofMillis(50);

    private final ManifestFolder owner;
    private final Path folder;
    private final Dialect dialect;
    private final ManifestIndex manifestIndex;
    private final AdmissionStage admissionStage;
    private final Store store;

    ManifestCommands(
            ManifestFolder owner,
            Path folder,
            Dialect dialect,
            ManifestIndex manifestIndex,
            AdmissionStage admissionStage,
            Store store) {
        this.store = store;
        this.owner = owner;
        this.folder = folder;
        this.dialect = dialect;
        this.manifestIndex = manifestIndex;
        this.admissionStage = admissionStage;
    }

    @Override
    public EditResult apply(List<NamedText> texts, String namespace, EditMode mode, FieldValidation fields) {
        Optional<EditResult> badName = badName(texts);
        if (badName.isPresent()) {
            return badName.get();
        }
        EditRequest editRequest = read(texts, namespace).with(fields);
        List<String> places = texts.stream().map(NamedText::place).toList();
        if (editRequest.isGood() && editRequest.objects().isEmpty()) {
            return new EditResult.Refused(
                    Diagnostics.of(editRequest.problems(), places).lines(),
                    List.of(names(texts) + ": no object in it that is used here (" + ObjectKey.Kind.SERVICE
                            + ", …); nothing to apply"));
        }
        String name = texts.size() == 1 ? texts.getFirst().name() : "applied.yaml";
        return attempt(mode != EditMode.NOW, places, edits -> {
            Map<ObjectKey, FileEdit.Done> results = edits.put(editRequest, name);
            List<String> lines = new ArrayList<>();
            if (mode == EditMode.DIFF) {
                editRequest
                        .objects()
                        .forEach(wanted -> lines.addAll(ObjectDiff.of(edits.present(wanted.key()), wanted)));
            } else {
                results.forEach((key, done) -> lines.add(name(key) + " " + word(done) + end(mode != EditMode.NOW)));
            }
            return new EditResult.Written(lines, edits.warnings());
        });
    }

    @Override
    public ObjectText text(ObjectKey key) {
        List<String> found = new ArrayList<>();
        EditResult result = attempt(true, List.of(), edits -> {
            found.clear();
            edits.text(key).ifPresent(found::add);
            return new EditResult.Written(List.of(), List.of());
        });
        return switch (result) {
            case EditResult.Refused(var _, List<String> reasons) -> new ObjectText.Refused(String.join("; ", reasons));
            case EditResult.Written ignored ->
                found.isEmpty() ? new ObjectText.Absent() : new ObjectText.Found(found.getFirst());
        };
    }

    @Override
    public EditResult replace(ObjectKey key, String version, NamedText text, FieldValidation fields) {
        EditRequest editRequest = read(List.of(text), "default").with(fields);
        List<ObjectKey> keys = editRequest.keys();
        List<String> reasons = new ArrayList<>();
        keys.stream()
                .filter(other -> !other.equals(key))
                .forEach(other -> reasons.add(text.place() + ": it is " + key + " that is edited, not " + other
                        + "; kind, namespace and name stay as they are"));
        if (reasons.isEmpty() && keys.isEmpty() && editRequest.isGood()) {
            reasons.add(text.place() + ": " + key + " is not in it any more");
        }
        return reasons.isEmpty()
                ? attempt(false, List.of(text.place()), edits -> {
                    edits.replace(key, version, editRequest, text.text());
                    return new EditResult.Written(List.of(name(key) + " edited"), edits.warnings());
                })
                : new EditResult.Refused(
                        Diagnostics.of(editRequest.problems(), List.of(text.place()))
                                .lines(),
                        reasons);
    }

    private EditRequest read(List<NamedText> texts, String namespace) {
        return EditRequest.all(texts.stream()
                .map(text -> EditRequest.read(text.place(), text.text(), namespace, dialect))
                .toList());
    }

    private static Optional<EditResult> badName(List<NamedText> texts) {
        return texts.stream()
                .flatMap(text -> TextName.refuse(text.name()).stream())
                .findFirst()
                .map(EditResult.Refused::because);
    }

    private static String names(List<NamedText> texts) {
        return texts.stream().map(NamedText::place).collect(Collectors.joining(", "));
    }

    @Override
    public EditResult delete(List<NamedText> texts, String namespace, boolean optional, boolean dryRun) {
        Optional<EditResult> badName = badName(texts);
        if (badName.isPresent()) {
            return badName.get();
        }
        EditRequest editRequest = read(texts, namespace);
        List<String> places = texts.stream().map(NamedText::place).toList();
        List<Problem> unclear = editRequest.problems().stream()
                .filter(problem -> Manifests.isMistypedKind(problem)
                        || (problem.isError() && problem.object().isEmpty()))
                .toList();
        if (!unclear.isEmpty()) {
            // What is only probably meant is not removed, and neither is a part of what is meant.
            return refused(Diagnostics.of(unclear, places), List.of());
        }
        if (!editRequest.keys().isEmpty()) {
            return delete(editRequest.keys(), optional, dryRun);
        }
        return new EditResult.Refused(
                Diagnostics.of(editRequest.problems(), places).lines(),
                List.of(names(texts) + ": no object in it that is used here; nothing to delete"));
    }

    @Override
    public EditResult delete(ObjectKey key, boolean optional, boolean dryRun) {
        return delete(List.of(key), optional, dryRun);
    }

    private EditResult delete(List<ObjectKey> keys, boolean optional, boolean dryRun) {
        Set<ObjectKey> removed = new LinkedHashSet<>();
        return attempt(dryRun, List.of(), edits -> {
            removed.addAll(edits.remove(keys, optional || !removed.isEmpty()));
            return new EditResult.Written(
                    removed.stream()
                            .map(key -> kind(key) + " \"" + key.name() + "\" deleted"
                                    + (key.kind().namespaced() ? " from " + key.namespace() + " namespace" : "")
                                    + end(dryRun))
                            .toList(),
                    edits.inNoFile().stream()
                            .map(key ->
                                    "warning: " + key + " is made from --service-cluster-ip-range: new Services get no"
                                            + " address of its networks any more, only those of other ServiceCIDRs; it goes with"
                                            + " its last address, and comes back at the next start after that")
                            .toList());
        });
    }

    /** Works out a request on files as they are. */
    private interface Edit {
        EditResult.Written on(ManifestEdits edits);
    }

    /** @param texts the places of the texts of the request, in their order */
    private EditResult attempt(boolean dryRun, List<String> texts, Edit edit) {
        try {
            for (int i = 0; i < ATTEMPTS; i++) {
                Optional<EditResult> result = once(dryRun, texts, edit);
                if (result.isPresent()) {
                    return result.get();
                }
                // Gives the program that is saving the file time to finish, and the watch time to notice it.
                Thread.sleep(PAUSE);
            }
        } catch (EditedFiles.WrittenInPart e) {
            return EditResult.Refused.because(EditResult.Refused.IN_PART + e.getMessage());
        } catch (AccessDeniedException e) {
            return EditResult.Refused.because("the daemon may not write to " + e.getFile());
        } catch (IOException e) {
            return EditResult.Refused.because("cannot write to " + folder + ": " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return EditResult.Refused.because("another program keeps changing the same files of " + folder + "; try again");
    }

    /** Tries the request once; empty when another program has changed a file meanwhile. */
    private Optional<EditResult> once(boolean dryRun, List<String> texts, Edit edit) throws IOException {
        synchronized (owner) {
            if (!Files.isDirectory(folder)) {
                return Optional.of(
                        EditResult.Refused.because("the folder " + folder + " does not exist; make it first"));
            }
            if (!owner.isRead()) {
                return Optional.of(EditResult.Refused.because(
                        "not all files of " + folder + " have been read yet; try again in a moment"));
            }
            // Files edited a moment ago are included, whether the watch has noticed them or not.
            owner.lookAt(owner.present(), Set.of());
            ManifestEdits edits = new ManifestEdits(folder, dialect, manifestIndex, admissionStage, store);
            EditResult.Written done = edit.on(edits);
            if (edits.files().isFileMissing()) {
                return Optional.empty();
            }
            Diagnostics diagnostics = Diagnostics.of(edits.problems(), texts);
            if (diagnostics.hasErrors() || !edits.refused().isEmpty()) {
                return Optional.of(refused(diagnostics, edits.refused()));
            }
            List<String> warnings = new ArrayList<>(diagnostics.lines());
            warnings.addAll(done.warnings());
            done = new EditResult.Written(done.lines(), warnings);
            if (dryRun) {
                return Optional.of(done);
            }
            boolean written = edits.files().write();
            owner.lookAt(edits.files().all().keySet(), written ? edits.files().removed() : Set.of());
            if (written) {
                owner.gone(edits.inNoFile());
                done.lines().forEach(line -> {
                    if (line.endsWith(" " + word(FileEdit.Done.UNCHANGED))) {
                        LOG.debug("manifests left as they are by command: {}", line);
                    } else {
                        LOG.info("manifests changed by command: {}", line);
                    }
                });
            }
            return written ? Optional.of(checked(done)) : Optional.empty();
        }
    }

    private static EditResult refused(Diagnostics diagnostics, List<String> reasons) {
        return new EditResult.Refused(diagnostics.lines(), reasons);
    }

    /** Checks the result after writing: a full disk cannot be foreseen. */
    private EditResult checked(EditResult.Written done) {
        List<String> warnings = new ArrayList<>(done.warnings());
        admissionStage.problems(manifestIndex::find).stream()
                .filter(problem -> problem.isError() && problem.object().isEmpty())
                .forEach(problem -> warnings.add("warning: written, but not in force yet: " + problem));
        return new EditResult.Written(done.lines(), warnings);
    }

    private static String end(boolean dryRun) {
        return dryRun ? " (server dry run)" : "";
    }

    private static String word(FileEdit.Done done) {
        return switch (done) {
            case CREATED -> "created";
            case CONFIGURED -> "configured";
            case UNCHANGED -> "unchanged";
        };
    }

    /** {@code service/web}, {@code servicecidr.networking.k8s.io/more}. */
    private static String name(ObjectKey key) {
        return kind(key) + "/" + key.name();
    }

    /** {@code service}, {@code servicecidr.networking.k8s.io}. */
    private static String kind(ObjectKey key) {
        String version = key.kind().apiVersion();
        int slash = version.indexOf('/');
        return key.kind().toString().toLowerCase(Locale.ROOT) + (slash < 0 ? "" : "." + version.substring(0, slash));
    }
}
