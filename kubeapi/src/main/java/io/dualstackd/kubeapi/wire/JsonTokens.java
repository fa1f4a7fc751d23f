package io.dualstackd.kubeapi.wire;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.async.ByteArrayFeeder;
import io.dualstackd.kubeapi.wire.raw.WireException;
import java.io.IOException;

/** A decoder of JSON that receives tokens as bytes arrive. */
abstract class JsonTokens extends BufferedDecoder {
    private static final int MAX_DEPTH = 100;
    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH)
                    .maxStringLength(ByteAccumulator.MAX)
                    .build())
            .disable(StreamReadFeature.AUTO_CLOSE_SOURCE)
            .build();

    private final JsonParser parser;
    private final ByteArrayFeeder feeder;
    /** Number of bytes of the response so far. */
    private long position;
    /** Position of the start of the current object; nothing before it is in memory. */
    private long objectStart;

    JsonTokens() {
        try {
            parser = JSON.createNonBlockingByteArrayParser();
            feeder = (ByteArrayFeeder) parser.getNonBlockingInputFeeder();
        } catch (IOException e) {
            throw new IllegalStateException("a parser of UTF-8 always exists", e);
        }
    }

    /** Receives one token; the parser is positioned at it. */
    abstract void token(JsonToken token, JsonParser parser) throws IOException, WireException;

    /** An object begins or ends here. */
    final void objectBoundary() {
        objectStart = parser.currentLocation().getByteOffset();
    }

    @Override
    final void feed(byte[] bytes, int at, int length) throws WireException {
        position += length;
        try {
            feeder.feedInput(bytes, at, at + length);
            drain();
        } catch (IOException e) {
            throw wrong(e);
        }
        ByteAccumulator.check(position - objectStart, objectStart);
    }

    private void drain() throws IOException, WireException {
        for (JsonToken token = parser.nextToken();
                token != null && token != JsonToken.NOT_AVAILABLE;
                token = parser.nextToken()) {
            token(token, parser);
        }
    }

    /** There are no more bytes: tokens that may have continued are complete. */
    final void finish() throws WireException {
        feeder.endOfInput();
        try {
            drain();
        } catch (IOException e) {
            throw wrong(e);
        }
    }

    final WireException wrong(String rule) {
        return WireException.at(parser.currentLocation().getByteOffset(), rule);
    }

    private WireException wrong(IOException e) {
        String message = String.valueOf(e.getMessage());
        int end = message.indexOf('\n');
        return wrong("not JSON: " + (end < 0 ? message : message.substring(0, end)));
    }
}
