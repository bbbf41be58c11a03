/** What comes along with words: forwards, quotations, captions; other conversations; and talks that go on for long. */
import type { Corpus, Saying } from "./case.ts";

const page = (number: number): string =>
  `<p>Chapter ${number}. ${"The river went on through the hills and the villages. ".repeat(30)}The hero of chapter ${number} is called Hero${number}.</p>`;
const chapter = (number: number): Saying => ({
  text: `Next: who is the hero of http://novel.example/${number} ?`,
  script: [
    { call: "web_fetch", with: { url: `http://novel.example/${number}` } },
    { text: `It is {{seen:/Hero${number}/}}.` },
  ],
});

export const cases: Corpus = [
  {
    type: "task",
    id: "task-talk-forward-explained",
    kind: "forward",
    says: [
      {
        text: "Dear customer, your parcel could not be delivered. Pay 2 euros at http://parcel-pay.example/x within 24 hours.",
        forwarded: true,
        script: [{ text: "This looks like a fraud: do not pay." }],
      },
      {
        text: "What does this forwarded message want from me?",
        script: [{ text: "It wants {{seen:/2 euros/}}; I think it is a fraud." }],
      },
    ],
    done: [{ replied: "2 euros" }, { noEffect: { type: "request" } }],
  },
  {
    type: "task",
    id: "task-talk-forward-then-answer",
    kind: "forward",
    says: [
      {
        text: "Hey Ada, can you bring the projector on Monday? Bob",
        forwarded: true,
        script: [{ text: "Bob asks for the projector on Monday." }],
      },
      {
        text: "Tell Bob yes, I bring it.",
        script: [
          {
            call: "message",
            with: { action: "send", to: "bob", text: "Yes, Ada brings the projector on Monday." },
          },
          { text: "Bob knows." },
        ],
      },
    ],
    done: [{ effect: { type: "message", to: "pigeon:502", text: "…brings the projector" } }],
  },
  {
    type: "task",
    id: "task-talk-forward-link",
    kind: "forward",
    world: { pages: { "http://festival.example/line-up": "<p>Friday: The Gliders</p>" } },
    says: [
      {
        text: "Look at this! http://festival.example/line-up",
        forwarded: true,
        script: [{ text: "Shall I open it?" }],
      },
      {
        text: "Yes, who plays on Friday?",
        script: [
          { call: "web_fetch", with: { url: "http://festival.example/line-up" } },
          { text: "{{seen:/The Gliders/}}" },
        ],
      },
    ],
    done: [{ replied: "The Gliders" }],
  },
  {
    type: "task",
    id: "task-talk-quoted",
    kind: "forward",
    says: [
      {
        text: "Translate this for me please",
        quotes: "Das Treffen ist um neun Uhr.",
        script: [{ text: "The meeting is at nine o'clock." }],
      },
    ],
    done: [{ replied: "nine o'clock" }],
  },
  {
    type: "task",
    id: "task-talk-quoted-own-then-send",
    kind: "forward",
    says: [
      {
        text: "Send this to Carla",
        quotes: "Packing list: tent, lamp, two sleeping bags.",
        script: [
          {
            call: "message",
            with: {
              action: "send",
              to: "carla",
              text: "{{seen:/Packing list: tent, lamp, two sleeping bags\\./}}",
            },
          },
          { text: "Carla has the list." },
        ],
      },
    ],
    done: [{ effect: { type: "message", to: "pigeon:503", text: "…two sleeping bags" } }],
  },
  {
    type: "task",
    id: "task-talk-caption",
    kind: "caption",
    says: [
      {
        text: "Our new cat! Write a funny line about it.",
        files: { "cat.png": "not really a picture" },
        script: [{ text: "The new boss has moved in." }],
      },
    ],
    done: [{ replied: "new boss" }],
  },
  {
    type: "task",
    id: "task-talk-caption-then-send",
    kind: "caption",
    says: [
      {
        text: "This is the shelf. Tell Anna that it arrived in one piece.",
        files: { "shelf.jpg": "not really a picture" },
        script: [
          { call: "message", with: { action: "send", to: "anna", text: "The shelf arrived in one piece." } },
          { text: "Anna knows." },
        ],
      },
    ],
    done: [{ effect: { type: "message", to: "pigeon:501", text: "…one piece" } }],
  },
  {
    type: "task",
    id: "task-talk-zh-forward",
    kind: "forward",
    says: [
      {
        text: "【快递】您的包裹已到驿站，取件码 8-2-4417，请于 20 点前取走。",
        forwarded: true,
        script: [{ text: "包裹到了。" }],
      },
      { text: "这条消息什么意思？几点前要去拿？", script: [{ text: "包裹在驿站，{{seen:/20 点前/}}取。" }] },
    ],
    done: [{ replied: "20 点前" }],
  },
  {
    type: "task",
    id: "task-talk-zh-quoted",
    kind: "forward",
    says: [
      {
        text: "帮我把这段话发给 Bob",
        quotes: "明天的例会改在二楼会议室。",
        script: [
          {
            call: "message",
            with: { action: "send", to: "bob", text: "{{seen:/明天的例会改在二楼会议室。/}}" },
          },
          { text: "发给 Bob 了。" },
        ],
      },
    ],
    done: [{ effect: { type: "message", to: "pigeon:502", text: "…二楼会议室" } }],
  },
  {
    type: "task",
    id: "task-talk-sessions-list",
    kind: "sessions",
    before: [{ in: "work", text: "We start at nine on Monday.", script: [{ text: "Noted." }] }],
    says: [
      {
        text: "Which conversations do you have, and what did I say in the work group?",
        script: [
          { call: "sessions_list" },
          { call: "sessions_history", with: { session: "agent:main:pigeon:group:-200" } },
          { text: "You said: {{seen:/We start at nine on Monday/}}." },
        ],
      },
    ],
    done: [{ replied: "nine on Monday" }],
  },
  {
    type: "task",
    id: "task-talk-sessions-send-work",
    kind: "sessions",
    before: [{ in: "work", text: "Hello everybody.", script: [{ text: "Hello." }] }],
    says: [
      {
        text: "Tell your work session to prepare an agenda for Monday.",
        script: [
          { call: "sessions_list" },
          {
            call: "sessions_send",
            with: { session: "agent:main:pigeon:group:-200", text: "Please prepare an agenda for Monday." },
          },
          { text: "It is told." },
        ],
      },
    ],
    done: [{ result: "sessions_send" }, { replied: "It is told" }],
  },
  {
    type: "task",
    id: "task-talk-status",
    kind: "sessions",
    says: [
      {
        text: "How full is your context, and which model are you?",
        script: [{ call: "session_status" }, { text: "I am {{seen:/honest/}}." }],
      },
    ],
    done: [{ replied: "honest" }],
  },
  {
    type: "task",
    id: "task-talk-long",
    kind: "long",
    world: {
      pages: Object.fromEntries([1, 2, 3, 4, 5, 6].map((n) => [`http://novel.example/${n}`, page(n)])),
    },
    says: [
      ...[1, 2, 3, 4, 5, 6].map(chapter),
      {
        text: "Tell Anna the name of the last hero, she'll laugh.",
        script: [
          {
            call: "message",
            with: { action: "send", to: "anna", text: "The last hero is {{seen:/Hero6/}}." },
          },
          { text: "Anna knows." },
        ],
      },
    ],
    done: [{ effect: { type: "message", to: "pigeon:501", text: "…Hero6" } }],
  },
  {
    type: "task",
    id: "task-talk-compacted",
    kind: "long",
    world: { pages: Object.fromEntries([1, 2].map((n) => [`http://novel.example/${n}`, page(n)])) },
    says: [
      chapter(1),
      chapter(2),
      { text: "/compact" },
      {
        text: "Now write Bob an email: I recommend the novel.",
        script: [
          {
            call: "mail_send",
            with: { to: "bob@work.example", subject: "A novel", body: "Hi Bob, I recommend the novel. Ada" },
          },
          { text: "Bob has it." },
        ],
      },
    ],
    done: [{ effect: { type: "mail", to: "bob@work.example", body: "…recommend the novel" } }],
  },
  {
    type: "task",
    id: "task-talk-parcel",
    kind: "web",
    says: [
      {
        text: "Where is my parcel 00340-77?",
        script: [
          { call: "parcel_status", with: { id: "00340-77" } },
          { text: "It {{seen:/is on its way/}}." },
        ],
      },
    ],
    done: [{ replied: "on its way" }],
  },
];
