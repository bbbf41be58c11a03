/** No engine is needed: what the files say is what it would do. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { parse } from "yaml";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (file: string) => readFileSync(join(root, file), "utf8");

interface Mount {
  type: string;
  source: string;
  target: string;
  read_only?: boolean;
}

interface Service extends Record<string, unknown> {
  volumes: Mount[];
  user: string;
  command: string[];
  environment: Record<string, string>;
  ports?: string[];
  profiles?: string[];
}

interface Compose {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
}

const compose = parse(read("deploy/compose.yaml"), { merge: true }) as Compose;
const services = Object.values(compose.services);

it("SAFE-08 DEP-03 mounts the config read-only and a named volume as the workspace, in every service", () => {
  for (const { volumes } of services) {
    const config = volumes.find(({ target }) => target.endsWith("/.pincer/config.json5"));
    expect(config).toMatchObject({ type: "bind", source: "./config.json5", read_only: true });
    const workspace = volumes.find(({ target }) => target.endsWith("/.pincer/workspace"));
    expect(workspace).toMatchObject({ type: "volume", source: "workspace" });
    expect(Object.keys(compose.volumes)).toEqual(
      expect.arrayContaining(volumes.filter(isVolume).map(({ source }) => source)),
    );
  }
});

const isVolume = ({ type }: Mount) => type === "volume";

it("DEP-03 has the gateway and an agent for single commands, of one image", () => {
  expect(Object.keys(compose.services)).toEqual(["gateway", "agent"]);
  const { gateway, agent } = compose.services;
  expect(gateway).toMatchObject({ command: ["gateway", "run"], restart: "unless-stopped" });
  // Not started with the gateway: only when somebody has something to say.
  expect(agent).toMatchObject({ profiles: ["agent"], command: ["chat"], healthcheck: { disable: true } });
  expect(agent?.["image"]).toBe(gateway?.["image"]);
});

it("SAFE-08 runs as nobody in particular, with a root that cannot be written and no rights", () => {
  for (const service of services) {
    expect(service.user).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
      init: true,
    });
  }
});

it("mounts no socket of the engine, shares nothing with the machine and asks for no rights", () => {
  for (const { volumes, ...service } of services) {
    expect(volumes.filter(({ source }) => /sock|^\//.test(source))).toEqual([]);
    const asked = Object.keys(service);
    const never = ["privileged", "network_mode", "pid", "ipc", "cap_add", "devices", "userns_mode", "uts"];
    expect(asked.filter((key) => never.includes(key))).toEqual([]);
  }
});

it("DEP-01 is reachable from this machine alone, and at the port that the gateway listens on", () => {
  // Another port inside would not be the name in the browser's address bar, which the gateway refuses.
  const port = "${PINCER_HOST_PORT:-18650}";
  expect(services.flatMap(({ ports = [] }) => ports)).toEqual([`127.0.0.1:${port}:${port}`]);
  expect(compose.services["gateway"]?.environment).toMatchObject({
    PINCER_PORT: port,
    PINCER_BIND: "lan",
  });
});

it("takes secrets from the environment of the user who starts it, and has none written down", () => {
  const values = services.flatMap(({ environment }) => Object.entries(environment));
  const secret = values.filter(([name]) => /TOKEN|KEY|PASSWORD|SECRET/.test(name));
  expect(secret.length).toBeGreaterThan(0);
  expect(secret.filter(([name, value]) => value !== `\${${name}:-}`)).toEqual([]);
});

interface Step {
  name: string;
  words: string;
}

/** The instructions in order, lines that go on joined. */
const steps: Step[] = read("Dockerfile")
  .replaceAll(/^\s*#.*\n/gm, "")
  .replaceAll(/\\\n/g, " ")
  .split("\n")
  .filter(Boolean)
  .map((line) => ({ name: line.split(" ", 1)[0] ?? "", words: line.slice(line.indexOf(" ") + 1).trim() }));

const stage = steps.slice(steps.findLastIndex(({ name }) => name === "FROM"));
const last = (name: string) => stage.findLast((step) => step.name === name)?.words ?? "";
const listOf = (name: string) => JSON.parse(last(name)) as string[];

it("SAFE-08 ends as a user without rights, under an init, with the file that the build makes", () => {
  expect(last("USER")).toBe("1000:0");
  expect(listOf("ENTRYPOINT")).toEqual(["tini", "--", "node", "/app/bin/pincer.mjs"]);
  expect(listOf("CMD")).toEqual(["gateway", "run"]);
  expect(last("HEALTHCHECK")).toContain('CMD ["node", "/app/bin/pincer.mjs", "gateway", "status"]');
  expect(existsSync(join(root, "bin/pincer.mjs"))).toBe(true);
  expect(stage.map(({ words }) => words)).toContain("--from=build /source/dist ./dist");
});

it("can be written by any uid of group 0, and nowhere else", () => {
  const made = stage.filter(({ name, words }) => name === "RUN" && words.includes("chmod"));
  expect(made).toHaveLength(1);
  expect(made[0]?.words).toMatch(/chown -R 1000:0 \/home\/pincer +&& chmod -R 770 \/home\/pincer$/);
  expect(last("ENV")).toContain("PINCER_HOME=/home/pincer/.pincer");
  expect(JSON.parse(last("VOLUME"))).toEqual(["/home/pincer/.pincer"]);
});

it("builds the product before the documentation comes in, so that a changed word builds only that", () => {
  const words = steps.map((step) => step.words);
  const at = [
    "node scripts/build-if-needed.ts --without-docs",
    "docs ./docs",
    "node scripts/docs/build-docs.ts",
  ];
  const places = at.map((each) => words.indexOf(each));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
});

it("names every image by its version and fetches nothing but packages", () => {
  const images = steps.filter(({ name }) => name === "ARG").map(({ words }) => words);
  expect(images).toEqual(["NODE_IMAGE=node:24-slim"]);
  const from = steps.filter(({ name }) => name === "FROM").map(({ words }) => words);
  expect(from).toEqual(["${NODE_IMAGE} AS build", "${NODE_IMAGE}"]);
  expect(steps.filter(({ name, words }) => name === "ADD" || /curl|wget|https?:/.test(words))).toEqual([]);
});

const patterns = read(".dockerignore")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"));

/** As Docker reads it: the last pattern that holds for the path or for a folder above it decides. */
function isLeftOut(path: string): boolean {
  const paths = path.split("/").map((_, index, parts) => parts.slice(0, index + 1).join("/"));
  let isOut = false;
  for (const pattern of patterns) {
    const text = pattern.replace(/^!/, "");
    if (paths.some((each) => matches(text, each))) isOut = !pattern.startsWith("!");
  }
  return isOut;
}

function matches(pattern: string, path: string): boolean {
  const source = pattern
    .replaceAll(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("**/", "\u0000")
    .replaceAll("*", "[^/]*")
    .replaceAll("\u0000", "(.*/)?");
  return new RegExp(`^${source}$`).test(path);
}

it("copies only what is there, and leaves none of it out", () => {
  const copied = steps
    .filter(({ name, words }) => name === "COPY" && !words.startsWith("--from"))
    .flatMap(({ words }) => words.split(" ").slice(0, -1));
  expect(copied).toContain("src");
  expect(copied.filter((path) => !existsSync(join(root, path)) || isLeftOut(path))).toEqual([]);
  const built = globSync("{src,packages,channels,scripts,bin}/**/*.{ts,mjs,json}", { cwd: root }).filter(
    (path) => !path.includes("node_modules") && !path.endsWith(".test.ts"),
  );
  expect(built.length).toBeGreaterThan(500);
  expect(built.filter(isLeftOut)).toEqual([]);
});

it.each([
  ".env",
  ".git/config",
  "config.json5",
  "deploy/config.json5",
  "deploy/.env",
  "src/.env.local",
  "home/secrets.json",
  "packages/sdk/node_modules/x/index.js",
  "scripts/server.key",
  "node_modules/x/index.js",
  "dist/pincer.mjs",
])("takes %s into no image", (path) => {
  expect(isLeftOut(path)).toBe(true);
});

it("has every package in it that is not bundled", () => {
  const { dependencies } = JSON.parse(read("package.json")) as { dependencies: Record<string, string> };
  const copied = stage.filter(({ name }) => name === "COPY").map(({ words }) => words);
  const scopes = Object.keys(dependencies).map((name) => name.split("/")[0]);
  const expected = scopes.map(
    (scope) => `--from=build /source/node_modules/${scope} ./node_modules/${scope}`,
  );
  expect(copied).toEqual(expect.arrayContaining(expected));
});

it("writes no secret into a layer", () => {
  expect(
    steps.filter(({ name, words }) => name === "ARG" && /TOKEN|KEY|SECRET|PASSWORD/i.test(words)),
  ).toEqual([]);
  expect(last("ENV")).not.toMatch(/TOKEN|KEY|SECRET|PASSWORD/);
});
