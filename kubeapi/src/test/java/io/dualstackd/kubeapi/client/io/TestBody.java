package io.dualstackd.kubeapi.client.io;

import java.io.IOException;
import mockwebserver3.SocketHandler;
import okio.BufferedSink;
import okio.Okio;
import okio.Socket;

/** A body in chunks, written while it is sent. An exception cuts the connection in the middle. */
final class TestBody implements SocketHandler {
    private final int piece;
    private final TestFaults faults;
    private final Writer writer;

    /** Writes it. */
    interface Writer {
        void write(Out out) throws IOException;
    }

    /** Where it is written to. */
    interface Out {
        /** Whole, and at once. */
        void write(byte[] bytes) throws IOException;
    }

    TestBody(int piece, TestFaults faults, Writer writer) {
        this.piece = piece;
        this.faults = faults;
        this.writer = writer;
    }

    @Override
    public void handle(Socket socket) {
        BufferedSink sink = Okio.buffer(socket.getSink());
        try {
            writer.write(bytes -> write(sink, bytes));
            sink.writeUtf8("0\r\n\r\n").flush();
        } catch (IOException e) {
            socket.cancel();
        }
    }

    private void write(BufferedSink sink, byte[] bytes) throws IOException {
        int length;
        for (int at = 0; at < bytes.length; at += length) {
            if (faults.isDown()) {
                throw new IOException("down");
            }
            length = Math.min(piece, bytes.length - at);
            sink.writeUtf8(Integer.toHexString(length) + "\r\n");
            sink.write(bytes, at, length);
            sink.writeUtf8("\r\n").flush();
        }
    }
}
