import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { createTypedHere } from "./typed-here.ts";

let root: string;
let script: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "pincer-typed-"));
  for (const part of ["bin", "src/cli", "node_modules/.bin", "elsewhere"])
    mkdirSync(join(root, part), { recursive: true });
  script = join(root, "bin", "pincer.mjs");
  writeFileSync(script, "");
  symlinkSync(script, join(root, "node_modules", ".bin", "pincer"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
});

const hint =
  "Run `pincer gateway run --port 1` or `pincer gateway run`, then pincer chat. Pincer waits in /opt/pincer here.";

it("names npx in a checkout that nobody linked, also for what npm runs itself", () => {
  const typed = createTypedHere({ environment: { PATH: join(root, "node_modules", ".bin") }, script });
  expect(typed(hint)).toBe(
    "Run `npx pincer gateway run --port 1` or `npx pincer gateway run`, then npx pincer chat. Pincer waits in /opt/pincer here.",
  );
});

it("leaves alone what names npx already", () => {
  expect(createTypedHere({ environment: { PATH: "" }, script })("Type `npx pincer chat`.")).toBe(
    "Type `npx pincer chat`.",
  );
});

it("names npm start where npm start is what was typed", () => {
  const environment = { PATH: "", npm_lifecycle_event: "start" };
  expect(createTypedHere({ environment, script })(hint)).toBe(
    "Run `npm start -- --port 1` or `npm start`, then npx pincer chat. Pincer waits in /opt/pincer here.",
  );
});

it("leaves the texts alone where pincer is installed, and outside of a checkout", () => {
  writeFileSync(join(root, "elsewhere", "pincer"), "");
  expect(createTypedHere({ environment: { PATH: join(root, "elsewhere") }, script })(hint)).toBe(hint);
  rmSync(join(root, "src"), { recursive: true });
  expect(createTypedHere({ environment: { PATH: "" }, script })(hint)).toBe(hint);
  expect(createTypedHere({ environment: {}, script: undefined })(hint)).toBe(hint);
  expect(createTypedHere({ environment: {}, script: join(root, "gone") })(hint)).toBe(hint);
});
