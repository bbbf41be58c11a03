import type { TextTable } from "./table.ts";

/** What a dry run would have done, said by every surface; `packages/sdk/src/dry-run.ts` puts the parts together. */
export const dryRunTexts = {
  "dry-run.head": { en: "Dry run: nothing of this was done.", zh: "试运行：以下均未执行。" },
  "dry-run.none": {
    en: "Dry run: the turn has no effect on anybody else.",
    zh: "试运行：这一轮对外没有任何影响。",
  },
  "dry-run.would.run": { en: "would do: {tool}", zh: "将执行：{tool}" },
  "dry-run.would.ask": { en: "would ask: {tool} – {reason}", zh: "将询问：{tool} – {reason}" },
  "dry-run.would.deny": { en: "would be denied: {tool} – {reason}", zh: "将被拒绝：{tool} – {reason}" },
  "dry-run.command": {
    en: "A command has no dry run. Nothing was done.",
    zh: "命令不能试运行。未执行任何操作。",
  },
  "dry-run.changes": {
    en: "would change files: {files} (+{added} −{removed})",
    zh: "将更改 {files} 个文件（+{added} −{removed}）",
  },
} as const satisfies TextTable;
