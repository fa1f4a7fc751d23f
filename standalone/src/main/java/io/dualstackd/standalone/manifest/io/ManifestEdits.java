package io.dualstackd.standalone.manifest.io;

import io.dualstackd.kubeapi.objects.Decoded;
import io.dualstackd.kubeapi.objects.Dialect;
import io.dualstackd.kubeapi.objects.LocatedObject;
import io.dualstackd.kubeapi.objects.ObjectKey;
import io.dualstackd.kubeapi.store.ConflictProblems;
import io.dualstackd.kubeapi.store.DestinationConflict;
import io.dualstackd.kubeapi.store.Update;
import io.dualstackd.kubeapi.store.io.Store;
import io.dualstackd.kubeapi.tree.Place;
import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.kubeapi.tree.Tree;
import io.dualstackd.standalone.edit.EditRequest;
import io.dualstackd.standalone.edit.FileEdit;
import io.dualstackd.standalone.edit.ObjectText;
import io.dualstackd.standalone.manifest.AdmissionStage;
import io.dualstackd.standalone.manifest.FaultyServices;
import io.dualstackd.standalone.manifest.ManifestIndex;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Works out the result of a request to change manifests: which files get which texts, and whether their new content would be accepted. Used
 * under the lock of the folder, for one request.
 */
final class ManifestEdits {
    /** The maximum number of files that one request may create. */
    private static final int FILES = 16;

    private final Path folder;
    private final ManifestIndex manifestIndex;
    private final AdmissionStage admissionStage;
    private final Store store;
    private final EditedFiles files;
    private final List<Problem> problems = new ArrayList<>();
    private final List<String> refused = new ArrayList<>();
    private final List<ObjectKey> inNoFile = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    ManifestEdits(
            Path folder, Dialect dialect, ManifestIndex manifestIndex, AdmissionStage admissionStage, Store store) {
        this.store = store;
        this.folder = folder;
        this.files = new EditedFiles(folder, dialect);
        this.manifestIndex = manifestIndex;
        this.admissionStage = admissionStage;
    }

    /**
     * Sets all objects as given. New ones get a file each, unless there are very many of them.
     *
     * @param name of the file for very many objects
     * @return the result for each object; valid only if nothing is {@link #refused}
     */
    Map<ObjectKey, FileEdit.Done> put(EditRequest editRequest, String name) {
        Optional<String> collected = Optional.of(FileIndex.isManifest(name) ? name : "applied.yaml")
                .filter(file -> editRequest.objects().size() > FILES);
        Map<ObjectKey, FileEdit.Done> done = new LinkedHashMap<>();
        for (EditRequest.Wanted wanted : editRequest.objects()) {
            List<String> holders = manifestIndex.holders(wanted.key());
            if (holders.size() > 1) {
                warnings.add("warning: " + wanted.key() + " stands in " + String.join(" and ", holders)
                        + ", of which the first counts; remove it from the others");
            }
            if (holders.isEmpty() && manifestIndex.mayHave(wanted.key())) {
                refused.add(inBrokenFile(wanted.key()));
                continue;
            }
            String file = holders.isEmpty() ? collected.orElseGet(() -> fileOf(wanted.key())) : holders.getFirst();
            try {
                FileEdit edit = files.edit(file, !holders.isEmpty());
                if (!holders.isEmpty() && edit.isUnclear() && !edit.has(wanted.key())) {
                    refused.add(inEarlierText(wanted.key(), file, edit));
                } else {
                    done.put(wanted.key(), edit.put(wanted));
                }
            } catch (FileEdit.Impossible e) {
                refused.add(e.getMessage());
            } catch (IOException e) {
                refused.add(files.unreadable(file, e));
            }
        }
        judge(editRequest);
        return done;
    }

    /** The text of an object; empty when no file has it, or when the reason is {@link #refused}. */
    Optional<String> text(ObjectKey key) {
        List<String> holders = manifestIndex.holders(key);
        if (holders.isEmpty()) {
            if (manifestIndex.mayHave(key)) {
                refused.add(inBrokenFile(key));
            }
            return Optional.empty();
        }
        String file = holders.getFirst();
        try {
            FileEdit edit = files.edit(file, true);
            Optional<String> text = edit.text(key);
            if (text.isEmpty() && (edit.isUnclear() || edit.isBlank())) {
                refused.add(inEarlierText(key, file, edit));
            }
            if (text.isPresent() && files.isReadOnly(file)) {
                refused.add(key + " is in " + folder.resolve(file)
                        + ", which the daemon may not write: the file or its folder is read-only");
            }
            return text;
        } catch (FileEdit.Impossible e) {
            refused.add(e.getMessage());
        } catch (IOException e) {
            refused.add(files.unreadable(file, e));
        }
        return Optional.empty();
    }

    /**
     * Replaces the text of an object.
     *
     * @param request the same text, read
     */
    void replace(ObjectKey key, String version, EditRequest request, String edited) {
        Optional<String> present = text(key);
        if (!refused.isEmpty() || files.isFileMissing()) {
            return;
        }
        if (!present.map(ObjectText::version).equals(Optional.of(version))) {
            refused.add(key + " was changed" + (present.isEmpty() ? " or removed" : "")
                    + " by another program or person since its text was read; nothing of that is overwritten");
            return;
        }
        String file = manifestIndex.holders(key).getFirst();
        try {
            files.edit(file, true).replace(key, edited);
            judge(request);
        } catch (FileEdit.Impossible e) {
            refused.add(e.getMessage());
        } catch (IOException e) {
            refused.add(files.unreadable(file, e));
        }
    }

    private String inBrokenFile(ObjectKey key) {
        return key + " may stand in a file of " + folder + " that cannot be understood;"
                + " repair it first ('dualstackd status' names it)";
    }

    /** For an object that is in force as its file had it before. */
    private String inEarlierText(ObjectKey key, String file, FileEdit edit) {
        return key + " stays in force from an earlier text of " + folder.resolve(file)
                + (edit.isBlank()
                        ? ", which is empty now; remove the file"
                        : ", which cannot be understood now; repair it first ('dualstackd status' shows where)");
    }

    /**
     * Removes the objects from all files.
     *
     * @param optional whether an object that is in no file is accepted
     * @return those that are in a file, or that exist without one
     */
    Set<ObjectKey> remove(List<ObjectKey> keys, boolean optional) {
        Set<ObjectKey> found = new LinkedHashSet<>();
        for (ObjectKey key : keys) {
            int before = refused.size();
            for (String file : manifestIndex.holders(key)) {
                try {
                    FileEdit edit = files.edit(file, true);
                    if (edit.has(key)) {
                        edit.remove(key);
                        found.add(key);
                    } else if (edit.isUnclear() || edit.isBlank()) {
                        refused.add(inEarlierText(key, file, edit));
                    }
                } catch (FileEdit.Impossible e) {
                    refused.add(e.getMessage());
                } catch (IOException e) {
                    refused.add(files.unreadable(file, e));
                }
            }
            if (!found.contains(key) && admissionStage.isGenerated(key)) {
                inNoFile.add(key);
                found.add(key);
            }
            if (!found.contains(key) && !optional && refused.size() == before) {
                refused.add(key + " is in no file of " + folder + "; 'dualstackd get "
                        + key.kind().toString().toLowerCase(Locale.ROOT) + " -A' lists all");
            }
        }
        files.all().forEach((file, edit) -> problems.addAll(edit.worse(edit.decoded())));
        return found;
    }

    /** The present text of an object that was {@link #put}; empty when no file has it. */
    Optional<Tree.Mapping> present(ObjectKey key) {
        return files.all().values().stream()
                .flatMap(edit -> edit.present(key).stream())
                .findFirst();
    }

    /** The objects to remove that no file has. */
    List<ObjectKey> inNoFile() {
        return List.copyOf(inNoFile);
    }

    /** The problems of the objects, in their texts; nothing may be written if there is an error. */
    List<Problem> problems() {
        return problems;
    }

    /** Other reasons why nothing may be written; empty when it may be. */
    List<String> refused() {
        return refused;
    }

    /** The files to read and to write. */
    EditedFiles files() {
        return files;
    }

    List<String> warnings() {
        return warnings;
    }

    /** {@code service.shop.web.yaml}, {@code servicecidr.more.yaml}. */
    private static String fileOf(ObjectKey key) {
        String name = key.kind().toString().toLowerCase(Locale.ROOT)
                + (key.namespace().isEmpty() ? "" : "." + key.namespace())
                + "." + key.name();
        return FileName.of("", name, ".yaml");
    }

    /** Puts the new texts into the index, checks the result, and restores the index. */
    private void judge(EditRequest editRequest) {
        problems.addAll(editRequest.problems());
        refused.addAll(files.tooLarge());
        Map<ObjectKey, LocatedObject> wanted = new HashMap<>();
        editRequest.objects().forEach(object -> wanted.put(object.key(), object.locatedObject()));
        Map<String, ManifestIndex.Version> versions = new HashMap<>();
        List<Update> updates = new ArrayList<>();
        try {
            files.all().forEach((file, edit) -> {
                Decoded after = edit.decoded();
                edit.worse(after).stream()
                        .filter(problem -> wanted.keySet().stream()
                                .noneMatch(key -> key.toString().equals(problem.object())))
                        .forEach(problems::add);
                versions.put(file, manifestIndex.version(file));
                updates.addAll(manifestIndex.put(file, after));
            });
            FaultyServices faulty = FaultyServices.of(
                    editRequest.faulty(),
                    key -> Optional.ofNullable(wanted.get(key))
                            .or(() -> editRequest.isFaulty(key) ? Optional.empty() : manifestIndex.find(key)));
            faulty.dryRun(admissionStage, updates, editRequest.problems()).stream()
                    .filter(problem -> problem.object().isEmpty()
                            || Stream.concat(wanted.keySet().stream(), faulty.byKey().keySet().stream())
                                    .anyMatch(key -> key.toString().equals(problem.object())))
                    .forEach(problems::add);
            Function<ObjectKey, Optional<? extends Place>> places = key -> Optional.ofNullable(wanted.get(key))
                    .or(() -> manifestIndex.find(key))
                    .map(LocatedObject::place);
            List<DestinationConflict> disputes = store.dryRun(admissionStage.wouldPut(updates));
            new ConflictProblems(places, Place.InFile.whole(folder.toString()))
                    .refusals(disputes).stream()
                            .filter(problem -> wanted.keySet().stream()
                                    .anyMatch(key -> key.toString().equals(problem.object())))
                            .forEach(problems::add);
        } finally {
            versions.forEach(manifestIndex::restore);
        }
    }
}
