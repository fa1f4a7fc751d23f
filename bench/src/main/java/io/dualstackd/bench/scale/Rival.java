package io.dualstackd.bench.scale;

import java.util.List;

/** The usual program for the same work: it gets the text of a change, made beforehand, on its standard input. */
interface Rival {
    /** From the start of the program to its end, with everything a first load writes. */
    Span load() throws Exception;

    /** The same for a change. */
    Span change(List<ServiceTransition> transitions) throws Exception;
}
