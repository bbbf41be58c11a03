import { isDeepStrictEqual } from "node:util";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { createSay } from "../../infra/texts.ts";
import { createContainer, isImageName, type ContainerEngine } from "./container.ts";
import { fakeMachine } from "./testing/fake-machine.ts";
import type { Enclosure, ProgramCall } from "./wall.ts";

const machine = fakeMachine({ programs: { docker: 0 } });
const engine: ContainerEngine = {
  kind: "docker",
  file: "/usr/bin/docker",
  environment: { PATH: "/usr/bin" },
  version: "docker 28",
};
const wall = createContainer({
  machine,
  say: createSay("en"),
  engine,
  image: "debian:12-slim",
  memoryMb: 512,
  pids: 64,
});
const call: ProgramCall = { file: "sh", args: ["-c", "ls"], cwd: "/srv/work", environment: { LANG: "C" } };
const enclosure: Enclosure = { workdir: "/srv/work", readable: [], closed: [], network: { type: "none" } };

/** Up to the image: all that the engine itself reads. */
const options = (args: readonly string[]) => args.slice(0, args.indexOf("debian:12-slim"));

it("SAFE-04 shows what steers the assistant read-only, over the workdir", () => {
  const { args } = wall.enclose(call, { ...enclosure, readOnly: ["AGENTS.md"] }, "p_1");
  const kept = args.indexOf("type=bind,source=/srv/work/AGENTS.md,destination=/srv/work/AGENTS.md,readonly");
  expect(kept).toBeGreaterThan(args.indexOf("type=bind,source=/srv/work,destination=/srv/work"));
});

it("SAFE-03 maps the workdir, the environment and the network of a container of its own", () => {
  const { file, args, environment } = wall.enclose(call, enclosure, "p_1");
  expect({ file, environment }).toEqual({
    file: "/usr/bin/docker",
    environment: { PATH: "/usr/bin", LANG: "C" },
  });
  expect(args).toEqual([
    "run",
    "--rm",
    "--init",
    "--pull=never",
    "--interactive",
    "--tty",
    "--name=pincer-p_1",
    "--hostname=pincer",
    "--network=none",
    "--read-only",
    "--cap-drop=ALL",
    "--security-opt=no-new-privileges",
    "--pids-limit=64",
    "--memory=512m",
    "--memory-swap=512m",
    "--ulimit=core=0:0",
    "--user=1000:1000",
    "--tmpfs=/tmp:rw,nosuid,nodev,size=512m",
    "--tmpfs=/run:rw,nosuid,nodev,size=16m",
    "--mount",
    "type=bind,source=/srv/work,destination=/srv/work",
    "--env=LANG",
    "--workdir=/srv/work",
    "--entrypoint=sh",
    "debian:12-slim",
    "-c",
    "ls",
  ]);
});

it("SAFE-03 has no network but the broker's socket, where hosts are allowed", () => {
  const network = { type: "broker", socket: "/srv/home/egress.sock", hosts: ["example.org"] } as const;
  const { args } = wall.enclose(call, { ...enclosure, network }, "p_1");
  expect(options(args).filter((word) => word.startsWith("--network"))).toEqual(["--network=none"]);
  expect(args).toContain(
    "type=bind,source=/srv/home/egress.sock,destination=/run/pincer/egress.sock,readonly",
  );
  expect(args.slice(-3)).toEqual(["sh", "-c", "ls"]);
});

it("SAFE-03 hides what is closed inside what is shown, and shows nothing readable that is closed", () => {
  const { args } = wall.enclose(
    call,
    {
      ...enclosure,
      readable: ["/srv/shown", "/srv/home/logs"],
      closed: ["/srv/shown/home", "/srv/home", "/srv/work/.pincer"],
    },
    "p_1",
  );
  expect(args).toContain("type=bind,source=/srv/shown,destination=/srv/shown,readonly");
  expect(args).toContain("type=tmpfs,destination=/srv/shown/home");
  expect(args).toContain("type=tmpfs,destination=/srv/work/.pincer");
  expect(args.join(" ")).not.toContain("/srv/home/logs");
});

it("SAFE-03 no text ever becomes an option of the engine", () => {
  const hostile = fc.oneof(
    fc.string(),
    fc.constantFrom(
      "--privileged",
      "-v/:/host",
      "--network=host",
      "--network=container:gateway",
      "--",
      "\n--pid=host",
      "debian:12-slim",
    ),
  );
  const environment = { LANG: "C", HOME: "/home/me" };
  const plain = options(wall.enclose({ ...call, environment }, enclosure, "p_1").args);
  fc.assert(
    fc.property(fc.array(hostile), hostile, hostile, (args, file, value) => {
      fc.pre(file !== "" && ![...args, file, value].some((text) => text.includes("\0")));
      const words = wall.enclose(
        { ...call, file, args, environment: { LANG: "C", HOME: value } },
        enclosure,
        "p_1",
      ).args;
      const known = plain.map((word) =>
        word === "--env=HOME=/home/me"
          ? `--env=HOME=${value}`
          : word === "--entrypoint=sh"
            ? `--entrypoint=${file}`
            : word,
      );
      return isDeepStrictEqual(words, [...known, "debian:12-slim", ...args]);
    }),
  );
});

it.each(["/srv/a,readonly=false", "/srv/a:/b", '/srv/"a', "/srv/a\nb"])(
  "SAFE-03 refuses the path %j clearly",
  (path) => {
    expect(() => wall.enclose({ ...call, cwd: path }, { ...enclosure, workdir: path }, "p_1")).toThrow(
      /cannot mount the path/,
    );
  },
);

it.each(["", "--privileged", "a b", "../x", "a/b"])("refuses the name %j", (name) => {
  expect(() => wall.enclose(call, enclosure, name)).toThrow(/not a valid name/);
});

it("SAFE-03 shows no value of the environment among its words", () => {
  const secrets = { SOME_TOKEN: "told", DOCKER_PASSWORD: "told", CONTAINER_PASSPHRASE: "told" };
  const { args, environment } = wall.enclose({ ...call, environment: secrets }, enclosure, "p_1");
  expect(args.filter((word) => word.startsWith("--env"))).toEqual(
    Object.keys(secrets).map((name) => `--env=${name}`),
  );
  expect(args.join(" ")).not.toContain("told");
  expect(environment).toEqual({ PATH: "/usr/bin", ...secrets });
});

it("SAFE-03 never has the engine's client obey what is meant for the program", () => {
  const steering = {
    PATH: "/planted",
    HOME: "/planted",
    DOCKER_HOST: "tcp://planted",
    DOCKER_CONFIG: "/planted",
    CONTAINER_HOST: "tcp://planted",
    CONTAINERS_CONF: "/planted",
    XDG_CONFIG_HOME: "/planted",
    HTTPS_PROXY: "http://planted",
    http_proxy: "http://planted",
    LD_PRELOAD: "/planted",
    GODEBUG: "planted",
  };
  const { args, environment } = wall.enclose({ ...call, environment: steering }, enclosure, "p_1");
  expect(environment).toEqual({ PATH: "/usr/bin" });
  expect(args.filter((word) => word.startsWith("--env"))).toEqual(
    Object.entries(steering).map(([name, value]) => `--env=${name}=${value}`),
  );
});

it("ends a container by its name, and nothing by another word", async () => {
  machine.ran.length = 0;
  await wall.end?.("p_1");
  await wall.end?.("--all");
  expect(machine.ran.map(({ args }) => args)).toEqual([["kill", "pincer-p_1"]]);
});

it.each([
  ["debian:12-slim", true],
  ["docker.io/library/debian:12-slim", true],
  ["localhost:5000/tools@sha256:" + "a".repeat(64), true],
  ["--privileged", false],
  ["-v/:/host", false],
  ["debian 12", false],
  ["", false],
])("knows whether %j is the name of an image", (image, isOne) => {
  expect(isImageName(image)).toBe(isOne);
});
