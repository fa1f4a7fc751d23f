package io.dualstackd.kubeapi.wire.raw;

import io.dualstackd.kubeapi.objects.PodSelector;
import io.dualstackd.netlink.ip.Ip;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fields of one object, in either encoding: so both have the same meaning by construction. Each field must be read or skipped
 * before the next one.
 */
public interface FieldReader {
    /** Enters the object, or the message that is the current field. */
    void enter(Message message) throws IOException;

    /** Goes to the next field that the message names, once for each item of a list; at its end, leaves it and returns false. */
    boolean next() throws IOException;

    /** The name of the current field, as in JSON. */
    String field();

    void skip() throws IOException;

    /** Reads a text that is probably unique. */
    String text() throws IOException;

    /** Reads a text that occurs repeatedly. */
    String name() throws IOException;

    int number() throws IOException;

    boolean bool() throws IOException;

    /** Reads a time, in seconds since 1970. */
    long time() throws IOException;

    /** Reads an address; null when it is none. */
    @Nullable
    Ip ip() throws IOException;

    /** The text of the address that was just read. */
    String ipText();

    /** Reads a number or a name of a port: number 0 when it is neither. */
    PodSelector.Target target() throws IOException;

    /** Reads a map or an entry of it. */
    void entries(Map<String, String> to) throws IOException;

    /** Reads labels or annotations, or one of them: the values of those that are used, by {@link WellKnownLabel#slot}. */
    void labels(boolean annotations, @Nullable String[] to) throws IOException;

    /** The names of this response. */
    NamePool names();
}
