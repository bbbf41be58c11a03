/**
 * The rules of the gate in their shortest form, over a world in memory: with it the laws and the programs are tried before
 * they are used on the product, and with it each law is seen to fail when its rule is taken out. It has no storage and no
 * text for people, and every file is small.
 */
import { clean, joinLabels, type Label } from "@pincer/sdk";
import { actingTools, familyPlace, heardBy, ownerPlaces } from "./law-tools.ts";
import { isNamed } from "./marks.ts";
import type {
  CallAnswer,
  GateUnderTest,
  LawGrant,
  LawModels,
  LawWorld,
  ModelCall,
  OutsideEvent,
  Rule,
  Shown,
  TurnStart,
} from "./port.ts";
import { addressesIn } from "./run-program.ts";

interface Text {
  text: string;
  label: Label;
  /** From a page or a mail: an address in it stands for itself. */
  isOutside?: boolean;
}

interface OpenTurn {
  index: number;
  start: TurnStart;
  texts: Text[];
  /** Undefined until an effect needs it. */
  plan: readonly LawGrant[] | undefined;
  used: Map<LawGrant, number>;
  typedReads: Set<string>;
  calls: number;
  card: ModelCall | undefined;
}

const ownTools = new Set(["read", "exec", "write", "memory_append", "mail_read", "recall"]);

export const mostBits = 64;
const bitsOfMoment = 3;
const bitsOfScout = 4;

export async function openReferenceGate(
  world: LawWorld,
  models: LawModels,
  { without }: { without?: Rule } = {},
): Promise<GateUnderTest> {
  const files = new Map<string, Text>(
    Object.entries(world.files).map(([path, { text, isPublic }]) => [
      path,
      { text, label: { untrusted: true, sources: isPublic ? [] : [`file:${path}`] } },
    ]),
  );
  const remembered: Text[] = [{ text: world.memory, label: { untrusted: false, sources: ["memory"] } }];
  /** What each turn left, for later ones of its session. */
  const past: Array<{ start: TurnStart; texts: Text[]; label: Label }> = [];
  const spent = new Map<string, number>();
  const outside: OutsideEvent[] = [];
  const owner: Array<{ turn: number; call: number; text: string }> = [];
  let turns = 0;
  let open: OpenTurn | undefined;

  const now = (): OpenTurn => {
    if (!open) throw new Error("no turn runs");
    return open;
  };
  const labelOf = (turn: OpenTurn): Label => joinLabels(turn.texts.map(({ label }) => label));
  /** Without labels whatever is stored is everybody's own. */
  const stored = (label: Label): Label => (without === "labels" ? clean : label);

  function show(...texts: Text[]): Shown {
    const turn = now();
    turn.texts.push(...texts);
    return { text: texts.map(({ text }) => text).join("\n"), isTainted: labelOf(turn).untrusted };
  }

  const answered = (
    text: string,
    label: Label = clean,
    more: { ran?: boolean; isOutside?: boolean } = {},
  ): CallAnswer => ({
    type: "result",
    ran: more.ran ?? true,
    shown: show({ text, label, isOutside: more.isOutside ?? false }),
  });
  const refused = (why: string): CallAnswer => answered(why, clean, { ran: false });

  async function run(call: ModelCall): Promise<CallAnswer> {
    const turn = now();
    const { tool, arguments: given } = call;
    // Other people have no files, mails and memory here.
    if (turn.start.by !== "owner" && ownTools.has(tool)) return refused("denied");
    switch (tool) {
      case "read":
      case "exec": {
        const file = files.get(given["path"] ?? "");
        if (!file) return refused("no such file");
        const label =
          tool === "read" ? file.label : joinLabels([file.label, { untrusted: true, sources: ["workdir"] }]);
        return answered(file.text, label);
      }
      case "write":
        files.set(given["path"] ?? "", {
          text: given["content"] ?? "",
          label: stored(ownFile(given["path"] ?? "", labelOf(turn))),
        });
        return answered("written");
      case "memory_append":
        // From a tainted context it stays unconfirmed, and out of prompts.
        if (!stored(labelOf(turn)).untrusted)
          remembered.push({
            text: given["text"] ?? "",
            label: joinLabels([stored(labelOf(turn)), { untrusted: false, sources: ["memory"] }]),
          });
        return answered("remembered");
      case "mail_read":
        return answered(
          world.mails[given["id"] ?? ""] ?? "no such mail",
          { untrusted: true, sources: ["tool:mail"] },
          { isOutside: true },
        );
      case "recall": {
        const earlier = past[Number(given["turn"])];
        if (!earlier || earlier.start.session !== turn.start.session) return refused("nothing there");
        return answered(earlier.texts.map(({ text }) => text).join("\n"), stored(earlier.label));
      }
      case "web_search":
        if (addressesIn(given["query"] ?? "").length > 0) return { type: "asked" };
        outside.push({ type: "search", turn: turn.index, call: turn.calls, query: given["query"] ?? "" });
        return answered("found nothing", { untrusted: true, sources: [] }, { isOutside: true });
      case "web_fetch":
        return fetchPage(given["url"] ?? "");
      case "scout":
        return sendScout();
      default:
        return act(call);
    }
  }

  /** What a turn writes into a file is private as the file, too. */
  const ownFile = (path: string, label: Label): Label =>
    joinLabels([label, { untrusted: false, sources: [`file:${path}`] }]);

  function page(url: string, by: "turn" | "scout"): string {
    const turn = now();
    outside.push({ type: "read", turn: turn.index, call: turn.calls, by, url });
    return world.pages[url] ?? "nothing here";
  }

  /** Whether so many bits may be spent; then they are. */
  function spends(bits: number): boolean {
    const { agent, day } = now().start;
    const key = `${agent} ${day}`;
    const sum = (spent.get(key) ?? 0) + bits;
    if (without !== "bits" && sum > mostBits) return false;
    spent.set(key, sum);
    return true;
  }

  function fetchPage(url: string): CallAnswer {
    const turn = now();
    const label = labelOf(turn);
    const read = () => answered(page(url, "turn"), { untrusted: true, sources: [] }, { isOutside: true });
    if (!url.startsWith("http")) return refused("no address");
    if (!label.untrusted || label.sources.length === 0 || without === "bits") return read();
    const typed = turn.start.words.some((block) => !block.isPasted && addressesIn(block.text).includes(url));
    if (typed && !turn.typedReads.has(url)) {
      turn.typedReads.add(url);
      return read();
    }
    const stands = turn.texts.some((text) => text.isOutside === true && addressesIn(text.text).includes(url));
    const known = new Set(turn.texts.flatMap(({ text }) => addressesIn(text))).size;
    const bits = Math.max(1, Math.log2(known)) + bitsOfMoment;
    return stands && spends(bits) ? read() : { type: "asked" };
  }

  function sendScout(): CallAnswer {
    const label = labelOf(now());
    if (label.untrusted && label.sources.length > 0 && !spends(bitsOfScout))
      return refused("no more scouts today");
    const typed = now().start.words.flatMap(({ text, isPasted }) => (isPasted ? [] : [text]));
    const found = models.scout(typed.join("\n")).map((url) => page(url, "scout"));
    return answered(found.join("\n"), { untrusted: true, sources: [] }, { isOutside: true });
  }

  function act(call: ModelCall): CallAnswer {
    const turn = now();
    if (recipientsOf(call).every((place) => ownerPlaces.includes(place)))
      return perform(call, call.arguments);
    if (turn.start.by !== "owner") return refused("denied");
    const covering = grantsFor(call);
    if (covering.length === 0) return { type: "asked" };
    for (const grant of covering) {
      const leaving = wording(call, grant);
      if (leaving === undefined) continue;
      turn.used.set(grant, (turn.used.get(grant) ?? 0) + 1);
      return perform(call, leaving);
    }
    return { type: "asked" };
  }

  /** The arguments as they may leave under this grant; undefined: not without a card. */
  function wording(call: ModelCall, grant: LawGrant): Record<string, string> | undefined {
    const turn = now();
    const label = labelOf(turn);
    if (!label.untrusted || isNamed(label.sources, grant.sources) || without === "leaving")
      return call.arguments;
    const names = (actingTools[call.tool]?.content ?? []).filter(
      (name) => call.arguments[name] !== undefined,
    );
    if (names.every((name) => isSeen(call.arguments[name] ?? ""))) return call.arguments;
    const texts = turn.texts.filter(
      (text) => isNamed(text.label.sources, grant.sources) && text.label.untrusted,
    );
    const typed = turn.start.words.map(({ text }) => text);
    const written = models.writer([...typed, ...texts.map(({ text }) => text)].join("\n"), names);
    return { ...call.arguments, ...written };
  }

  const isSeen = (text: string): boolean => text === "" || owner.some((shown) => shown.text === text);

  function grantsFor(call: ModelCall): LawGrant[] {
    const turn = now();
    if (without === "grants")
      return [{ tool: call.tool, recipients: [], hosts: [], args: {}, sources: [], count: 1 }];
    turn.plan ??= models.planner(plannerInput(turn)) ?? [];
    const tainted = labelOf(turn).untrusted;
    return turn.plan.filter((grant) => {
      if ((turn.used.get(grant) ?? 0) >= grant.count || grant.tool !== call.tool) return false;
      const { recipient, url, values = [] } = actingTools[call.tool] ?? { values: [] };
      if (recipient !== undefined && !grant.recipients.includes(call.arguments[recipient] ?? ""))
        return false;
      if (url !== undefined && !grant.hosts.includes(call.arguments[url] ?? "")) return false;
      if (call.tool === "answer" && !grant.recipients.includes(familyPlace)) return false;
      return values.every((name) => !tainted || grant.args[name] === call.arguments[name]);
    });
  }

  /** The owner's typed words, and nothing that a stranger wrote. */
  function plannerInput({ start, texts }: OpenTurn): string {
    if (without === "planner-input") return texts.map(({ text }) => text).join("\n");
    return start.words.map(({ text, isPasted }) => (isPasted ? "[pasted text 1]" : text)).join("\n");
  }

  function perform(call: ModelCall, given: Record<string, string>): CallAnswer {
    const turn = now();
    const recipients = recipientsOf(call);
    if (!recipients.every((place) => ownerPlaces.includes(place)))
      outside.push({
        type: "act",
        turn: turn.index,
        call: turn.calls,
        tool: call.tool,
        recipients,
        arguments: given,
      });
    const isForeign = actingTools[call.tool]?.recipient === undefined && call.tool !== "answer";
    return answered("done", isForeign ? { untrusted: true, sources: [`tool:${call.tool}`] } : clean);
  }

  function close(texts: Text[], label: Label): void {
    const turn = now();
    past.push({ start: turn.start, texts: [...turn.texts, ...texts], label });
    open = undefined;
  }

  return {
    async startTurn(start) {
      open = {
        index: turns++,
        start,
        texts: [],
        plan: undefined,
        used: new Map(),
        typedReads: new Set(),
        calls: 0,
        card: undefined,
      };
      const prompt: Text[] =
        start.by === "owner"
          ? [...remembered, { text: world.user, label: { untrusted: false, sources: ["user"] } }]
          : [];
      // Of tainted turns the owner's own words and handles.
      const history = past
        .filter((each) => each.start.session === start.session && each.start.by === start.by)
        .flatMap(({ start: earlier, texts, label }): Text[] =>
          stored(label).untrusted
            ? earlier.words.filter(({ isPasted }) => !isPasted).map(({ text }) => ({ text, label: clean }))
            : texts.map((text) => ({ ...text, label: stored(text.label) })),
        );
      const said = start.words.map(({ text, isPasted }): Text => {
        const isForeign = isPasted || start.by === "peer";
        return { text, label: { untrusted: isForeign, sources: [] } };
      });
      return show(...prompt, ...history, ...said);
    },
    async call(call) {
      const turn = now();
      const answer = await run(call);
      if (answer.type === "asked") {
        turn.card = call;
        if (turn.start.by !== "owner") {
          turn.calls++;
          turn.card = undefined;
          return refused("denied");
        }
        owner.push({ turn: turn.index, call: turn.calls, text: JSON.stringify(call) });
        return answer;
      }
      turn.calls++;
      return answer;
    },
    async answerCard(isYes) {
      const turn = now();
      const { card } = turn;
      turn.card = undefined;
      if (!card) throw new Error("no card is open");
      const answer = isYes ? approved(card) : refused("the owner said no");
      turn.calls++;
      return answer;
    },
    async endTurn(answer) {
      const turn = now();
      const label = labelOf(turn);
      const call: ModelCall = { tool: "answer", arguments: { text: answer } };
      if (turn.start.session !== "family") owner.push({ turn: turn.index, call: turn.calls, text: answer });
      else if (mayAnswer(call)) perform(call, call.arguments);
      close([{ text: answer, label }], label);
    },
    async stopTurn() {
      close([], labelOf(now()));
    },
    async crash() {
      // All of this is stored with the turn; a gate of its own forgets what is not.
    },
    look: () => ({ outside, owner }),
    async close() {
      open = undefined;
    },
  };

  function approved(card: ModelCall): CallAnswer {
    if (card.tool === "web_fetch")
      return answered(
        page(card.arguments["url"] ?? "", "turn"),
        { untrusted: true, sources: [] },
        { isOutside: true },
      );
    if (card.tool === "web_search") {
      outside.push({
        type: "search",
        turn: now().index,
        call: now().calls,
        query: card.arguments["query"] ?? "",
      });
      return answered("found nothing", { untrusted: true, sources: [] }, { isOutside: true });
    }
    return perform(card, card.arguments);
  }

  /** An answer that others read is a message to them: into its own conversation, so it needs no grant but for what it tells. */
  function mayAnswer(call: ModelCall): boolean {
    const label = labelOf(now());
    if (!label.untrusted || label.sources.length === 0 || without === "leaving") return true;
    if (now().start.by !== "owner") return false;
    return grantsFor(call).some((grant) => isNamed(label.sources, grant.sources));
  }
}

function recipientsOf({ tool, arguments: given }: ModelCall): string[] {
  if (tool === "answer") return [familyPlace];
  const { recipient, url } = actingTools[tool] ?? {};
  if (recipient !== undefined) return [given[recipient] ?? ""];
  if (url !== undefined) return [URL.parse(given[url] ?? "")?.host ?? ""];
  return [heardBy(tool)];
}
