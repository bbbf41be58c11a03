/**
 * `--memory=on` and `--memory=off` for switches that are otherwise given as `--memory` and `--no-memory`.
 * Only the `=` form carries a value, so that `ask --memory hello` still asks "hello".
 */
import { failure } from "../infra/failure.ts";

const names = ["memory", "with-tools"];
const on = ["on", "true", "yes", "1"];
const off = ["off", "false", "no", "0"];

/** Throws PincerError `usage/bad-argument` for any other value. What follows `--` is left alone. */
export function expandSwitches(args: readonly string[]): string[] {
  const end = args.indexOf("--");
  return args.map((arg, index) => {
    const match = /^--([a-z-]+)=(.*)$/s.exec(arg);
    const [, name = "", value = ""] = match ?? [];
    if (!names.includes(name) || (end >= 0 && index > end)) return arg;
    if (on.includes(value.toLowerCase())) return `--${name}`;
    if (off.includes(value.toLowerCase())) return `--no-${name}`;
    throw failure("usage/bad-argument", "failure.switch", { name, value });
  });
}
