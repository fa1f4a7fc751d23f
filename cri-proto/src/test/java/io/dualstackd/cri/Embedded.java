package io.dualstackd.cri;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.InvalidProtocolBufferException;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** Compiled descriptors that Go programs carry in their own file, gzipped. */
final class Embedded {
    private static final int HEADER = 10;
    private static final int LARGEST = 4 << 20;

    private Embedded() {}

    /** Every descriptor of a package. */
    static List<FileDescriptorProto> descriptors(byte[] program, String packageName) {
        List<FileDescriptorProto> found = new ArrayList<>();
        for (int at = 0; at < program.length - HEADER; at++) {
            // A gzip header without name, comment or extra field.
            if (program[at] == 0x1f && program[at + 1] == (byte) 0x8b && program[at + 2] == 8 && program[at + 3] == 0) {
                byte[] content = inflated(program, at + HEADER);
                if (content.length > 2 && content[0] == 0x0a) {
                    addIf(found, content, packageName);
                }
            }
        }
        return found;
    }

    private static void addIf(List<FileDescriptorProto> found, byte[] content, String packageName) {
        try {
            FileDescriptorProto file = FileDescriptorProto.parseFrom(content);
            if (file.getPackage().equals(packageName)) {
                found.add(file);
            }
        } catch (InvalidProtocolBufferException e) {
            // Something else that is gzipped.
        }
    }

    private static byte[] inflated(byte[] bytes, int from) {
        Inflater inflater = new Inflater(true);
        try {
            inflater.setInput(bytes, from, Math.min(LARGEST, bytes.length - from));
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            byte[] buffer = new byte[8192];
            while (!inflater.finished() && out.size() < LARGEST) {
                int n = inflater.inflate(buffer);
                if (n == 0) {
                    return new byte[0];
                }
                out.write(buffer, 0, n);
            }
            return out.toByteArray();
        } catch (DataFormatException e) {
            return new byte[0];
        } finally {
            inflater.end();
        }
    }
}
