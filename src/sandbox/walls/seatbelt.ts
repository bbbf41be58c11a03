/**
 * macOS: `sandbox-exec` with a profile that denies and then names what is allowed. The profile is made of our own words alone: paths are handed over
 * beside it as parameters, so that no name of a file is ever read as a rule.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Say } from "../../infra/texts.ts";
import { bridgeArguments } from "../egress/bridge.ts";
import { isInside } from "../is-inside.ts";
import { checkEnclosure, checkNotMovable } from "./check-enclosure.ts";
import { handedOn } from "./handed-on.ts";
import type { Machine } from "./machine.ts";
import { nodePaths } from "./system-paths.ts";
import type { Wall } from "./wall.ts";

export function createSeatbelt({ machine, say, file }: { machine: Machine; say: Say; file: string }): Wall {
  return {
    kind: "seatbelt",
    description: "Seatbelt (sandbox-exec)",
    gaps: [
      say("walls.gap.seatbelt-processes"),
      say("walls.gap.seatbelt-loopback"),
      say("walls.gap.seatbelt-deprecated"),
    ],
    enclose(call, enclosure, name) {
      checkEnclosure(call, enclosure);
      checkNotMovable(enclosure);
      const { workdir, readable, closed, network, readOnly = [] } = enclosure;
      const port = portFor(name);
      const shown = [...nodePaths(machine.node), ...readable];
      const around = closed.filter((path) => !isInside(path, workdir));
      const within = closed.filter((path) => isInside(path, workdir));
      const parameters = {
        WORKDIR: workdir,
        NODE: machine.node,
        ...numbered("READABLE", shown),
        ...numbered("AROUND", around),
        ...numbered("WITHIN", within),
        ...numbered(
          "KEPT",
          readOnly.map((name) => join(workdir, name)),
        ),
        ...(network.type === "broker" ? { BROKER: network.socket } : {}),
      };
      const profile = [
        base,
        ...shown.map((_, index) => `(allow file-read* (subpath (param "READABLE_${index}")))`),
        // Later rules win: what is closed, then the workdir that may lie in it, then what is closed inside the workdir.
        ...around.map((_, index) => `(deny file-read* file-write* (subpath (param "AROUND_${index}")))`),
        '(allow file-read* process-exec (literal (param "NODE")))',
        '(allow file-read* file-write* process-exec (subpath (param "WORKDIR")))',
        "(deny file-write-setugid)",
        ...readOnly.map((_, index) => `(deny file-write* (subpath (param "KEPT_${index}")))`),
        ...within.map((_, index) => `(deny file-read* file-write* (subpath (param "WITHIN_${index}")))`),
        ...(network.type === "broker" ? brokerRules(port) : []),
      ].join("\n");
      const bridge = { port, file: call.file, args: call.args };
      const inner =
        network.type === "broker"
          ? [machine.node, ...bridgeArguments({ ...bridge, socket: network.socket })]
          : [call.file, ...call.args];
      const defines = Object.entries(parameters).flatMap(([key, path]) => ["-D", `${key}=${path}`]);
      const words = [...defines, "-p", profile, "--", ...inner];
      return { file, args: words, cwd: call.cwd, environment: handedOn(call.environment) };
    },
  };
}

/** Where what Homebrew and people install keeps its settings, keys and data, beside its programs. */
const installed = ["/usr/local", "/opt/homebrew"].flatMap((place) =>
  ["etc", "var", "src"].map((name) => join(place, name)),
);

const certificates = ["/usr/local", "/opt/homebrew"].flatMap((place) =>
  ["ca-certificates", "openssl@3/cert.pem", "openssl@3/certs", "openssl@3/openssl.cnf"].map((name) =>
    join(place, "etc", name),
  ),
);

const base = `(version 1)
(deny default)
(allow process-fork)
(allow process-info* (target same-sandbox))
(allow signal (target same-sandbox))
(allow sysctl-read)
(allow file-ioctl file-read* file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty") (literal "/dev/ptmx") (regex #"^/dev/ttys[0-9]+$"))
(allow file-read* (literal "/dev/random") (literal "/dev/urandom") (subpath "/dev/fd"))
(allow pseudo-tty)
(allow file-read-metadata)
(allow file-read* process-exec (subpath "/usr") (subpath "/bin") (subpath "/sbin") (subpath "/opt/homebrew") (subpath "/System") (subpath "/Library/Developer") (subpath "/Library/Apple"))
(allow file-read* (literal "/") (subpath "/private/etc/ssl") (literal "/private/etc/passwd") (literal "/private/etc/group") (literal "/private/etc/hosts") (literal "/private/etc/localtime") (subpath "/private/var/db/timezone") (subpath "/private/var/db/dyld"))
(deny file-read* (subpath "/private/etc/ssl/private"))
${installed.map((name) => `(deny file-read* (subpath "${name}"))`).join("\n")}
(allow file-read* ${certificates.map((name) => `(subpath "${name}")`).join(" ")})
(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo") (global-name "com.apple.system.notification_center"))
(allow ipc-posix-sem)`;

/** The machine's loopback is everybody's: each program has a port of its own on it, and no other. */
const brokerRules = (port: number): string[] => [
  '(allow network-outbound (remote unix-socket (path-literal (param "BROKER"))))',
  `(allow network-bind network-inbound (local ip "localhost:${port}"))`,
  `(allow network-outbound (remote ip "localhost:${port}"))`,
];

const numbered = (word: string, paths: readonly string[]): Record<string, string> =>
  Object.fromEntries(paths.map((path, index) => [`${word}_${index}`, path]));

const portFor = (name: string): number =>
  20_000 + (createHash("sha256").update(name).digest().readUInt16BE(0) % 20_000);
