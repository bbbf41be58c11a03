import * as fc from "fast-check";
import { expect, it } from "vitest";
import { unifiedDiff } from "./unified-diff.ts";

it("shows what was added and removed, with a few lines around it", async () => {
  const before = "a\nb\nc\nd\ne\nf\ng\nh\n";
  expect(await unifiedDiff({ path: "x.md", before, after: before.replace("f\n", "F\nnew\n") })).toEqual({
    text: "--- x.md\n+++ x.md\n@@ -3,6 +3,7 @@\n c\n d\n e\n-f\n+F\n+new\n g\n h",
    added: 2,
    removed: 1,
  });
});

it("says where there was nothing before, or is nothing after", async () => {
  expect((await unifiedDiff({ path: "x", before: undefined, after: "a\n" })).text).toBe(
    "--- /dev/null\n+++ x\n@@ -0,0 +1,1 @@\n+a",
  );
  expect((await unifiedDiff({ path: "x", before: "a", after: undefined })).text).toBe(
    "--- x\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a\n\\ No newline at end of file",
  );
});

it("is done with soon, however different the texts are", async () => {
  const text = (from: number) => Array.from({ length: 20_000 }, (_, line) => `${from + line}`).join("\n");
  const { added, removed } = await unifiedDiff({ path: "x", before: text(0), after: text(1_000_000) });
  expect({ added, removed }).toEqual({ added: 20_000, removed: 20_000 });
});

it("leaves out no line that is new, whatever the texts", async () => {
  const texts = fc.array(fc.constantFrom("a", "b", "+x", "-y", "--- z", "@@ -1 +1 @@", ""), {
    maxLength: 12,
  });
  await fc.assert(
    fc.asyncProperty(texts, texts, async (before, after) => {
      const { text } = await unifiedDiff({ path: "p", before: before.join("\n"), after: after.join("\n") });
      const lines = text.split("\n").slice(2);
      for (const line of new Set(after.filter((each) => each !== "" && !before.includes(each))))
        expect(lines).toContain(`+${line}`);
    }),
  );
});
