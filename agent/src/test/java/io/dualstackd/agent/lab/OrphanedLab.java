package io.dualstackd.agent.lab;

/** A program that opens a laboratory, runs a pod, prints the laboratory's folder and waits to be killed. */
final class OrphanedLab {
    private OrphanedLab() {}

    public static void main(String... ignored) throws Exception {
        PodLab lab = PodLab.open();
        lab.run(LabPodSpec.named("orphan"));
        System.out.println(lab.folder().getParent());
        System.in.read();
    }
}
