import type { Why } from "./prompt.ts";

export const why = (key: Why["key"], parameters: Why["parameters"] = {}): Why => ({ key, parameters });
