import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openRecovery } from "./recovery.ts";

function openRecord() {
  const directory = mkdtempSync(join(tmpdir(), "pincer-recovery-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const file = join(directory, "recovery.json");
  return { file, record: openRecovery(file) };
}
const begun = { at: "2026-01-01T00:00:00.000Z", changes: 0, rows: {} };

it.each(["{}", "7", "null", "[]", '{"lost":', "", '{"lost":"nothing","rows":3}'])(
  "a file that says %j is a loss that the owner has to confirm, and can",
  (text) => {
    const { file, record } = openRecord();
    writeFileSync(file, text);
    expect(record.read()).toEqual({
      at: "",
      lost: "database",
      changes: 0,
      rows: {},
      isToHold: false,
      isToComplete: false,
      isInDoubt: true,
    });
    record.begin({ ...begun, lost: "changes", rows: { standing_rules: 2 } });
    expect(record.read()).toMatchObject({ lost: "database", rows: { standing_rules: 2 } });
    record.confirm();
    expect(record.read()).toBeUndefined();
  },
);

it("keeps the worst of what was noticed, in whatever order", () => {
  const { record } = openRecord();
  record.begin({ ...begun, lost: "log", isToHold: true });
  record.begin({ ...begun, lost: "database", isInDoubt: true });
  record.begin({ ...begun, lost: "changes", changes: 3 });
  expect(record.read()).toMatchObject({ lost: "database", changes: 3, isToHold: true, isInDoubt: true });
});
