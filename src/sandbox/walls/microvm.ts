/**
 * A small virtual machine for each program: a container whose kernel is not this machine's. gVisor (`runsc`) brings a kernel of its own that runs as a
 * process; Kata Containers boots one in Firecracker. Both are runtimes of docker or podman, which bring the image and the workdir into them:
 * Firecracker alone shares no directory with its guest, so a workdir could not be worked on in it.
 */
import { createContainer, type ContainerParts } from "./container.ts";
import type { Machine } from "./machine.ts";
import type { Wall } from "./wall.ts";

export type MicrovmRuntime = "runsc" | "firecracker";

/** The program that must be there, and what docker and podman know the runtime by. */
const runtimes: Record<MicrovmRuntime, { program: string; docker: string; podman: string }> = {
  runsc: { program: "runsc", docker: "runsc", podman: "runsc" },
  firecracker: {
    program: "containerd-shim-kata-fc-v2",
    docker: "io.containerd.kata-fc.v2",
    podman: "kata-fc",
  },
};

/** Those that are here, of the ones that are wished for. */
export async function findRuntimes(
  machine: Machine,
  wish: "auto" | MicrovmRuntime,
): Promise<MicrovmRuntime[]> {
  const wished: MicrovmRuntime[] = wish === "auto" ? ["runsc", "firecracker"] : [wish];
  const found = await Promise.all(wished.map((name) => machine.which(runtimes[name].program)));
  return wished.filter((_, index) => found[index] !== undefined);
}

/** The programs that were looked for, in words. */
export const runtimePrograms = (wish: "auto" | MicrovmRuntime): string =>
  wish === "auto" ? `${runtimes.runsc.program}, ${runtimes.firecracker.program}` : runtimes[wish].program;

export function createMicrovm(parts: Omit<ContainerParts, "runtime">, runtime: MicrovmRuntime): Wall {
  return createContainer({ ...parts, runtime: microvmRuntime(parts.engine.kind, runtime) });
}

export const microvmRuntime = (
  engine: "docker" | "podman",
  runtime: MicrovmRuntime,
): { name: string; kind: "microvm" } => ({ name: runtimes[runtime][engine], kind: "microvm" });
