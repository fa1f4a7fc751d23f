package io.dualstackd.pods.cri;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;

/**
 * Reads the JSON text of verbose answers, whose format each runtime defines for itself. Nothing depends on it: it may be missing or
 * different.
 */
final class VerboseText {
    private static final JsonFactory JSON = new JsonFactory();

    private VerboseText() {}

    /** Returns the number under the top-level {@code pid}, as containerd and CRI-O write it; 0 when there is none. */
    static int process(String info) {
        try (JsonParser json = JSON.createParser(info)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                return 0;
            }
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                boolean pid = json.currentName().equals("pid");
                JsonToken value = json.nextToken();
                if (pid) {
                    return value == JsonToken.VALUE_NUMBER_INT ? Math.max(0, json.getIntValue()) : 0;
                }
                json.skipChildren();
            }
        } catch (IOException e) {
            // The text of another runtime.
        }
        return 0;
    }
}
