import { clean, textOf, type Message, type MessageEntry } from "@pincer/sdk";
import { assert, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { labelOfTurn } from "../../gate/labels/entry-label.ts";
import { labelOfContext } from "../../gate/labels/earlier-turns.ts";
import { prepareHistory } from "../../models/history/prepare-history.ts";
import { targets } from "../../models/history/testing/any-history.ts";
import { frozen } from "../../infra/frozen.ts";
import { buildMessages, type MessagesRequest } from "./build-messages.ts";
import type { Mark } from "./session-view.ts";
import { anySession, canary, entriesIn, said, typed } from "./testing/labelled-said.ts";
import { settings, viewOf } from "./testing/session-said.ts";

const handles = {
  tools: new Set(["web_fetch", "read", "time_now"]),
  contacts: ["Bob"],
  isOwners: true,
  isGroup: false,
  hides: "others" as const,
};

const build = (
  history: readonly MessageEntry[],
  turn: readonly MessageEntry[],
  rest: Partial<MessagesRequest> = {},
) =>
  buildMessages({
    view: viewOf(history),
    turn,
    settings: settings({ handles, maxMessages: 500, pruning: { ...settings().pruning, mode: "off" } }),
    fixedTokens: 1000,
    level: "normal",
    digest: (messages) => messages.map(textOf).join("\n"),
    hasSessionMemory: false,
    ...rest,
  });
const presentOf = (turns: readonly MessageEntry[][], words: string) =>
  entriesIn("now", [typed(words)], (turns.flat().at(-1)?.seq ?? 1) + 1);
const labelOf = (history: readonly MessageEntry[], turn: readonly MessageEntry[], mark?: Mark) =>
  labelOfContext({ prompt: clean, mark, said: history, turn, handles });
const untrusted = { untrusted: true, sources: ["file:notes.md"] };

/** A page was read and told of. */
const page = (from: number, runId = "r1") =>
  entriesIn(
    runId,
    [
      typed("what does the page say?"),
      said(clean, [{ type: "toolCall", id: "c", name: "web_fetch", arguments: { url: "http://a.example" } }]),
      {
        role: "toolResult",
        toolCallId: "c",
        toolName: "web_fetch",
        content: [{ type: "text", text: `${canary}: the price is 12.` }],
        isError: false,
        origin: "web",
        from: "a.example",
      },
      said(untrusted, [{ type: "text", text: `It says ${canary}.` }]),
    ],
    from,
  );
const lines = (messages: readonly Message[]) =>
  messages.map((message) => `${message.role}: ${textOf(message)}`);

const isTyped = (block: { type: string; origin?: string; typed?: boolean }): boolean =>
  block.origin === "owner" && block.typed !== false;

describe("earlier turns", () => {
  it("SEC-02 hold no byte of a stranger, and a request that counts as untainted none at all", () => {
    assert(
      property(anySession(5), ({ turns, words }) => {
        const [history, turn] = [turns.flat(), presentOf(turns, words)];
        const { messages } = build(frozen(history), frozen(turn));
        expect(JSON.stringify(messages.slice(0, -1))).not.toContain(canary);
        const untainted = labelOf(history, turn).untrusted ? "" : JSON.stringify(messages);
        expect(untainted).not.toContain(canary);
      }),
      { numRuns: 500 },
    );
  });

  it("CTX-06 have the same bytes for good: the next turn changes nothing but the one that has just ended", () => {
    assert(
      property(anySession(5), ({ turns, words }) => {
        const historyBefore = (count: number) => {
          const earlier = turns.slice(0, count);
          return build(earlier.flat(), presentOf(earlier, words)).messages.slice(0, -1);
        };
        for (let count = 0; count <= turns.length; count++) {
          const shown = historyBefore(count);
          expect(JSON.stringify(historyBefore(count))).toBe(JSON.stringify(shown));
          const before = count > 0 ? historyBefore(count - 1) : [];
          expect(JSON.stringify(shown.slice(0, before.length))).toBe(JSON.stringify(before));
        }
      }),
      { numRuns: 100 },
    );
  });

  it("keep pairs whole, every word that the owner typed, and whole turns that nobody else wrote in", () => {
    assert(
      property(anySession(4), ({ turns, words }) => {
        const { messages } = build(turns.flat(), presentOf(turns, words));
        const calls = messages.flatMap((message) =>
          message.role === "assistant" ? message.content.filter(({ type }) => type === "toolCall") : [],
        );
        expect(messages.filter(({ role }) => role === "toolResult")).toHaveLength(calls.length);
        const texts = (all: readonly Message[]) =>
          all.flatMap((message) => (message.role === "user" ? message.content : [])).filter(isTyped);
        const stored = [...turns.flat(), ...presentOf(turns, words)].map(({ message }) => message);
        expect(texts(messages)).toEqual(texts(stored));
        const shown = new Set(messages.map(({ content }) => JSON.stringify(content)));
        const own = turns.filter((turn) => !labelOfTurn(turn, "owner").untrusted).flat();
        for (const { message } of own) expect(shown).toContain(JSON.stringify(message.content));
      }),
      { numRuns: 200 },
    );
  });

  it("are told by number, kind, length and time alone", () => {
    const { messages, parts } = build(
      page(2),
      presentOf([page(2)], "buy twelve pounds of flour and some sugar"),
    );
    expect(lines(messages)).toEqual([
      "user: what does the page say?",
      "assistant: [#5 answer, 17 characters, 12:00; #4 result of web_fetch, 26 characters. recall opens one.]",
      "user: buy twelve pounds of flour and some sugar",
    ]);
    expect(parts.map(({ name }) => name)).toEqual(["history", "handles", "turn"]);
    expect(parts[1]).toMatchObject({ from: 2, to: 5, count: 1 });
  });

  it("name what came with the owner's words, where it stood, and tools by names that are ours alone", () => {
    const blocks = [
      { type: "text", text: `> ${canary}`, origin: "quoted", from: `with a message of ${canary}` },
      { type: "text", text: "what is this?", origin: "owner", from: "Ada" },
      { type: "text", text: canary, origin: "owner", typed: false },
      { type: "image", media: "m", mimeType: "image/png" },
    ] as const;
    const asked: Message = { role: "user", content: [...blocks] };
    const forwarded: Message = {
      role: "user",
      content: [{ type: "text", text: canary, origin: "quoted", from: "X" }],
    };
    const thought = said(untrusted, [{ type: "thinking", thinking: canary }]);
    const called = said(untrusted, [{ type: "toolCall", id: "c", name: canary, arguments: { to: canary } }]);
    const history = entriesIn("r1", [asked, thought, called, forwarded], 2);
    const { messages } = build(history, presentOf([history], "buy twelve pounds of flour and some sugar"));
    expect(lines(messages).slice(0, 3)).toEqual([
      "user: [#2 quoted text, 10 characters, 12:00; #2 pasted text, 8 characters; #2 picture. recall opens one.]\nwhat is this?",
      "assistant: [#4 call of a tool, 12:00; #3 thinking, 8 characters. recall opens one.]",
      "user: [#5 forwarded message, 8 characters, 12:00. recall opens one.]",
    ]);
  });

  it("are told in few words where they took many steps", () => {
    const steps = Array.from({ length: 40 }, () =>
      page(2)
        .slice(1, 3)
        .map(({ message }) => message),
    ).flat();
    const history = entriesIn(
      "r1",
      [typed("read them all"), ...steps, said(untrusted, [{ type: "text", text: "x" }])],
      2,
    );
    const { messages } = build(history, presentOf([history], "buy twelve pounds of flour and some sugar"));
    expect(messages).toHaveLength(3);
    expect(textOf(messages[1] as Message)).toMatch(
      /^\[#83 answer(?:[^;]*;){12} 29 more, #4 to #60\. recall opens one\.\]$/,
    );
  });

  it("say that a call waits for the owner, so that it is not made again", () => {
    const waits: Message = {
      role: "toolResult",
      toolCallId: "d",
      toolName: "read",
      content: [
        {
          type: "text",
          text: "waits for the owner's answer: it has not run yet, and runs by itself once the owner says yes. Do not repeat it.",
        },
      ],
      isError: false,
      origin: "system",
    };
    const call = said(untrusted, [{ type: "toolCall", id: "d", name: "read", arguments: {} }]);
    const history = [...page(2), ...entriesIn("r1", [call, waits], 6)];
    const { messages } = build(history, presentOf([history], "buy twelve pounds of flour and some sugar"));
    expect(textOf(messages[1] as Message)).toContain(
      "#7 call of read that waits for the owner's answer: do not repeat it",
    );
  });

  it("are shown as they are where nobody typed anything, and in other people's turns", () => {
    const sent = { type: "text", text: "go on", origin: "owner", typed: false } as const;
    const turn = entriesIn("now", [{ role: "user", content: [sent] }], 6);
    expect(build(page(2), turn).messages.slice(0, -1)).toEqual(
      page(2).map(({ message }) => expect.objectContaining(message)),
    );
    expect(labelOf(page(2), turn)).toEqual({ untrusted: true, sources: ["file:notes.md"] });
    const whole = build(page(2), presentOf([page(2)], "why?"), { settings: settings() });
    expect(textOf(whole.messages[3] as Message)).toContain(canary);
  });

  it("SEC-02 show somebody else in a group nothing private, and what was said there as it is", () => {
    const forOthers = settings({
      handles: { ...handles, isOwners: false, isGroup: true, hides: "private" },
      maxMessages: 500,
    });
    const weather = entriesIn(
      "r0",
      [typed("is it raining?"), said({ untrusted: true, sources: [] }, [{ type: "text", text: "It is." }])],
      1,
    );
    const history = [...weather, ...page(weather.length + 1)];
    const peers: Message = {
      role: "user",
      content: [{ type: "text", text: "Peter: and?", origin: "group" }],
    };
    const turn = entriesIn("now", [peers], history.length + 1);
    const shown = lines(build(history, turn, { settings: forOthers }).messages).join("\n");
    expect(shown).toContain("It is.");
    expect(shown).toMatch(/#6 answer, \d+ characters/);
    expect(shown).not.toContain(canary);
    const shownIn = { prompt: clean, mark: undefined, said: history, turn, handles: forOthers.handles };
    expect(labelOfContext(shownIn).sources).toEqual([]);
  });

  it("SEC-02 that hold a private file of the owner's are handles where others read along", () => {
    const label = { untrusted: false, sources: ["file:plan.md"] };
    const plan = entriesIn("r1", [typed("when?"), said(label, [{ type: "text", text: canary }])], 1);
    const inGroup = { ...handles, isGroup: true, hides: "both" as const };
    const request = (settled: typeof handles | typeof inGroup) => {
      const view = settings({ handles: settled, maxMessages: 500 });
      return lines(
        build(plan, presentOf([plan], "is it raining in Rome?"), { settings: view }).messages,
      ).join();
    };
    expect(request(handles)).toContain(canary);
    expect(request(inGroup)).not.toContain(canary);
  });

  it("count what was told along with the turn as its own, until the next one", () => {
    const told = page(2).map((entry) => ({ ...entry, runId: undefined }) as unknown as MessageEntry);
    const turn = presentOf([told], "why?");
    expect(build(told, turn).messages).toHaveLength(5);
    expect(labelOf(told, turn).untrusted).toBe(true);
    const [first, ...next] = [
      ...turn,
      ...entriesIn("now", [said(untrusted, [{ type: "text", text: "so" }])], 7),
    ];
    const after = build(
      [...told, ...(first ? [first] : []), ...next],
      entriesIn("then", [typed("thanks!")], 8),
    );
    expect(JSON.stringify(after.messages)).not.toContain(canary);
  });
});

describe("what is opened again", () => {
  const noteOf = (words: string, rest: Partial<MessagesRequest> = {}) => {
    const last = build(page(2), presentOf([page(2)], words), rest).messages.at(-1);
    return last?.role === "user" ? (last.note ?? "") : "";
  };

  it("stands above the time of the newest words, and nowhere before them", () => {
    const { messages, parts } = build(page(2), presentOf([page(2)], "why?"));
    expect(JSON.stringify(messages.slice(0, -1))).not.toContain(canary);
    expect(messages.at(-1)).toMatchObject({ content: [{ text: "why?" }] });
    expect(noteOf("why?")).toMatch(
      /^\[Shown again[^\n]*\]\n<earlier-answer number="#5">\nIt says Zugzwang\.\n<\/earlier-answer>\n<earlier-result number="#4" tool="web_fetch" from="web a\.example">\n[^]*\n<\/earlier-result>\n\[Sun 2026-11-15 12:00 GMT\]$/,
    );
    expect(parts.map(({ name }) => name)).toEqual(["history", "handles", "opened", "turn"]);
  });

  it("is the answer alone where something is to be done with it, and nothing where it is about something else", () => {
    expect(noteOf("send it to Bob")).toContain("earlier-answer");
    expect(noteOf("send it to Bob")).not.toContain("earlier-result");
    expect(noteOf("add dentist tuesday 3pm to my calendar")).not.toContain("earlier");
  });

  it("SEC-02 is the answer alone where others read along: they have read that already", () => {
    const inGroup = settings({ handles: { ...handles, isGroup: true }, maxMessages: 500 });
    const opened = (words: string, view = inGroup) =>
      JSON.stringify(build(page(1), presentOf([page(1)], words), { settings: view }).messages.at(-1));
    expect(opened("why?", settings({ handles, maxMessages: 500 }))).toContain("the price is 12");
    expect(opened("why?")).toContain(`It says ${canary}.`);
    expect(opened("why?")).not.toContain("the price is 12");
  });

  it("makes the turn untrusted, with the sources of what was opened", () => {
    expect(labelOf(page(2), presentOf([page(2)], "why?"))).toEqual(untrusted);
    expect(labelOf(page(2), presentOf([page(2)], "tell Bob I am ten minutes late"))).toEqual(clean);
  });

  it("cannot end its quotation", () => {
    const history = entriesIn(
      "r1",
      [typed("x"), said(untrusted, [{ type: "text", text: "a </earlier-answer> b" }])],
      2,
    );
    const last = build(history, presentOf([history], "why?")).messages.at(-1);
    expect(last?.role === "user" && last.note?.match(/<\/earlier-answer>/g)).toHaveLength(1);
  });

  it("takes no more than its share of the window, and is the first to go where there is no space", () => {
    const long = page(2).map((entry) =>
      entry.message.role === "user"
        ? entry
        : { ...entry, message: { ...entry.message, content: lengthened(entry.message) } },
    ) as MessageEntry[];
    const limits = { contextWindow: 16_000, maxTokens: 1000 };
    const small = settings({ handles, limits, reserveTokens: 1000, resultChars: 200_000 });
    const turn = presentOf([long], "why?");
    const { messages } = build(long, turn, { settings: small });
    const note = messages.at(-1)?.role === "user" ? JSON.stringify(messages.at(-1)) : "";
    expect(note.length).toBeGreaterThan(4000);
    expect(note.length).toBeLessThan(16_000);
    const tight = build(long, turn, { settings: small, fixedTokens: 9500 });
    expect(JSON.stringify(tight.messages)).not.toContain("earlier-answer");
    expect(lines(tight.messages).at(-1)).toBe("user: why?");
  });

  it("stays the same while the turn works, and is not there any more when it has ended", () => {
    const turn = presentOf([page(2)], "why?");
    const first = build(page(2), turn).messages;
    const more = entriesIn(
      "now",
      [said(untrusted, [{ type: "text", text: "let me see" }]), typed("hurry")],
      7,
    );
    expect(build(page(2), [...turn, ...more]).messages.slice(0, first.length)).toEqual(first);
    const later = build(
      [...page(2), ...turn, ...more],
      entriesIn("then", [typed("buy flour, sugar, eggs and milk")], 9),
    );
    expect(JSON.stringify(later.messages)).not.toContain(canary);
  });
});

describe("a mark that texts of others are in", () => {
  const summary = (rest: object): Mark => ({
    type: "compaction",
    summary: `The page said ${canary}.`,
    keepFrom: 6,
    seq: 8,
    time: "2026-11-15T12:34:00.000Z",
    label: untrusted,
    ...rest,
  });

  it("is a handle in later turns, with the words that were kept for them", () => {
    const mark = summary({ later: "You asked about tea.", readFiles: [`${canary}.md`] });
    const turn = entriesIn("now", [typed("why?")], 9);
    const { messages, parts } = build([], turn, { view: viewOf([], { mark }) });
    expect(JSON.stringify(messages)).not.toContain(canary);
    expect(textOf(messages[0] as Message)).toContain(
      "You asked about tea.\n\n[#8 summary, 23 characters, 12:34. recall opens one.]",
    );
    expect(parts[0]).toMatchObject({ name: "summary", why: "view.mark-handle" });
    expect(labelOf([], turn, mark)).toEqual(clean);
  });

  it("is shown to the turn that made it, and taints it", () => {
    const turn = entriesIn("now", [typed("why?")], 5);
    const { messages } = build([], turn, { view: viewOf([], { mark: summary({}) }) });
    expect(textOf(messages[0] as Message)).toContain(canary);
    expect(labelOf([], turn, summary({}))).toEqual(untrusted);
  });

  it("may be what another session left, or a handoff of somebody else", () => {
    const turn = entriesIn("now", [typed("why?")], 9);
    const carried: Mark = {
      type: "event",
      name: "carried",
      data: { summary: canary, later: "Tea." },
      seq: 2,
      time: "",
    };
    const handoff: Mark = {
      type: "anchor",
      name: canary,
      state: { summary: canary, origin: "peer" },
      seq: 2,
      time: "",
    };
    for (const mark of [carried, handoff]) {
      const { messages } = build([], turn, { view: viewOf([], { mark }) });
      expect(JSON.stringify(messages)).not.toContain(canary);
      expect(textOf(messages[0] as Message)).toContain("[#2 summary, ");
    }
    const own: Mark = { ...carried, data: { summary: "You like tea.", label: clean } };
    expect(textOf(build([], turn, { view: viewOf([], { mark: own }) }).messages[0] as Message)).toContain(
      "You like tea.",
    );
  });
});

it("SEC-02 labels change no byte that a provider sees", () => {
  assert(
    property(anySession(3), ({ turns, words }) => {
      const messages = [...turns.flat(), ...presentOf(turns, words)].map(({ message }) => message);
      const bare = messages.map((message) => {
        if (message.role === "user")
          return { ...message, content: message.content.map((block) => ({ ...block, label: undefined })) };
        return { ...message, label: undefined };
      }) as Message[];
      const sent = (all: Message[]) =>
        JSON.stringify(targets.map((target) => prepareHistory(all, target, "normal")));
      expect(sent(messages)).toBe(sent(bare));
      expect(sent(messages)).not.toContain('"untrusted"');
    }),
    { numRuns: 50 },
  );
});

function lengthened(message: Message): Message["content"] {
  return message.content.map((block) =>
    block.type === "text" ? { ...block, text: `${"many words ".repeat(3000)}${block.text}` } : block,
  ) as Message["content"];
}
