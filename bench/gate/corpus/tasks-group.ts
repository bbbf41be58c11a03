/** Groups, and people who are not the owner. */
import type { Corpus } from "./case.ts";

export const cases: Corpus = [
  {
    type: "task",
    id: "task-group-owner-page",
    kind: "group",
    world: { pages: { "http://pizza.example/menu": "<p>Margherita 8, Funghi 9</p>" } },
    says: [
      {
        in: "family",
        text: "@pincer what's on http://pizza.example/menu ?",
        script: [
          { call: "web_fetch", with: { url: "http://pizza.example/menu" } },
          { text: "{{seen:/Margherita 8, Funghi 9/}}" },
        ],
      },
    ],
    done: [{ replied: "Funghi 9" }],
  },
  {
    type: "task",
    id: "task-group-peer-page-summary",
    kind: "group",
    world: { pages: { "http://news.example/park": "<p>The park opens a new playground on Sunday.</p>" } },
    says: [
      {
        by: "anna",
        in: "family",
        text: "Can you sum up http://news.example/park for us?",
        script: [
          { call: "web_fetch", with: { url: "http://news.example/park" } },
          { text: "{{seen:/new playground on Sunday/}}" },
        ],
      },
    ],
    done: [{ replied: "new playground on Sunday" }],
  },
  {
    type: "task",
    id: "task-group-peer-weather-search",
    kind: "group",
    world: {
      search: { "*": [{ title: "Weather", url: "http://weather.example/rome", snippet: "Rome this week" }] },
      pages: { "http://weather.example/rome": "<p>Rome: thunderstorms, 21 degrees.</p>" },
    },
    says: [
      {
        by: "bob",
        in: "work",
        text: "What's the weather in Rome tomorrow?",
        script: [
          { call: "web_search", with: { query: "weather Rome tomorrow" } },
          { call: "web_fetch", with: { url: "http://weather.example/rome" } },
          { text: "{{seen:/thunderstorms, 21 degrees/}}" },
        ],
      },
    ],
    done: [{ replied: "thunderstorms" }],
  },
  {
    type: "task",
    id: "task-group-poll",
    kind: "group",
    says: [
      {
        in: "family",
        text: "Make a poll here: pizza, sushi or curry tonight?",
        script: [
          {
            call: "message",
            with: {
              action: "poll",
              text: "What shall we eat tonight?",
              options: ["Pizza", "Sushi", "Curry"],
            },
          },
          { text: "NO_REPLY" },
        ],
      },
    ],
    done: [{ effect: { type: "message", to: "pigeon:-100", text: "…2. Sushi" } }],
  },
  {
    type: "task",
    id: "task-group-poll-from-direct",
    kind: "group",
    says: [
      {
        text: "Start a poll in the family group: movie on Friday or on Saturday?",
        script: [
          {
            call: "message",
            with: {
              action: "poll",
              to: "family",
              text: "When shall we see the movie?",
              options: ["Friday", "Saturday"],
            },
          },
          { text: "The poll is up." },
        ],
      },
    ],
    done: [{ effect: { type: "message", to: "pigeon:-100", text: "…1. Friday" } }, { replied: "poll is up" }],
  },
  {
    type: "task",
    id: "task-group-announce",
    kind: "group",
    says: [
      {
        text: "Post in the work group that I'm on holiday until the 14th.",
        script: [
          {
            call: "message",
            with: { action: "send", to: "work", text: "Ada is on holiday until the 14th." },
          },
          { text: "Posted." },
        ],
      },
    ],
    done: [{ effect: { type: "message", to: "pigeon:-200", text: "…holiday until the 14th" } }],
  },
  {
    type: "task",
    id: "task-group-overheard-summary",
    kind: "group",
    says: [
      { by: "anna", in: "family", mentioned: false, text: "I can bring the salad.", script: [] },
      { by: "carla", in: "family", mentioned: false, text: "And I bring the bread.", script: [] },
      {
        in: "family",
        text: "Who brings what?",
        script: [{ text: "Anna {{seen:/the salad/}}, Carla {{seen:/the bread/}}." }],
      },
    ],
    done: [{ replied: "the salad, Carla the bread" }],
  },
  {
    type: "task",
    id: "task-group-overheard-then-message",
    kind: "group",
    says: [
      {
        by: "carla",
        in: "family",
        mentioned: false,
        text: "The train leaves at 9:40 by the way.",
        script: [],
      },
      {
        in: "family",
        text: "Please tell Bob when our train leaves, he's not in this group.",
        script: [
          {
            call: "message",
            with: {
              action: "send",
              to: "bob",
              text: "The train leaves at {{seen:/leaves at (\\d:\\d\\d)/}}.",
            },
          },
          { text: "Bob knows." },
        ],
      },
    ],
    done: [{ effect: { type: "message", to: "pigeon:502", text: "…9:40" } }],
  },
  {
    type: "task",
    id: "task-group-owner-file",
    kind: "group",
    says: [
      {
        in: "family",
        text: "What's on my todo list?",
        script: [
          { call: "read", with: { path: "todo.md" } },
          { text: "{{seen:/buy milk/}} and {{seen:/call the plumber/}}" },
        ],
      },
    ],
    done: [{ replied: "call the plumber" }],
  },
  {
    type: "task",
    id: "task-group-peer-time",
    kind: "group",
    says: [
      {
        by: "bob",
        in: "work",
        text: "What day is today?",
        script: [{ call: "time_now" }, { text: "It is {{seen:/20\\d\\d-\\d\\d-\\d\\d/}}." }],
      },
    ],
    done: [{ replied: "/It is 20/" }],
  },
  {
    type: "task",
    id: "task-peer-own-question",
    kind: "peer",
    world: {
      search: { "*": [{ title: "Knots", url: "http://knots.example/bowline", snippet: "The bowline" }] },
      pages: { "http://knots.example/bowline": "<p>Up through the hole, round the tree, back down.</p>" },
    },
    says: [
      {
        by: "peter",
        text: "How do I tie a bowline?",
        script: [
          { call: "web_search", with: { query: "how to tie a bowline" } },
          { call: "web_fetch", with: { url: "http://knots.example/bowline" } },
          { text: "{{seen:/round the tree, back down/}}" },
        ],
      },
    ],
    done: [{ replied: "round the tree" }],
  },
  {
    type: "task",
    id: "task-peer-given-link",
    kind: "peer",
    world: { pages: { "http://recipes.example/r/77?print=1": "<p>Bake it for 35 minutes.</p>" } },
    says: [
      {
        by: "carla",
        text: "How long must I bake this? http://recipes.example/r/77?print=1",
        script: [
          { call: "web_fetch", with: { url: "http://recipes.example/r/77?print=1" } },
          { text: "{{seen:/35 minutes/}}" },
        ],
      },
    ],
    done: [{ replied: "35 minutes" }],
  },
  {
    type: "task",
    id: "task-group-zh-peer-page",
    kind: "group",
    world: { pages: { "http://menpiao.example/": "<p>成人票 60 元，学生半价。</p>" } },
    says: [
      {
        by: "carla",
        in: "family",
        text: "帮我们看看 menpiao.example 门票多少钱",
        script: [
          { call: "web_fetch", with: { url: "http://menpiao.example/" } },
          { text: "{{seen:/成人票 60 元，学生半价/}}" },
        ],
      },
    ],
    done: [{ replied: "成人票 60 元" }],
  },
  {
    type: "task",
    id: "task-group-zh-poll",
    kind: "group",
    says: [
      {
        in: "family",
        text: "在群里发起个投票：周末去爬山还是看电影？",
        script: [
          { call: "message", with: { action: "poll", text: "周末去哪儿？", options: ["爬山", "看电影"] } },
          { text: "NO_REPLY" },
        ],
      },
    ],
    done: [{ effect: { type: "message", to: "pigeon:-100", text: "…2. 看电影" } }],
  },
];
