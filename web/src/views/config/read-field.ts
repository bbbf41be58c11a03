/** Parses the input of a field into a config value. Pure. */
import type { FormField } from "./form-model.ts";

export type Read = { ok: true; value: unknown } | { ok: false; key: "config.bad.number" | "config.bad.json" };

/** Undefined as a value: the field was emptied, so nothing is to be said about it. */
export function readField(field: FormField, text: string): Read {
  const trimmed = text.trim();
  switch (field.kind) {
    case "number": {
      if (trimmed === "") return { ok: true, value: undefined };
      const value = Number(trimmed);
      const fits = Number.isFinite(value) && (!field.isWhole || Number.isInteger(value));
      return fits ? { ok: true, value } : { ok: false, key: "config.bad.number" };
    }
    case "text":
      if (trimmed === "") return { ok: true, value: undefined };
      return {
        ok: true,
        value: field.isNumeric && isWholeNumber(trimmed) ? Number(trimmed) : field.isSecret ? trimmed : text,
      };
    case "list": {
      const lines = text
        .split("\n")
        .map((line) => line.trim())
        .filter(Boolean);
      if (field.item === "text") return { ok: true, value: lines };
      const values = lines.map((line) => (isWholeNumber(line) ? Number(line) : line));
      const isBad = field.item === "number" && values.some((value) => typeof value !== "number");
      return isBad ? { ok: false, key: "config.bad.number" } : { ok: true, value: values };
    }
    case "json":
    case "map":
    case "records":
    case "section":
      if (trimmed === "") return { ok: true, value: undefined };
      try {
        return { ok: true, value: JSON.parse(trimmed) as unknown };
      } catch {
        return { ok: false, key: "config.bad.json" };
      }
    default:
      return { ok: true, value: text };
  }
}

/** Ids of chats and people are numbers where they look like one, as long as nothing of them is lost. */
const isWholeNumber = (text: string): boolean => /^-?\d{1,15}$/.test(text);

/** What a field shows of its value. */
export function showField(field: FormField, value: unknown): string {
  if (value === undefined) return "";
  if (field.kind === "list") return Array.isArray(value) ? value.map(String).join("\n") : String(value);
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : JSON.stringify(value, null, 2);
}
