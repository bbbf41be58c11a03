import { array, assert, constantFrom, property, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { opensLast } from "./opens-last.ts";

const contacts = ["Bob", "Anna", "王芳"];
const opens = (words: string) => opensLast(words, contacts);

describe("the last answer", () => {
  it.each([
    "why?",
    "shorter",
    "and in euros?",
    "the second one",
    "Translate it to German",
    "What was her phone number?",
    "Compare the prices you found",
    "continue",
    "is that so?",
    "继续",
    "那个怎么样？",
    "上面的第二个是什么",
    "Warum?",
    "¿por qué?",
  ])("is opened with what tools gave back where the words are about it: %s", (words) => {
    expect(opens(words)).toBe("results");
  });

  it.each([
    "send it to Bob",
    "send the summary to Bob",
    "mail that to anna@home.example please",
    "pls msg anna",
    "No, to Anna!",
    "发给王芳",
    "How many pages?",
    "yes, book it",
  ])("is opened alone where something is to be done with it, or the words say little: %s", (words) => {
    expect(opens(words)).toBe("answer");
  });

  it.each([
    "tell Bob I'll be ten minutes late",
    "@bob the meeting moves to Friday at noon",
    "send an email to my wife at 'jane@home.example' saying dinner is at eight",
    "add dentist tuesday 3pm to my calendar",
    "reschedule my dental check-up",
    "Have Tom call me back",
    "remind me tomorrow at nine to water the plants",
    "明天提醒我下午三点去看牙医",
    "写一封邮件给王芳说我明天迟到十分钟",
    "What does http://news.example/a say?",
    "Find me a flight to Rome and tell me if it includes luggage",
    "Read notes.md and list the open points",
    "Add to AGENTS.md that you should answer me with metric units.",
    "Remember that the spare key is with the neighbours.",
    "thanks!",
    "谢谢",
    "",
    "  \n ",
  ])("stays closed where the words say all themselves: %s", (words) => {
    expect(opens(words)).toBe("nothing");
  });

  it("is decided for any words and names, in no time", () => {
    const words = array(
      constantFrom("it", "send", "to", "Bob", "@bob", "add", "the page", "那", "x".repeat(3000), "第一"),
      {
        maxLength: 400,
      },
    ).map((each) => each.join(" "));
    assert(
      property(words, array(string(), { maxLength: 5 }), (said, names) => {
        expect(["nothing", "answer", "results"]).toContain(opensLast(said, names));
      }),
    );
    const before = process.cpuUsage();
    for (const said of [
      "add ".repeat(50_000),
      "a".repeat(200_000),
      "a@".repeat(100_000),
      "发 ".repeat(50_000),
    ])
      opens(said);
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(2000);
  });
});
