/** The home of a gateway that plays programs, what is said to it, and what it does, in the words of the laws. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Effect } from "../case.ts";
import { usualConfig } from "../usual-world.ts";
import { guestsOf } from "./core-tools.ts";
import { familyId, knownPlaces } from "./law-tools.ts";
import { nameOf } from "./played-planner.ts";
import type { LawWorld, ModelCall, TurnStart } from "./port.ts";

/** Undefined: nothing that the laws are about. */
export function eventOf(effect: Effect, isScout: boolean) {
  switch (effect.type) {
    case "mail": {
      const { to, subject, body } = effect;
      return { type: "act", tool: "mail_send", recipients: [to], arguments: { to, subject, body } } as const;
    }
    case "calendar": {
      const { title, when, invite } = effect;
      return {
        type: "act",
        tool: "calendar_add",
        recipients: guestsOf(invite),
        arguments: { title, when, invite },
      } as const;
    }
    case "service": {
      const given = JSON.parse(effect.words) as Record<string, string>;
      return { type: "act", tool: effect.tool, recipients: ["undeclared"], arguments: given } as const;
    }
    case "session":
      return {
        type: "act",
        tool: "sessions_send",
        recipients: [effect.key],
        arguments: { session: effect.key, text: effect.text },
      } as const;
    case "search":
      return { type: "search", query: effect.query } as const;
    case "request": {
      const { method, url, body } = effect;
      if (method === "GET" && body === "")
        return { type: "read", by: isScout ? "scout" : "turn", url } as const;
      const { host } = new URL(url);
      return { type: "act", tool: "http_request", recipients: [host], arguments: { url, body } } as const;
    }
    default:
      return undefined;
  }
}

/** With the arguments that the product's tools have. */
export function asMade({ tool, arguments: given }: ModelCall, seen: readonly string[]) {
  switch (tool) {
    case "message":
      return { name: tool, arguments: { action: "send", ...given } };
    case "scout":
      return { name: "research", arguments: given };
    case "exec":
      return { name: "read", arguments: given };
    case "http_request":
      return { name: tool, arguments: given["body"] === "" ? given : { method: "POST", ...given } };
    case "recall": {
      const handles = [...seen.join("\n").matchAll(/#(\d+) (?:answer|result|text|message|pasted)/g)];
      const [, handle = "1000000"] = handles.at(-Number(given["back"])) ?? handles[0] ?? [];
      return { name: tool, arguments: { handle: Number(handle) } };
    }
    default:
      return { name: tool, arguments: given };
  }
}

export function messageOf(start: TurnStart, index: number, timestamp: number) {
  const pasted: Array<{ start: number; end: number }> = [];
  let text = `(no. ${index})`;
  for (const block of start.words) {
    text += " ";
    if (block.isPasted) pasted.push({ start: text.length, end: text.length + block.text.length });
    text += block.text;
  }
  const id = start.by === "owner" ? "42" : "77";
  const isFamily = start.session === "family";
  return {
    peer: isFamily ? { kind: "group" as const, id: familyId } : { kind: "user" as const, id },
    sender: { id },
    message: { type: "text" as const, id: `m${index}`, text, pasted, attachments: [], mentioned: true },
    timestamp,
  };
}

export async function layHome(home: string, world: LawWorld, searchUrl: string): Promise<void> {
  const texts = Object.entries(world.files).map(([path, { text }]) => [path, text] as const);
  const files = [...texts, ["MEMORY.md", world.memory], ["USER.md", world.user]] as const;
  for (const [path, text] of files) {
    const full = join(home, "workspace", path);
    await mkdir(dirname(full), { recursive: true });
    await writeFile(full, text);
  }
  const usual = usualConfig(searchUrl);
  const contacts = Object.fromEntries(knownPlaces.map((place) => [nameOf(place), [place]]));
  await writeFile(join(home, "config.json5"), JSON.stringify({ ...usual, contacts }), { mode: 0o600 });
}
