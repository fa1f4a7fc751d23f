package io.dualstackd.dataplane.diff.elements;

import io.dualstackd.dataplane.model.ServiceKey;
import io.dualstackd.dataplane.rules.nftables.FixedSet;
import io.dualstackd.dataplane.rules.nftables.Lane;
import io.dualstackd.dataplane.rules.nftables.TableForm;
import io.dualstackd.dataplane.rules.nftables.TableSets;
import io.dualstackd.netlink.ip.IpFamily;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;

/**
 * The elements that a process had applied to the table of one family when it ended. While the rule set is in the same state, the next
 * process need not read them from the kernel. Chains and sets, which are few, are not part of it. Used by one thread.
 */
public final class Checkpoint {
    /** To be increased when packed Services change their format. */
    private static final int FORMAT = 1;

    /** More than a Service with 65,535 endpoints at ten destinations has. */
    private static final int LONGEST = 64 << 20;

    private final IpFamily family;
    private final RuleSetId ruleSet;
    private final byte[] node;
    private final Map<ServiceKey, byte[]> services;

    private Checkpoint(IpFamily family, RuleSetId ruleSet, byte[] node, Map<ServiceKey, byte[]> services) {
        this.family = family;
        this.ruleSet = ruleSet;
        this.node = node;
        this.services = services;
    }

    /**
     * Writes a checkpoint.
     *
     * @param ruleSet the state of the rule set in which the kernel has exactly what is applied
     * @param applied without Services that the kernel refuses
     */
    public static void write(OutputStream out, TableForm form, RuleSetId ruleSet, AppliedTable applied)
            throws IOException {
        CheckedOutputStream sum = new CheckedOutputStream(out, new CRC32C());
        DataOutputStream data = new DataOutputStream(sum);
        bytes(data, layout(form));
        data.writeUTF(ruleSet.boot());
        data.writeLong(ruleSet.namespace());
        data.writeInt(ruleSet.generation());
        bytes(data, applied.node);
        data.writeInt(applied.packedServices.size());
        for (Map.Entry<ServiceKey, byte[]> service : applied.packedServices.entrySet()) {
            data.writeUTF(service.getKey().namespace());
            data.writeUTF(service.getKey().name());
            bytes(data, service.getValue());
        }
        data.writeLong(sum.getChecksum().getValue());
        data.flush();
    }

    private static void bytes(DataOutputStream data, byte[] bytes) throws IOException {
        data.writeInt(bytes.length);
        data.write(bytes);
    }

    /**
     * Reads a checkpoint.
     *
     * @throws IllegalArgumentException when it is damaged, or of a version or a form of the table with another layout
     */
    public static Checkpoint read(InputStream in, TableForm form) throws IOException {
        CheckedInputStream sum = new CheckedInputStream(in, new CRC32C());
        DataInputStream data = new DataInputStream(sum);
        if (!Arrays.equals(bytes(data), layout(form))) {
            throw new IllegalArgumentException("the table has another layout in this version");
        }
        RuleSetId ruleSet = new RuleSetId(data.readUTF(), data.readLong(), data.readInt());
        byte[] node = bytes(data);
        int count = data.readInt();
        Map<ServiceKey, byte[]> services = new HashMap<>();
        String namespace = "";
        for (int i = 0; i < count; i++) {
            String next = data.readUTF();
            // Most Services follow one of the same namespace: one text is enough for all of them.
            namespace = next.equals(namespace) ? namespace : next;
            services.put(new ServiceKey(namespace, data.readUTF()), bytes(data));
        }
        long wanted = sum.getChecksum().getValue();
        if (data.readLong() != wanted) {
            throw new IllegalArgumentException("its checksum is wrong");
        }
        return new Checkpoint(form.family(), ruleSet, node, services);
    }

    private static byte[] bytes(DataInputStream data) throws IOException {
        int length = data.readInt();
        if (length < 0 || length > LONGEST) {
            throw new IllegalArgumentException("it has a part of " + length + " bytes");
        }
        return data.readNBytes(length);
    }

    /** What packed Services are made of: with other sets or in another order, their bytes mean something else. */
    private static byte[] layout(TableForm form) {
        String layout = FORMAT + " " + form + " " + Arrays.toString(FixedSet.values()) + " "
                + Arrays.toString(Lane.values()) + " " + TableSets.fixed(form);
        return layout.getBytes(StandardCharsets.UTF_8);
    }

    /** The state of the rule set in which the kernel had exactly these elements. */
    public RuleSetId ruleSet() {
        return ruleSet;
    }

    /** The number of Services not taken yet. */
    public int size() {
        return services.size();
    }

    /** An applied state in which these elements count as applied, to be completed by {@link TableDraft#resume}. */
    public AppliedTable applied() {
        return AppliedTable.of(family, node, services.values());
    }

    /** Removes and returns what a Service has in the table; empty when it has nothing. */
    public byte[] take(ServiceKey service) {
        byte[] packed = services.remove(service);
        return packed == null ? AppliedService.NOTHING : packed;
    }

    /** Passes the Services that were not taken. */
    public void rest(BiConsumer<ServiceKey, byte[]> each) {
        services.forEach(each);
    }
}
