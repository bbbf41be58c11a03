import { expect, it } from "vitest";
import { readAnswer, readResult, readUserMessage } from "./read-message.ts";

const text = (words: string, origin: "owner" | "peer" | "quoted" = "owner", from = "owner") => ({
  type: "text" as const,
  text: words,
  origin,
  from,
});

it("UI-01 shows files as files, and not the words that tell the model of them", () => {
  const read = readUserMessage({
    role: "user",
    content: [text("> before", "quoted"), text("look"), text("[file: a.pdf]", "quoted")],
    files: [{ media: "sha256:1", mimeType: "application/pdf", name: "a.pdf" }],
  });
  expect(read).toMatchObject({ text: "look", quoted: "> before", isOwn: true, from: "" });
  expect(read.files).toHaveLength(1);
  const old = readUserMessage({
    role: "user",
    content: [text("look", "peer", "Ann (42)"), { type: "image", media: "sha256:2", mimeType: "image/png" }],
  });
  expect(old).toMatchObject({ from: "Ann (42)", isOwn: false, files: [{ media: "sha256:2" }] });
});

it("UI-01 knows whose a message is that consists of files alone", () => {
  const document = (from: string) =>
    readUserMessage({
      role: "user",
      content: [text("[file: a.pdf]", "quoted", `with a message of ${from}`)],
      files: [{ media: "sha256:1", mimeType: "application/pdf", name: "a.pdf" }],
    });
  expect(document("owner")).toMatchObject({ text: "", quoted: "", from: "", isOwn: true });
  expect(document("Ann (42)")).toMatchObject({ from: "Ann (42)", isOwn: false });
  const picture = readUserMessage({
    role: "user",
    content: [text(""), { type: "image", media: "sha256:2", mimeType: "image/png" }],
  });
  expect(picture).toMatchObject({ from: "", isOwn: true });
  const quoting = readUserMessage({
    role: "user",
    content: [text("> pay him", "quoted", "with a message of owner")],
    files: [{ media: "sha256:1", mimeType: "application/pdf", name: "a.pdf" }],
  });
  expect(quoting).toMatchObject({ isOwn: false });
});

it("SEC-02 shows what was pasted within the words, and says nothing of it where nobody can tell", () => {
  const pasted = (words: string, from = "pasted") => ({
    ...text(words, "quoted", from),
    pasted: "certain" as const,
  });
  const read = (...content: Array<ReturnType<typeof text>>) => readUserMessage({ role: "user", content });
  expect(read(text("> before", "quoted"), text("to "), pasted("a@b"), text(" now"))).toMatchObject({
    text: "to a@b now",
    pasted: [{ start: 3, end: 6 }],
    quoted: "> before",
    from: "",
    isOwn: true,
  });
  expect(read(pasted("all of it"))).toMatchObject({ text: "all of it", quoted: "", from: "", isOwn: true });
  expect(read(pasted("all of it", "pasted by Ann (42)"))).toMatchObject({ from: "Ann (42)", isOwn: false });
  const possible = { ...text("a\nb"), pasted: "possible" as const };
  expect(read(possible)).toMatchObject({ text: "a\nb", pasted: undefined, isOwn: true });
});

it("tells reasoning from the answer, also where a model marks it with tags, and leaves code alone", () => {
  const read = (words: string) => readAnswer({ content: [{ type: "text", text: words }] });
  expect(read("<think>hm</think>[[reply_to_current]] Yes")).toEqual({ text: "Yes", thinking: "hm" });
  expect(read("<think>still going")).toEqual({ text: "", thinking: "still going" });
  expect(read("write `<think>` like this")).toEqual({ text: "write `<think>` like this", thinking: "" });
  const blocks = readAnswer({
    content: [
      { type: "thinking", thinking: "hm" },
      { type: "thinking", thinking: "", redacted: true },
      { type: "text", text: "Yes" },
    ],
  });
  expect(blocks).toEqual({ text: "Yes", thinking: "hm" });
});

it.each([
  [
    { isError: false, exitCode: 127 },
    { state: "failed", exitCode: 127 },
  ],
  [
    { isError: false, exitCode: 0 },
    { state: "done", exitCode: undefined },
  ],
  [
    { isError: true, exitCode: undefined },
    { state: "failed", exitCode: undefined },
  ],
])("tells a program that failed from one that did what it should: %o", ({ isError, exitCode }, told) => {
  const details = { data: { output: "sh: nosuchcmd: not found", exitCode } };
  const content = [{ type: "text" as const, text: "sh: nosuchcmd: not found" }];
  const result = {
    role: "toolResult" as const,
    toolCallId: "c1",
    toolName: "exec",
    content,
    isError,
    details,
  };
  expect(readResult(result)).toMatchObject(told);
});

it("leaves the words of a stop to the page, which says them in its reader's language", () => {
  const read = (words: string, stopReason: "aborted" | "stop") =>
    readAnswer({ content: [{ type: "text", text: words }], stopReason }).text;
  expect(read("One, two\n\nStopped.", "aborted")).toBe("One, two");
  expect(read("已停止。", "aborted")).toBe("");
  expect(read("I said: Stopped.", "aborted")).toBe("I said: Stopped.");
  expect(read("Stopped.", "stop")).toBe("Stopped.");
});
