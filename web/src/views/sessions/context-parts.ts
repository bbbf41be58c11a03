/** The next request as a bar: each part with its share of the model's window. */
import type { ContextView } from "@pincer/sdk";

type Part = ContextView["parts"][number];

export interface ContextSlice {
  kind: Part["kind"] | "free";
  name: string;
  tokens: number;
  /** In percent of the bar, which is as long as the model's window, or as the request where that is longer. */
  from: number;
  width: number;
}

export interface ContextMark {
  name: "flushAt" | "compactAt";
  tokens: number;
  /** In percent of the bar. */
  at: number;
}

/** Slices in the order of the request, then what is free; marks where something happens by itself. */
export function layContext({ parts, total, window }: Pick<ContextView, "parts" | "total" | "window">): {
  slices: ContextSlice[];
  marks: ContextMark[];
  used: number;
} {
  const whole = Math.max(window.contextWindow, total, 1);
  const share = (tokens: number) => (tokens / whole) * 100;
  let before = 0;
  const slices = parts
    .filter(({ tokens }) => tokens > 0)
    .map(({ kind, name, tokens }): ContextSlice => {
      const slice = { kind, name, tokens, from: share(before), width: share(tokens) };
      before += tokens;
      return slice;
    });
  const free = whole - before;
  if (free > 0)
    slices.push({ kind: "free", name: "", tokens: free, from: share(before), width: share(free) });
  const marks = (["flushAt", "compactAt"] as const).flatMap((name): ContextMark[] => {
    const tokens = window[name];
    return tokens === null || tokens > whole ? [] : [{ name, tokens, at: share(tokens) }];
  });
  return { slices, marks, used: share(before) };
}
