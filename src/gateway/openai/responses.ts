/** `POST /v1/responses`, in one piece and as a stream, and `GET /v1/responses/:id`. */
import type { AdmittedCall, HttpReply } from "../http/http-route.ts";
import { createGrowingText } from "./growing-text.ts";
import { asOpenAiFailure, failureBody, noSuchResponse } from "./openai-failure.ts";
import type { AskedRun } from "./openai-api.ts";
import { readResponseId } from "./response-id.ts";
import { beginningOf, callItems, messageItem, responseOf, textPart, type Item } from "./response-object.ts";
import { readResponsesRequest, type AskedResponse } from "./responses-request.ts";
import { inStream, openLateStream, runHeaders, waitForRun, type WaitParts } from "./wait-for-run.ts";

export async function answerResponse(parts: WaitParts, call: AdmittedCall, reply: HttpReply): Promise<void> {
  const { api } = parts;
  const asked = await readResponsesRequest(await call.json(), call, api.keepPicture);
  const { question } = asked;
  const run = await api.ask(call.caller, question).catch((error: unknown) => {
    throw asOpenAiFailure(error, question.model);
  });
  const waiting = { call, run, hasKey: question.idempotencyKey !== undefined };
  if (asked.stream) return streamResponse(parts, { ...waiting, asked }, reply);
  const answer = await waitForRun(parts, waiting);
  reply.json(200, responseOf(answer, { ...asked, model: question.model }), runHeaders(run));
}

export async function showResponse(
  { api }: Pick<WaitParts, "api">,
  call: AdmittedCall,
  reply: HttpReply,
): Promise<void> {
  const id = call.parameters["id"] ?? "";
  const answer = await api.answer(call.caller, readResponseId(id));
  if (!answer) throw noSuchResponse(id);
  reply.json(200, responseOf(answer, { model: answer.model, previous: null, instructions: null }));
}

interface ResponseStream {
  call: AdmittedCall;
  run: AskedRun;
  hasKey: boolean;
  asked: AskedResponse;
}

async function streamResponse(parts: WaitParts, work: ResponseStream, reply: HttpReply): Promise<void> {
  const { run, asked } = work;
  const facts = { ...asked, model: asked.question.model };
  const createdAt = Math.floor(parts.clock.now() / 1000);
  const begun = beginningOf({ ...facts, runId: run.runId, createdAt });
  let number = 0;
  const event = (type: string, fields: object) => ({ type, sequence_number: number++, ...fields });
  const stream = openLateStream(parts, reply, runHeaders(run), (opened) => {
    for (const type of ["response.created", "response.in_progress"]) {
      opened.send(JSON.stringify(event(type, { response: begun })), type);
    }
  });
  const send = (type: string, fields: object) => {
    // Opening has events of its own, which come first.
    stream.open();
    stream.send(event(type, fields), type);
  };
  const message = createMessageEvents(run.runId, send);
  const text = createGrowingText();
  await inStream(
    stream,
    async () => {
      const answer = await waitForRun(parts, work, (each) => message.grow(text.hear(each)));
      message.grow(text.finish(answer.text));
      if (answer.calls.length === 0) message.begin();
      const output = message.end();
      for (const item of callItems(answer)) {
        sendCall(send, item, output.length);
        output.push(item);
      }
      const response = responseOf(answer, facts, output);
      send(answer.end === "length" ? "response.incomplete" : "response.completed", { response });
    },
    (failure) => {
      const { code, message: words } = failureBody(failure).error;
      const response = { ...begun, status: "failed", error: { code, message: words } };
      send("response.failed", { response });
    },
  );
}

type Send = (type: string, fields: object) => void;

/** The words of an answer as one item that grows. */
function createMessageEvents(runId: string, send: Send) {
  const place = { item_id: `msg_${runId}`, output_index: 0, content_index: 0 };
  let text = "";
  let hasBegun = false;

  function begin(): void {
    if (hasBegun) return;
    hasBegun = true;
    const item = { ...messageItem(runId, ""), status: "in_progress", content: [] };
    send("response.output_item.added", { output_index: 0, item });
    send("response.content_part.added", { ...place, part: textPart("") });
  }

  return {
    begin,
    grow(delta: string): void {
      if (delta === "") return;
      begin();
      text += delta;
      send("response.output_text.delta", { ...place, delta, logprobs: [] });
    },
    end(): Item[] {
      if (!hasBegun) return [];
      const item = messageItem(runId, text);
      send("response.output_text.done", { ...place, text, logprobs: [] });
      send("response.content_part.done", { ...place, part: textPart(text) });
      send("response.output_item.done", { output_index: 0, item });
      return [item];
    },
  };
}

function sendCall(send: Send, item: ReturnType<typeof callItems>[number], index: number): void {
  const place = { item_id: item.id, output_index: index };
  const { name, arguments: given } = item;
  send("response.output_item.added", {
    output_index: index,
    item: { ...item, status: "in_progress", arguments: "" },
  });
  send("response.function_call_arguments.delta", { ...place, delta: given });
  send("response.function_call_arguments.done", { ...place, name, arguments: given });
  send("response.output_item.done", { output_index: index, item });
}
