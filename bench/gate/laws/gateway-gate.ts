/**
 * A whole gateway behind the port: its storage, sessions, children and restarts, in a home of its own. People write on a
 * channel; the model of its turns is driven by the program, and its scouts read what they are told to.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ModelRequest, Tool } from "@pincer/sdk";
import { createRecordingChannel } from "@pincer/sdk/testing";
import { systemClock } from "../../../src/infra/clock.ts";
import type { GatewayExtras } from "../../../src/app/gateway.ts";
import { plantCanaries } from "../canaries.ts";
import type { Effect } from "../case.ts";
import { createDeskTools } from "../desk-tools.ts";
import { openHouse, type House } from "../house.ts";
import { openWeb } from "../web.ts";
import { ticketTool } from "./core-tools.ts";
import { textsOfRequest } from "./driven-model.ts";
import { createGatewayModel } from "./gateway-model.ts";
import { asMade, eventOf, layHome, messageOf } from "./gateway-world.ts";
import { familyId, familyPlace, ownerPlaces } from "./law-tools.ts";
import type { CallAnswer, GateUnderTest, ModelCall, OpenGate, OutsideEvent, TurnStart } from "./port.ts";

const dayMs = 24 * 60 * 60 * 1000;

interface OpenTurn {
  start: TurnStart;
  index: number;
  calls: ModelCall[];
  /** What its requests showed, in order; each with all before it. */
  shown: string[][];
  seen: Set<string>;
  /** A limit ended it, or the program did. */
  isOver: boolean;
  from: number;
}

export const openGatewayGate: OpenGate = async (world, models): Promise<GateUnderTest> => {
  const home = await mkdtemp(join(tmpdir(), "pincer-laws-"));
  const canaries = plantCanaries();
  const outside: OutsideEvent[] = [];
  const owner: Array<{ turn: number; call: number; text: string }> = [];
  const untainted: Array<{ turn: number; text: string }> = [];
  const driven = createGatewayModel(models);
  let later = 0;
  let turns = -1;
  let open: OpenTurn | undefined;
  let asked: ModelCall | undefined;

  const now = (): OpenTurn => {
    if (!open) throw new Error("no turn runs");
    return open;
  };
  const when = () => ({ turn: turns, call: open?.calls.length ?? 0 });
  const act = (tool: string, recipients: readonly string[], given: Record<string, string>) => {
    const isOwners = recipients.length > 0 && recipients.every((place) => ownerPlaces.includes(place));
    if (!isOwners)
      outside.push({ type: "act", tool, recipients: [...recipients], arguments: given, ...when() });
  };
  const record = (effect: Effect) => {
    const event = eventOf(effect, driven.isScouting());
    if (event?.type === "act") act(event.tool, event.recipients, event.arguments);
    else if (event) outside.push({ ...event, ...when() });
  };

  const web = await openWeb({ pages: world.pages, search: {} }, record);
  await layHome(home, world, web.searchUrl);
  const network = createRecordingChannel({ id: "pigeon" });
  const mails = Object.entries(world.mails).map(([id, body]) => ({
    id,
    from: "somebody",
    subject: "mail",
    body,
  }));
  const tools: Tool[] = [
    ...createDeskTools({ mails, calendar: [], parcelError: "", record }),
    ticketTool((given) => act("ticket_open", ["plugin"], given)),
  ];
  const extras: GatewayExtras = {
    channels: [network.channel],
    models: [driven.model],
    tools,
    wayOut: web.wayOut,
    clock: { ...systemClock, now: () => systemClock.now() + later },
  };
  const start = () => openHouse({ home, canaries, extras, record, log: [] });
  let house: House = await start();

  const pending = async () => (await house.questions()).find(({ state }) => state === "pending");

  /** The next request of the turn, or that nothing goes on any more. */
  async function next(): Promise<ModelRequest | "idle"> {
    return Promise.race([driven.asked(), house.gateway.idle().then(() => "idle" as const)]);
  }

  function show(request: ModelRequest): string {
    const turn = now();
    const fresh = textsOfRequest(request).filter((text) => !turn.seen.has(text));
    for (const text of fresh) turn.seen.add(text);
    return fresh.join("\n");
  }

  async function outcome(id: string): Promise<CallAnswer> {
    const turn = now();
    const request = await next();
    if (request === "idle") {
      const card = await pending();
      if (card) {
        owner.push({ ...when(), text: card.subject.shown });
        return { type: "asked" };
      }
      turn.isOver = true;
      return { type: "result", ran: false, shown: { text: "", isTainted: true } };
    }
    const result = request.messages.find((each) => each.role === "toolResult" && each.toolCallId === id);
    const ran = result?.role === "toolResult" && !result.isError;
    return { type: "result", ran, shown: { text: show(request), isTainted: true } };
  }

  /** Settles all that was said since, so that nothing of it is taken for the next turn's. */
  async function end(): Promise<string> {
    const turn = now();
    await house.gateway.idle();
    for (let card = await pending(); card; card = await pending()) {
      await house.client.request("approvals.deny", { id: card.id });
      await house.gateway.idle();
    }
    let said = "";
    const taken = new Set<number>();
    for (const { target, text } of network.ledger.slice(turn.from)) {
      const place = `pigeon:${target.peerId}`;
      const at = turn.calls.findIndex(
        ({ tool, arguments: given }, index) =>
          tool === "message" && given["to"] === place && !taken.has(index),
      );
      const isHere = place === placeOf(turn.start);
      if (isHere) said = text;
      if (isHere || ownerPlaces.includes(place)) continue;
      if (at >= 0) taken.add(at);
      const call = at >= 0 ? at : turn.calls.length;
      outside.push({
        type: "act",
        tool: "message",
        recipients: [place],
        arguments: { to: place, text },
        turn: turn.index,
        call,
      });
    }
    if (turn.start.session !== "family")
      owner.push({ turn: turn.index, call: turn.calls.length, text: said });
    await noteUntainted(turn);
    open = undefined;
    return said;
  }

  /** An answer is stored with what its request counted as. */
  async function noteUntainted({ index, shown }: OpenTurn): Promise<void> {
    const [last] = await house.stores.turns.list({ limit: 1, sessionKey: sessionKeyOf(now().start) });
    if (!last) return;
    const entries = await house.stores.turns.entries(last.turnId);
    const answers = entries.flatMap((entry) =>
      entry.type === "message" && entry.message.role === "assistant" ? [entry.message] : [],
    );
    answers.forEach(({ label }, at) => {
      if (label?.untrusted === false)
        for (const text of shown[at] ?? []) untainted.push({ turn: index, text });
    });
  }

  const answer = (given: Parameters<typeof driven.answer>[0]) => {
    const turn = now();
    turn.shown.push([...turn.seen]);
    driven.answer(given);
  };

  return {
    async startTurn(turnStart) {
      turns++;
      later = turnStart.day * dayMs;
      const index = turns;
      open = {
        start: turnStart,
        index,
        calls: [],
        shown: [],
        seen: new Set(),
        isOver: false,
        from: network.ledger.length,
      };
      driven.expect(`(no. ${index})`);
      await network.say(messageOf(turnStart, index, systemClock.now() + later));
      const request = await next();
      if (request === "idle") throw new Error("the turn did not begin");
      return { text: show(request), isTainted: true };
    },
    async call(call) {
      const turn = now();
      if (turn.isOver) return { type: "result", ran: false, shown: { text: "", isTainted: true } };
      const id = `t${turn.index}c${turn.calls.length}`;
      answer({ type: "calls", calls: [{ id, ...asMade(call, [...turn.seen]) }] });
      const came = await outcome(id);
      if (came.type === "result") turn.calls.push(call);
      else asked = call;
      return came;
    },
    async answerCard(isYes) {
      const turn = now();
      const card = await pending();
      if (!card || !asked) throw new Error("no card is open");
      await house.client.request(isYes ? "approvals.approve" : "approvals.deny", {
        id: card.id,
        ...(isYes && { scope: "once" }),
      });
      const came = await outcome(`t${turn.index}c${turn.calls.length}`);
      if (came.type === "asked") throw new Error("a card was answered and is asked again");
      turn.calls.push(asked);
      asked = undefined;
      return came;
    },
    async endTurn(text) {
      if (!now().isOver) answer({ type: "says", text });
      return end();
    },
    async stopTurn() {
      if (!now().isOver) answer({ type: "says", text: "NO_REPLY" });
      await end();
    },
    async crash() {
      const turn = now();
      if (turn.isOver) return;
      driven.forget();
      await house.close();
      house = await start();
      if (asked) return void (await house.gateway.idle());
      const request = await next();
      if (request === "idle") turn.isOver = true;
      else show(request);
    },
    look: () => ({ outside, owner, untainted }),
    async close() {
      driven.forget();
      await house.close();
      await web.close();
      await rm(home, { recursive: true, force: true });
    },
  };
};

const placeOf = ({ session }: TurnStart): string => (session === "family" ? familyPlace : "pigeon:42");

const sessionKeyOf = ({ session }: TurnStart): string =>
  session === "family" ? `agent:main:pigeon:group:${familyId}` : "agent:main:main";
