/** A small file system whose clock is coarse: what changes twice within one tick looks the same afterwards. */
import { createHandClock, type HandClock } from "@pincer/sdk/testing";
import type { LookDisk } from "../looks.ts";

type Node = { ino: number; changed: number } & (
  | { kind: "directory"; names: Map<string, Node> }
  | { kind: "file" }
  | { kind: "link"; to: string }
);

export interface CoarseDisk {
  clock: HandClock;
  root: string;
  /** As a stat sees it, which goes through links; counted. */
  stamp(path: string): string;
  disk: LookDisk;
  /** Which paths were stamped since it was last asked. */
  stamped(): string[];
  write(path: string): void;
  makeDirectory(path: string): void;
  link(path: string, to: string): void;
  remove(path: string): void;
  move(from: string, to: string): void;
}

export function createCoarseDisk({ tickMs = 2000, keepsTimes = true } = {}): CoarseDisk {
  const clock = createHandClock();
  let inos = 0;
  let paths: string[] = [];
  const base = () => ({ ino: ++inos, changed: tick() });
  const tick = () => Math.floor(clock.now() / tickMs);
  const newDirectory = (): Node => ({ ...base(), kind: "directory", names: new Map() });
  const root = newDirectory();

  const partsOf = (path: string) => path.split("/").filter((name) => name !== "" && name !== ".");

  function find(path: string, follow: boolean, depth = 0): Node | undefined {
    let node: Node | undefined = root;
    const parts = partsOf(path);
    for (const [index, name] of parts.entries()) {
      node = node?.kind === "directory" ? node.names.get(name) : undefined;
      const isLast = index === parts.length - 1;
      if (node?.kind === "link" && (follow || !isLast))
        node = depth < 5 ? find(node.to, true, depth + 1) : undefined;
    }
    return node;
  }

  /** Only what has a directory to be in, and does not have its name taken, is put there. */
  function put(path: string, make: () => Node): boolean {
    const parts = partsOf(path);
    const name = parts.pop();
    const place = find(parts.join("/"), true);
    if (name === undefined || place?.kind !== "directory" || place.names.has(name)) return false;
    place.names.set(name, make());
    place.changed = tick();
    return true;
  }

  function take(path: string): Node | undefined {
    const parts = partsOf(path);
    const name = parts.pop();
    const place = find(parts.join("/"), true);
    const node = place?.kind === "directory" && name !== undefined ? place.names.get(name) : undefined;
    if (place?.kind !== "directory" || name === undefined || !node) return undefined;
    place.names.delete(name);
    place.changed = tick();
    return node;
  }

  return {
    clock,
    root: "/",
    stamp(path) {
      paths.push(path);
      const node = find(path, true);
      return node ? `${node.ino}:${node.changed}` : "";
    },
    disk: {
      kindOf(path) {
        const node = find(path, false);
        if (!node) return "missing";
        return node.kind === "directory" ? "directory" : "other";
      },
      keepsTimes: () => keepsTimes,
    },
    stamped() {
      const told = paths;
      paths = [];
      return told;
    },
    write(path) {
      const node = find(path, true);
      if (node) node.changed = tick();
      else put(path, () => ({ ...base(), kind: "file" }));
    },
    makeDirectory: (path) => void put(path, newDirectory),
    link: (path, to) => void put(path, () => ({ ...base(), kind: "link", to })),
    remove: (path) => void take(path),
    move(from, to) {
      if (`${to}/`.startsWith(`${from}/`)) return;
      const node = take(from);
      if (node && !put(to, () => Object.assign(node, { changed: tick() }))) put(from, () => node);
    },
  };
}
