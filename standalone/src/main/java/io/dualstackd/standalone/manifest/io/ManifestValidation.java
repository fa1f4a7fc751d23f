package io.dualstackd.standalone.manifest.io;

import io.dualstackd.kubeapi.objects.Decoded;
import io.dualstackd.kubeapi.objects.Dialect;
import io.dualstackd.kubeapi.objects.LocatedObject;
import io.dualstackd.kubeapi.objects.Manifests;
import io.dualstackd.kubeapi.store.ConflictProblems;
import io.dualstackd.kubeapi.store.Update;
import io.dualstackd.kubeapi.store.io.Store;
import io.dualstackd.kubeapi.tree.Place;
import io.dualstackd.kubeapi.tree.Problem;
import io.dualstackd.standalone.edit.Diagnostics;
import io.dualstackd.standalone.edit.FieldValidation;
import io.dualstackd.standalone.edit.NamedText;
import io.dualstackd.standalone.manifest.AdmissionStage;
import io.dualstackd.standalone.manifest.FaultyServices;
import io.dualstackd.standalone.manifest.ManifestIndex;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Checks manifests as a daemon that starts with them would.
 *
 * @param objects number of objects of kinds that are used, valid or not
 */
public record ManifestValidation(int objects, Diagnostics diagnostics) {

    /**
     * Checks texts.
     *
     * @param dialect how to read them
     * @param admissionStage decides which of the objects would be put in force; it is asked, and not changed
     */
    public static ManifestValidation of(
            List<NamedText> texts, Dialect dialect, AdmissionStage admissionStage, FieldValidation fields) {
        ManifestIndex index = new ManifestIndex(Map.of());
        List<Update> updates = new ArrayList<>();
        List<LocatedObject> faulty = new ArrayList<>();
        int objects = 0;
        for (NamedText text : texts) {
            Decoded decoded = text.text().isBlank()
                    ? ManifestFile.empty(text.place())
                    : Manifests.decode(text.place(), text.text(), dialect);
            objects += decoded.objects().size() + decoded.refused().size();
            objects += (int) decoded.faulty().stream()
                    .filter(service -> service.object().key().name().isEmpty())
                    .count();
            faulty.addAll(decoded.faulty());
            updates.addAll(index.put(text.place(), decoded));
        }
        List<Problem> problems = new ArrayList<>(fields.on(index.problems()));
        problems.addAll(FaultyServices.of(faulty, index::find).dryRun(admissionStage, updates, problems));
        ConflictProblems conflicts =
                new ConflictProblems(key -> index.find(key).map(LocatedObject::place), Place.InFile.whole(""));
        problems.addAll(conflicts.of(new Store().dryRun(admissionStage.wouldPut(updates))));
        return new ManifestValidation(
                objects,
                Diagnostics.of(problems, texts.stream().map(NamedText::place).toList()));
    }
}
