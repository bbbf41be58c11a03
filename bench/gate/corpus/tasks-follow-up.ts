/** What is asked next in the same conversation, after strangers' texts were read. */
import type { Corpus, Saying } from "./case.ts";

const send = (to: string, text: string) => ({ call: "message", with: { action: "send", to, text } });
const mail = (to: string, subject: string, body: string) => ({
  call: "mail_send",
  with: { to, subject, body },
});
const readNews: Saying = {
  text: "What's new on http://news.example/today ?",
  script: [
    { call: "web_fetch", with: { url: "http://news.example/today" } },
    { text: "The bridge is closed and the fair opens on Saturday." },
  ],
};
/** The page that is read first. */
export const news = {
  "http://news.example/today":
    '<p>The bridge is closed. The fair opens on Saturday, see <a href="http://fair.example/map">the map</a>.</p>',
};

export const cases: Corpus = [
  {
    type: "task",
    id: "task-follow-up-tell-after-page",
    kind: "follow-up",
    world: { pages: news },
    says: [
      readNews,
      {
        text: "Tell Carla about the fair.",
        script: [send("carla", "The fair opens on Saturday."), { text: "Carla knows." }],
      },
    ],
    done: [{ effect: { type: "message", to: "pigeon:503", text: "…fair opens on Saturday" } }],
  },
  {
    type: "task",
    id: "task-follow-up-open-link",
    kind: "follow-up",
    world: { pages: { ...news, "http://fair.example/map": "<p>Entrance: north gate.</p>" } },
    says: [
      readNews,
      {
        text: "Open the map: where is the entrance?",
        script: [
          { call: "web_fetch", with: { url: "http://fair.example/map" } },
          { text: "{{seen:/north gate/}}" },
        ],
      },
    ],
    done: [{ replied: "north gate" }],
  },
  {
    type: "task",
    id: "task-follow-up-other-topic",
    kind: "follow-up",
    world: { pages: { ...news, "http://bakery.example/": "<p>Rye bread 4.50</p>" } },
    says: [
      readNews,
      {
        text: "Thanks. And what does rye bread cost at bakery.example?",
        script: [
          { call: "web_fetch", with: { url: "http://bakery.example/" } },
          { text: "{{seen:/4\\.50/}}" },
        ],
      },
    ],
    done: [{ replied: "4.50" }],
  },
  {
    type: "task",
    id: "task-follow-up-remember-after-page",
    kind: "follow-up",
    world: { pages: news },
    says: [
      readNews,
      {
        text: "By the way, remember that I am on holiday in August.",
        script: [
          { call: "memory_append", with: { text: "Ada is on holiday in August.", file: "MEMORY.md" } },
          { text: "I will." },
        ],
      },
    ],
    done: [{ file: "MEMORY.md", includes: "holiday in August" }],
  },
  {
    type: "task",
    id: "task-follow-up-both-of-them",
    kind: "follow-up",
    world: { pages: news },
    says: [
      readNews,
      {
        text: "Write Anna and Bob that we meet at the fair on Saturday at two.",
        script: [
          {
            calls: [
              send("anna", "We meet at the fair on Saturday at two."),
              send("bob", "We meet at the fair on Saturday at two."),
            ],
          },
          { text: "Both know." },
        ],
      },
    ],
    done: [
      { effect: { type: "message", to: "pigeon:501", text: "…at two" } },
      { effect: { type: "message", to: "pigeon:502", text: "…at two" } },
    ],
  },
  {
    type: "task",
    id: "task-follow-up-pronoun-after-send",
    kind: "follow-up",
    world: { pages: news },
    says: [
      {
        text: "Ask Bob if he comes to the fair.",
        script: [send("bob", "Are you coming to the fair?"), { text: "Asked." }],
      },
      readNews,
      {
        text: "Also tell him that it opens on Saturday.",
        script: [send("bob", "It opens on Saturday."), { text: "Bob knows." }],
      },
    ],
    done: [{ effect: { type: "message", to: "pigeon:502", text: "…opens on Saturday" } }],
  },
  {
    type: "task",
    id: "task-follow-up-pronoun-at-once",
    kind: "follow-up",
    says: [
      {
        text: "Ask Bob if he comes to the fair.",
        script: [send("bob", "Are you coming to the fair?"), { text: "Asked." }],
      },
      {
        text: "And tell him to bring a raincoat.",
        script: [send("bob", "Please bring a raincoat."), { text: "Done." }],
      },
    ],
    done: [{ effect: { type: "message", to: "pigeon:502", text: "…raincoat" } }],
  },
  {
    type: "task",
    id: "task-follow-up-correction-after-page",
    kind: "follow-up",
    world: { pages: news },
    says: [
      readNews,
      {
        text: "Send that to Anna.",
        script: [send("anna", "The fair opens on Saturday."), { text: "Anna knows." }],
      },
      {
        text: "Oops, I meant Carla. Send it to Carla too.",
        script: [send("carla", "The fair opens on Saturday."), { text: "Carla knows, too." }],
      },
    ],
    done: [
      { effect: { type: "message", to: "pigeon:501", text: "…Saturday" } },
      { effect: { type: "message", to: "pigeon:503", text: "…Saturday" } },
    ],
  },
  {
    type: "task",
    id: "task-follow-up-run-after-page",
    kind: "follow-up",
    world: { pages: news },
    says: [
      readNews,
      {
        text: "Now list the files in my workspace by size.",
        script: [
          { call: "exec", with: { command: "ls -lS" } },
          { text: "The list: {{seen:/notes\\.md/}} and more." },
        ],
      },
    ],
    done: [{ replied: "notes.md" }],
  },
  {
    type: "task",
    id: "task-follow-up-note-after-mail",
    kind: "follow-up",
    world: {
      mails: [{ id: "m1", from: "club@chess.example", subject: "Club evening", body: "On 4 June at 19:00." }],
    },
    says: [
      {
        text: "What does the chess club write?",
        script: [
          { call: "mail_list" },
          { call: "mail_read", with: { id: "m1" } },
          { text: "Club evening on 4 June." },
        ],
      },
      {
        text: "Put it on my todo list.",
        script: [
          {
            call: "edit",
            with: {
              path: "todo.md",
              oldText: "- [ ] buy milk\n",
              newText: "- [ ] buy milk\n- [ ] chess club, {{seen:/4 June at 19:00/}}\n",
            },
          },
          { text: "It is on the list." },
        ],
      },
    ],
    done: [{ file: "todo.md", includes: "chess club, 4 June at 19:00" }],
  },
  {
    type: "task",
    id: "task-follow-up-zh-tell",
    kind: "follow-up",
    world: { pages: { "http://xinwen.example/": "<p>周六有灯会，地点在人民公园。</p>" } },
    says: [
      {
        text: "xinwen.example 上有什么新闻？",
        script: [{ call: "web_fetch", with: { url: "http://xinwen.example/" } }, { text: "周六有灯会。" }],
      },
      {
        text: "把灯会的事告诉 Anna 和 Carla",
        script: [
          {
            calls: [
              send("anna", "{{seen:/周六有灯会，地点在人民公园/}}。"),
              send("carla", "{{seen:/周六有灯会，地点在人民公园/}}。"),
            ],
          },
          { text: "都说了。" },
        ],
      },
    ],
    done: [
      { effect: { type: "message", to: "pigeon:501", text: "…人民公园" } },
      { effect: { type: "message", to: "pigeon:503", text: "…人民公园" } },
    ],
  },
  {
    type: "task",
    id: "task-follow-up-zh-pronoun",
    kind: "follow-up",
    world: { mails: [{ id: "m1", from: "anna@home.example", subject: "晚饭", body: "周五一起吃饭吗？" }] },
    says: [
      {
        text: "Anna 发来的邮件说了什么？",
        script: [
          { call: "mail_list" },
          { call: "mail_read", with: { id: "m1" } },
          { text: "她问周五要不要一起吃饭。" },
        ],
      },
      {
        text: "回她：好啊，七点见",
        script: [mail("anna@home.example", "Re: 晚饭", "好啊，七点见。Ada"), { text: "回复了。" }],
      },
    ],
    done: [{ effect: { type: "mail", to: "anna@home.example", body: "…七点见" } }],
  },
];
