/**
 * What clean starts cost: fifty conversations about pages and mails, in which a model answers as soon as it has been
 * shown what the answer takes, opens handles while it has not, and otherwise has forgotten. Counted are requests and
 * their size. `node bench/conversations.ts [--product <another bin/pincer.mjs>] [--only <id>] [--json]`
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import {
  startScriptedModelServer,
  type AskedModel,
  type ScriptedAnswer,
} from "../test/scripted-model-server.ts";

interface Turn {
  /** With `{name}` where a document is meant. */
  says: string;
  /** What the model must have been shown to answer. */
  needs?: string;
  /** The message is about the last answer: it must be there without a request. */
  about?: "answer";
  answer: string;
}

export interface Conversation {
  id: string;
  turns: Turn[];
}

export interface ConversationFigures {
  conversations: number;
  turns: number;
  requests: number;
  /** Of all requests, counted as bytes / 4. */
  tokens: number;
  /** Calls of `recall`; those of turns that are about the last answer apart. */
  recalls: number;
  recallsForLast: number;
  /** Turns in which the model was never shown what it needed. */
  forgotten: string[];
}

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const read = <Shape>(name: string): Shape =>
  JSON.parse(readFileSync(here(`conversations/${name}.json`), "utf8")) as Shape;

export const conversations = read<Conversation[]>("conversations");

/** Pages and mails hold more than what is asked for. */
const rest = "Further down it goes on about other things that nobody has asked for here. ".repeat(40);

/** In a home of its own, which is cleared away. */
export async function measureConversations(
  wanted: readonly Conversation[] = conversations,
  product = here("../bin/pincer.mjs"),
): Promise<ConversationFigures> {
  const documents = new Map(
    Object.entries(read<Record<string, string>>("documents")).map(([name, line]) => {
      const at = line.indexOf(" ");
      return [name, { kind: line.slice(0, at), text: `${line.slice(at + 1)}\n\n${rest}` }] as const;
    }),
  );
  const home = mkdtempSync(join(tmpdir(), "pincer-bench-"));
  const web = createServer((request, response) => {
    const text = documents.get((request.url ?? "").slice(1))?.text;
    response.writeHead(text === undefined ? 404 : 200, { "content-type": "text/plain; charset=utf-8" });
    response.end(text);
  });
  await new Promise<void>((listening) => web.listen(0, "127.0.0.1", listening));
  const host = `127.0.0.1:${(web.address() as AddressInfo).port}`;
  const figures = { requests: 0, bytes: 0, recalls: 0, recallsForLast: 0, forgotten: [] as string[] };
  let present: { conversation: Conversation; turn: Turn; opened: Set<number> } | undefined;

  const model = await startScriptedModelServer((asked) => {
    figures.requests++;
    figures.bytes += Buffer.byteLength(asked.body);
    return present ? answerTo(asked, present) : { text: "" };
  });

  function answerTo(
    asked: AskedModel,
    { conversation, turn, opened }: NonNullable<typeof present>,
  ): ScriptedAnswer {
    const { tools = [] } = JSON.parse(asked.body) as { tools?: Array<{ function: { name: string } }> };
    // A planner's or a summary's.
    if (tools.length === 0) return { text: '{"grants":[]}' };
    const wanted = namesIn(turn.says)[asked.results.length];
    if (wanted !== undefined) return { call: callFor(wanted) };
    const { needs, about } = turn;
    if (
      needs === undefined ||
      JSON.stringify(JSON.parse(asked.body)).includes(JSON.stringify(needs).slice(1, -1))
    )
      return { text: turn.answer };
    // The newest results first: what stands in the answer was worth saying, and the rest is where it came from.
    const handles = [...asked.body.matchAll(/#(\d+) (answer|result of (?!recall))/g)]
      .map(([, seq, kind]) => ({ seq: Number(seq), isAnswer: kind === "answer" }))
      .toSorted((a, b) => Number(a.isAnswer) - Number(b.isAnswer) || b.seq - a.seq);
    const next = handles.find(({ seq }) => !opened.has(seq))?.seq;
    if (next === undefined || !tools.some(({ function: { name } }) => name === "recall")) {
      figures.forgotten.push(`${conversation.id}: ${turn.says}`);
      return { text: "I do not know any more." };
    }
    opened.add(next);
    figures.recalls++;
    if (about === "answer") figures.recallsForLast++;
    return { call: { name: "recall", arguments: { handle: next } } };
  }

  const callFor = (name: string) =>
    documents.get(name)?.kind === "mail"
      ? { name: "read", arguments: { path: `mails/${name}.txt` } }
      : { name: "web_fetch", arguments: { url: `http://${host}/${name}` } };
  const meant = (name: string) =>
    documents.get(name)?.kind === "mail" ? `mails/${name}.txt` : `http://${host}/${name}`;

  const environment = cleanEnvironment(home);
  const run = (...args: string[]) =>
    spawn(process.execPath, [product, ...args], { cwd: home, env: environment });
  try {
    const workdir = join(home, "workspace");
    for (const [name, { kind, text }] of documents) {
      if (kind !== "mail") continue;
      mkdirSync(join(workdir, "mails"), { recursive: true });
      writeFileSync(join(workdir, "mails", `${name}.txt`), text);
    }
    const config = {
      gateway: { port: 0 },
      models: {
        providers: {
          fake: { baseUrl: model.baseUrl, api: "openai-completions", apiKey: "k", models: [{ id: "m" }] },
        },
      },
      agents: { defaults: { model: { primary: "fake/m" }, workspace: workdir } },
      tools: { network: { allowPrivate: [host] } },
      queue: { debounceMs: 0 },
    };
    writeFileSync(join(home, "config.json5"), JSON.stringify(config), { mode: 0o600 });
    const gateway = run("gateway", "run");
    await new Promise<void>((ready, failed) => {
      let said = "";
      gateway.stderr.on("data", (text: Buffer) => {
        said += text.toString();
        if (said.includes("is running (pid")) ready();
      });
      gateway.once("exit", (status) => failed(new Error(`the gateway ended with ${status}: ${said}`)));
    });
    gateway.removeAllListeners("exit");
    for (const conversation of wanted)
      for (const turn of conversation.turns) {
        present = { conversation, turn, opened: new Set() };
        const said = turn.says.replaceAll(/\{([\w-]+)\}/g, (_, name: string) => meant(name));
        const asking = run("ask", "--session", conversation.id, said);
        asking.stdin.end();
        let out = "";
        asking.stdout.on("data", (text: Buffer) => (out += text.toString()));
        asking.stderr.on("data", (text: Buffer) => (out += text.toString()));
        await new Promise((ended) => asking.once("close", ended));
        if (!out.includes(turn.answer.slice(0, 12)) && !out.includes("I do not know any more"))
          throw new Error(`${conversation.id}: ${turn.says}: ${out}`);
      }
    gateway.kill("SIGKILL");
  } finally {
    await model.close();
    web.closeAllConnections();
    web.close();
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
  const { bytes, ...counted } = figures;
  const turns = wanted.reduce((sum, each) => sum + each.turns.length, 0);
  return { conversations: wanted.length, turns, tokens: Math.round(bytes / 4), ...counted };
}

const namesIn = (says: string): string[] => [...says.matchAll(/\{([\w-]+)\}/g)].map(([, name = ""]) => name);

function cleanEnvironment(home: string): Record<string, string> {
  const kept = Object.entries(process.env).filter(([name]) => !/^(?:PINCER_|NODE_|LANG$|LC_)/.test(name));
  return { ...(Object.fromEntries(kept) as Record<string, string>), HOME: home, PINCER_HOME: home };
}

export function printConversations({ forgotten, ...figures }: ConversationFigures): void {
  for (const [name, value] of Object.entries(figures)) process.stdout.write(`${name.padEnd(16)} ${value}\n`);
  for (const line of forgotten) process.stdout.write(`forgotten: ${line}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      product: { type: "string" },
      only: { type: "string", multiple: true, default: [] },
      json: { type: "boolean", default: false },
    },
  });
  const { only, product, json } = values;
  const chosen = conversations.filter(({ id }) => only.length === 0 || only.includes(id));
  const given = product === undefined ? [] : [resolve(product)];
  const figures = await measureConversations(chosen, ...given);
  if (json) process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);
  else printConversations(figures);
}
