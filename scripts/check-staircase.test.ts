import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { checkStaircase } from "./check-staircase.ts";

const repository = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");
let root = "";
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A small tree that keeps the rule, with the given files planted in it. */
function plant(files: Record<string, string>): string {
  root = mkdtempSync(join(tmpdir(), "pincer-staircase-"));
  const clean = {
    "tsconfig.json":
      '{ "compilerOptions": { "module": "nodenext", "allowImportingTsExtensions": true, "noEmit": true } }',
    "package.json": '{ "type": "module" }',
    "src/infra/clock.ts": "export interface Clock { now(): number }\nexport const zero = 0;\n",
    "src/storage/store.ts":
      'import type { Clock } from "../infra/clock.ts";\nexport const store = (clock: Clock) => clock.now();\n',
    "src/agent/turn.ts": 'import { store } from "../storage/store.ts";\nexport const turn = store;\n',
  };
  for (const [path, text] of Object.entries({ ...clean, ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  symlinkSync(join(repository, "node_modules"), join(root, "node_modules"));
  return root;
}

describe("the staircase rule", () => {
  it("ARCH-01 ARCH-02 holds in this repository, every file read", () => {
    root = "";
    expect(checkStaircase(repository)).toEqual([]);
    // Thousands of files are read.
  }, 60_000);

  it("passes a tree that keeps it", () => {
    expect(checkStaircase(plant({}))).toEqual([]);
  });

  it.each<[string, Record<string, string>, string]>([
    [
      "a type import upwards",
      { "src/infra/up.ts": 'import type { turn } from "../agent/turn.ts";\nexport type Up = typeof turn;\n' },
      "infra-looks-down-only: src/infra/up.ts → src/agent/turn.ts",
    ],
    [
      "a value import upwards",
      { "src/storage/up.ts": 'import { turn } from "../agent/turn.ts";\nexport const up = turn;\n' },
      "storage-looks-down-only: src/storage/up.ts → src/agent/turn.ts",
    ],
    [
      "a lazy import upwards",
      { "src/storage/up.ts": 'export const up = () => import("../agent/turn.ts");\n' },
      "storage-looks-down-only: src/storage/up.ts → src/agent/turn.ts",
    ],
    [
      "an import sideways",
      {
        "src/tools/a.ts": 'import { b } from "../policy/b.ts";\nexport const a = b;\n',
        "src/policy/b.ts": "export const b = 1;\n",
      },
      "tools-looks-down-only: src/tools/a.ts → src/policy/b.ts",
    ],
    [
      "a front door that does the work itself",
      {
        "src/cli/door.ts": 'import { model } from "../models/model.ts";\nexport const door = model;\n',
        "src/models/model.ts": "export const model = 1;\n",
      },
      "front-doors-do-no-work-themselves: src/cli/door.ts → src/models/model.ts",
    ],
    [
      "a connector that knows the core",
      { "channels/x/index.ts": 'import { zero } from "../../src/infra/clock.ts";\nexport const x = zero;\n' },
      "a-connector-knows-only-the-sdk: channels/x/index.ts → src/infra/clock.ts",
    ],
    [
      "a product that loads its prover",
      {
        "src/app/wire.ts": 'export const wire = () => import("../../packages/prove/src/break.ts");\n',
        "packages/prove/src/break.ts": "export const broken = 1;\n",
      },
      "only-its-command-loads-prove: src/app/wire.ts → packages/prove/src/break.ts",
    ],
    [
      "a cycle",
      {
        "src/infra/one.ts": 'import type { Two } from "./two.ts";\nexport type One = Two | 1;\n',
        "src/infra/two.ts": 'import type { One } from "./one.ts";\nexport type Two = One | 2;\n',
      },
      "no-cycles: src/infra/one.ts → src/infra/two.ts",
    ],
    [
      "a type passed on by a re-export",
      { "src/infra/face.ts": 'export type { Clock } from "./clock.ts";\n' },
      "re-export: src/infra/face.ts",
    ],
    [
      "a folder without a step",
      { "src/attic/box.ts": 'import { zero } from "../infra/clock.ts";\nexport const box = zero;\n' },
      "every-folder-has-its-step: src/attic/box.ts → src/infra/clock.ts",
    ],
  ])("catches %s", (_name, files, problem) => {
    expect(checkStaircase(plant(files))).toContain(problem);
  });
});
