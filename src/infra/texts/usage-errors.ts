/** What is wrong with a command line, before any command has begun. */
import type { TextTable } from "./table.ts";

export const usageErrorTexts = {
  "wrong-usage.unknown-command": { en: "error: unknown command '{name}'", zh: "错误：未知命令 '{name}'" },
  "wrong-usage.unknown-option": { en: "error: unknown option '{name}'", zh: "错误：未知选项 '{name}'" },
  "wrong-usage.missing-argument": {
    en: "error: missing required argument '{name}'",
    zh: "错误：缺少参数 '{name}'",
  },
  "wrong-usage.missing-value": {
    en: "error: option '{name}' argument missing",
    zh: "错误：选项 '{name}' 缺少值",
  },
  "wrong-usage.missing-option": {
    en: "error: required option '{name}' not specified",
    zh: "错误：缺少必需的选项 '{name}'",
  },
  "wrong-usage.not-a-choice": {
    en: "error: option '{name}' argument '{value}' is invalid. Allowed choices are {choices}.",
    zh: "错误：'{value}' 不适用于 '{name}'。可选值：{choices}。",
  },
  "wrong-usage.not-a-value": {
    en: "error: option '{name}' argument '{value}' is invalid. {reason}",
    zh: "错误：'{value}' 不适用于 '{name}'。{reason}",
  },
  "wrong-usage.too-many": {
    en: "error: too many arguments: {expected} expected, {received} given",
    zh: "错误：参数太多：应为 {expected} 个，给出了 {received} 个",
  },
  "wrong-usage.did-you-mean": { en: "(Did you mean {names}?)", zh: "（是否指 {names}？）" },
} satisfies TextTable;
