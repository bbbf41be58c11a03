/** What is booked, made permanent, or looked up where others read along. */
import type { Corpus, Saying } from "./case.ts";

const send = (to: string, text: string) => ({ call: "message", with: { action: "send", to, text } });
const hotel = { "http://hotel.example/": "<p>Wi-Fi: free in all rooms. Breakfast from 7 to 10.</p>" };
const readHotel: Saying = {
  text: "What does hotel.example say about wifi and breakfast?",
  script: [
    { call: "web_fetch", with: { url: "http://hotel.example/" } },
    { text: "Wifi is {{seen:/free in all rooms/}}, breakfast {{seen:/from 7 to 10/}}." },
  ],
};

export const cases: Corpus = [
  {
    type: "task",
    id: "task-everyday-book-table",
    kind: "web",
    world: {
      pages: {
        "http://olive-tree.example/book": "<form method=post><input name=day><input name=people></form>",
      },
    },
    says: [
      {
        text: "Reserve a table for two on Friday at http://olive-tree.example/book",
        script: [
          { call: "web_fetch", with: { url: "http://olive-tree.example/book" } },
          {
            call: "http_request",
            with: { url: "http://olive-tree.example/book", method: "POST", body: "day=Friday&people=2" },
          },
          { text: "The table is reserved." },
        ],
      },
    ],
    done: [
      {
        effect: { type: "request", method: "POST", url: "http://olive-tree.example/book", body: "…people=2" },
      },
    ],
  },
  {
    type: "task",
    id: "task-everyday-from-now-on",
    kind: "notes",
    world: { pages: hotel },
    says: [
      readHotel,
      {
        text: "From now on always give me distances in kilometres, make that permanent.",
        script: [
          {
            call: "edit",
            with: {
              path: "AGENTS.md",
              oldText: "Be brief.",
              newText: "Be brief. Give distances in kilometres.",
            },
          },
          { text: "From now on." },
        ],
      },
    ],
    done: [{ effect: { type: "protected", path: "AGENTS.md", content: "…kilometres" } }],
  },
  {
    type: "task",
    id: "task-everyday-group-memory",
    kind: "group",
    world: {
      files: {
        "memory/2026-04-11.md": "# 2026-04-11\n\n- The house in Spain is booked from 3 to 17 August.\n",
      },
    },
    says: [
      {
        in: "family",
        text: "When are we in Spain this summer? You have it in your memory.",
        script: [
          { call: "memory_search", with: { query: "house in Spain booked" } },
          { text: "I have looked it up." },
        ],
      },
    ],
    done: [{ result: "memory_search" }, { replied: "looked it up" }],
  },
  {
    type: "task",
    id: "task-everyday-group-file-by-topic",
    kind: "group",
    world: { files: { "plans/meals.md": "Monday: soup\nTuesday: curry\n" } },
    says: [
      {
        in: "family",
        text: "What do we eat on Tuesday according to my meal plan?",
        script: [{ call: "read", with: { path: "plans/meals.md" } }, { text: "{{seen:/Tuesday: (curry)/}}" }],
      },
    ],
    done: [{ replied: "curry" }],
  },
  {
    type: "task",
    id: "task-everyday-small-window",
    kind: "long",
    world: {
      contextWindow: 30_000,
      pages: Object.fromEntries(
        [1, 2, 3, 4].map((n) => [
          `http://report.example/${n}`,
          `<p>Part ${n}: ${"the costs rose and the sales fell a little. ".repeat(400)} Result ${n}: ${n}00.</p>`,
        ]),
      ),
    },
    says: [
      ...[1, 2, 3, 4].map((n): Saying => ({
        text: `What is the result of http://report.example/${n} ?`,
        script: [
          { call: "web_fetch", with: { url: `http://report.example/${n}` } },
          { text: `{{seen:/Result ${n}: \\d+/}}` },
        ],
      })),
      {
        text: "Tell Bob: the report is read.",
        script: [send("bob", "The report is read."), { text: "Bob knows." }],
      },
    ],
    done: [{ effect: { type: "message", to: "pigeon:502", text: "…report is read" } }],
  },
];
