/** Whether docker or podman is here, runs, and has what it is to run. */
import type { Say } from "../../infra/texts.ts";
import {
  containerWords,
  createContainer,
  isImageName,
  type ContainerEngine,
  type ContainerParts,
} from "./container.ts";
import { lastLine } from "./last-line.ts";
import type { Machine } from "./machine.ts";
import {
  createMicrovm,
  findRuntimes,
  microvmRuntime,
  runtimePrograms,
  type MicrovmRuntime,
} from "./microvm.ts";
import { programDirectories } from "./system-paths.ts";
import type { Wall } from "./wall.ts";

export interface ContainerWish {
  container: { engine: "auto" | "docker" | "podman"; image: string; memoryMb: number; pids: number };
  microvm: { runtime: "auto" | MicrovmRuntime };
}

export interface ContainerSearch {
  machine: Machine;
  say: Say;
  environment: Readonly<Record<string, string | undefined>>;
  trial: string;
}

/** Throws PincerError where the engine would not read the path of the trial as one. */
export async function chooseContainer(
  { machine, say, environment: whole, trial }: ContainerSearch,
  { container, microvm }: ContainerWish,
  profile: "container" | "microvm",
): Promise<{ wall: Wall } | { reason: string; next: string }> {
  const { image, memoryMb, pids } = container;
  const environment = forEngine(whole);
  if (!isImageName(image)) {
    return { reason: say("walls.none.bad-image", { image }), next: say("walls.next.engine") };
  }
  const runtimes = profile === "microvm" ? await findRuntimes(machine, microvm.runtime) : [];
  if (profile === "microvm" && runtimes.length === 0) {
    const names = runtimePrograms(microvm.runtime);
    return { reason: say("walls.none.runtime", { runtimes: names }), next: say("walls.next.runtime") };
  }
  const { engine, said } = await findEngine(machine, container.engine, environment);
  if (!engine) {
    return {
      reason: say("walls.none.engine", { reason: said || say("walls.missing") }),
      next: say("walls.next.engine"),
    };
  }
  const ask = (args: string[]) => machine.run({ file: engine.file, args, cwd: "/", environment });
  if ((await ask(["image", "inspect", "--format={{.Id}}", image])).status !== 0) {
    const next = say("walls.next.image", { engine: engine.kind, image });
    return { reason: say("walls.none.image", { image }), next };
  }
  const parts = { machine, say, engine, image, memoryMb, pids };
  let last = "";
  for (const runtime of profile === "microvm" ? runtimes : [undefined]) {
    const end = await ask(
      trialWords(runtime ? { ...parts, runtime: microvmRuntime(engine.kind, runtime) } : parts, trial),
    );
    if (end.status === 0) return { wall: runtime ? createMicrovm(parts, runtime) : createContainer(parts) };
    last = lastLine(end.said);
  }
  const next = say(profile === "microvm" ? "walls.next.runtime" : "walls.next.engine");
  return { reason: say("walls.none.engine", { reason: last }), next };
}

function trialWords(parts: ContainerParts, trial: string): string[] {
  const call = { file: "true", args: [], cwd: trial, environment: {} };
  const enclosure = { workdir: trial, readable: [], closed: [], network: { type: "none" } } as const;
  return containerWords(parts, { call, enclosure, name: `trial-${process.pid}`, terminal: "none" });
}

async function findEngine(
  machine: Machine,
  wish: "auto" | "docker" | "podman",
  environment: Readonly<Record<string, string>>,
): Promise<{ engine?: ContainerEngine; said: string }> {
  const wished = wish === "auto" ? (["docker", "podman"] as const) : [wish];
  let said = "";
  for (const kind of wished) {
    const file = await machine.which(kind);
    if (!file) continue;
    // The client alone says its version without anything that could run a container behind it.
    const format = kind === "docker" ? "{{.Server.Version}}" : "{{.Client.Version}}";
    const args = ["version", `--format=${format}`];
    const answer = await machine.run({ file, args, cwd: "/", environment });
    if (answer.status === 0)
      return { engine: { kind, file, environment, version: `${kind} ${answer.said}` }, said };
    said ||= lastLine(answer.said);
  }
  return { said };
}

/** What an engine finds its things and its socket by; nothing else of the gateway's is its business. */
const engineVariables = [
  "HOME",
  "USER",
  "DOCKER_CONFIG",
  "DOCKER_CONTEXT",
  "DOCKER_HOST",
  "CONTAINER_HOST",
  "XDG_CONFIG_HOME",
  "XDG_DATA_HOME",
  "XDG_RUNTIME_DIR",
];

function forEngine(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const known = engineVariables.flatMap((name) => {
    const value = environment[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  // It starts programs of its own by their names.
  return { ...Object.fromEntries(known), PATH: programDirectories.join(":") };
}
