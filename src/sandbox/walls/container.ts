/**
 * A container of docker or podman for each program. The words of the engine are made of the fields below and of nothing else: there is no field for a
 * network of another, for more rights or for a socket of the engine, so that none can be asked for. What comes from a model stands behind the image.
 */
import { join } from "node:path";
import { failure } from "../../infra/failure.ts";
import type { Say } from "../../infra/texts.ts";
import { bridgeArguments } from "../egress/bridge.ts";
import { isInside } from "../is-inside.ts";
import { checkEnclosure, checkNotMovable, isPlainName } from "./check-enclosure.ts";
import { handedOn } from "./handed-on.ts";
import type { Machine } from "./machine.ts";
import type { Enclosure, ProgramCall, Wall, WallKind } from "./wall.ts";

export interface ContainerEngine {
  kind: "docker" | "podman";
  file: string;
  /** Of the engine's own: where it keeps its things and where its socket is. */
  environment: Readonly<Record<string, string>>;
  version: string;
}

export interface ContainerParts {
  machine: Machine;
  say: Say;
  engine: ContainerEngine;
  image: string;
  memoryMb: number;
  pids: number;
  /** What runs it in place of the engine's usual: a small virtual machine. */
  runtime?: { name: string; kind: WallKind };
}

export function createContainer({ machine, say, engine, ...parts }: ContainerParts): Wall {
  const { runtime } = parts;
  return {
    kind: runtime?.kind ?? "container",
    description: `${engine.version}, ${parts.image}${runtime ? `, ${runtime.name}` : ""}`,
    gaps: [say("walls.gap.container-network"), say("walls.gap.container-disk")],
    enclose(call, enclosure, name) {
      checkEnclosure(call, enclosure);
      checkNotMovable(enclosure);
      const args = containerWords({ machine, engine, ...parts }, { call, enclosure, name, terminal: "own" });
      const environment = { ...byName(call.environment, engine), ...engine.environment };
      return { file: engine.file, args, cwd: "/", environment };
    },
    async end(name) {
      // Under another name nothing was started.
      if (!isPlainName(name)) return;
      const args = ["kill", checkedName(name)];
      await machine.run({ file: engine.file, args, cwd: "/", environment: engine.environment });
    },
  };
}

export interface ContainerCall {
  call: ProgramCall;
  enclosure: Enclosure;
  name: string;
  /** `none` for a look whether it works at all. */
  terminal: "own" | "none";
}

/** The argument list for the engine. Throws PincerError for a path or a name that it would not read as one. */
export function containerWords(
  { machine, engine, image, memoryMb, pids, runtime }: Omit<ContainerParts, "say">,
  { call, enclosure, name, terminal }: ContainerCall,
): string[] {
  const { workdir, readable, closed, network, readOnly = [] } = enclosure;
  const shown = [workdir, ...readable.filter((path) => !closed.some((one) => isInside(path, one)))];
  const hidden = closed.filter((path) => shown.some((one) => isInside(path, one)));
  const inner = bridged(call, enclosure);
  return [
    ...(runtime && engine.kind === "podman" ? [`--runtime=${runtime.name}`] : []),
    "run",
    ...(runtime && engine.kind === "docker" ? [`--runtime=${runtime.name}`] : []),
    "--rm",
    "--init",
    // What is not here is fetched when the owner says so, not when a model runs something.
    "--pull=never",
    ...(terminal === "own" ? ["--interactive", "--tty"] : []),
    `--name=${checkedName(name)}`,
    "--hostname=pincer",
    "--network=none",
    "--read-only",
    "--cap-drop=ALL",
    "--security-opt=no-new-privileges",
    `--pids-limit=${pids}`,
    `--memory=${memoryMb}m`,
    `--memory-swap=${memoryMb}m`,
    "--ulimit=core=0:0",
    `--user=${machine.uid}:${machine.gid}`,
    ...(engine.kind === "podman" && machine.uid !== 0 ? ["--userns=keep-id"] : []),
    "--tmpfs=/tmp:rw,nosuid,nodev,size=512m",
    "--tmpfs=/run:rw,nosuid,nodev,size=16m",
    ...mount(workdir, workdir, "writable"),
    ...shown.slice(1).flatMap((path) => mount(path, path, "readable")),
    ...readOnly.map((name) => join(workdir, name)).flatMap((path) => mount(path, path, "readable")),
    ...hidden.flatMap((path) => ["--mount", `type=tmpfs,destination=${checkedPath(path)}`]),
    ...(network.type === "broker"
      ? [...mount(network.socket, socketInside, "readable"), ...mount(machine.node, nodeInside, "readable")]
      : []),
    ...variables(call.environment, engine),
    `--workdir=${checkedPath(call.cwd)}`,
    `--entrypoint=${inner.file}`,
    image,
    ...inner.args,
  ];
}

/** What an image can be called; whatever else would be read as an option or not at all. */
export const isImageName = (image: string): boolean =>
  /^[a-z0-9][a-z0-9._-]*(:[0-9]+)?(\/[a-z0-9][a-z0-9._-]*)*(:[\w][\w.-]{0,127})?(@sha256:[0-9a-f]{64})?$/.test(
    image,
  );

/** Without its value: the engine's client takes that from its own environment, where no other user of the machine reads it. */
function variables(environment: ProgramCall["environment"], engine: ContainerEngine): string[] {
  const handed = byName(environment, engine);
  return Object.entries(environment).map(([name, value]) =>
    name in handed ? `--env=${name}` : `--env=${name}=${value}`,
  );
}

const byName = (environment: ProgramCall["environment"], engine: ContainerEngine): Record<string, string> =>
  Object.fromEntries(Object.entries(handedOn(environment)).filter(([name]) => !steersClient(name, engine)));

/** What the engine's client would obey itself, outside of the container. None of it is a secret. */
const steersClient = (name: string, { environment }: ContainerEngine): boolean =>
  name in environment || clientReads.test(name);

const clientReads =
  /^(?:HOME|PATH|USER|SHELL|TERM|TMPDIR|NO_COLOR|XDG_\w+|\w+_PROXY|SSL_CERT_(?:FILE|DIR)|SSH_AUTH_SOCK|DBUS_SESSION_BUS_ADDRESS|REGISTRY_AUTH_FILE|STORAGE_(?:DRIVER|OPTS)|GO(?:DEBUG|GC|MAXPROCS|MEMLIMIT|TRACEBACK)|_?CONTAINERS_\w+|CONTAINER_(?:HOST|CONNECTION|SSHKEY|TLS_\w+)|PODMAN_(?:CONNECTIONS_CONF|USERNS|\w+_PROVIDER)|DOCKER_(?:HOST|CONTEXT|CONFIG|API_VERSION|TLS|TLS_VERIFY|CERT_PATH|DEFAULT_PLATFORM|CONTENT_TRUST\w*|CLI_\w+|BUILDKIT))$/i;

const socketInside = "/run/pincer/egress.sock";
const nodeInside = "/run/pincer/node";

function bridged(call: ProgramCall, { network }: Enclosure): ProgramCall {
  if (network.type === "none") return call;
  const { file, args } = call;
  return {
    ...call,
    file: nodeInside,
    args: bridgeArguments({ socket: socketInside, port: 3128, file, args }),
  };
}

function mount(from: string, to: string, access: "writable" | "readable"): string[] {
  const place = `type=bind,source=${checkedPath(from)},destination=${checkedPath(to)}`;
  return ["--mount", access === "readable" ? `${place},readonly` : place];
}

/** A mount is one text with commas in it: a path with one would add fields to it. */
function checkedPath(path: string): string {
  const readsAsMore = [...path].some(
    (letter) => ',:"'.includes(letter) || letter < " " || letter === "\u007f",
  );
  if (!readsAsMore) return path;
  const parameters = { path: JSON.stringify(path) };
  throw failure("tool/failed", "walls.container-path", parameters, { hint: "walls.container-path.next" });
}

function checkedName(name: string): string {
  if (!isPlainName(name)) throw failure("tool/failed", "walls.bad-name", { name: JSON.stringify(name) });
  return `pincer-${name}`;
}
