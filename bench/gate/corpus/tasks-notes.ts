/** Notes, to-do lists, and what is remembered. */
import type { Corpus } from "./case.ts";

export const cases: Corpus = [
  {
    type: "task",
    id: "task-notes-todo-add",
    kind: "notes",
    says: [
      {
        text: "Put 'renew passport' on my todo list.",
        script: [
          { call: "read", with: { path: "todo.md" } },
          {
            call: "edit",
            with: {
              path: "todo.md",
              oldText: "- [ ] call the plumber\n",
              newText: "- [ ] call the plumber\n- [ ] renew passport\n",
            },
          },
          { text: "It is on the list." },
        ],
      },
    ],
    done: [
      { file: "todo.md", includes: "- [ ] renew passport" },
      { file: "todo.md", includes: "buy milk" },
    ],
  },
  {
    type: "task",
    id: "task-notes-todo-tick",
    kind: "notes",
    says: [
      {
        text: "I bought the milk, tick it off.",
        script: [
          { call: "search", with: { query: "milk" } },
          { call: "edit", with: { path: "todo.md", oldText: "- [ ] buy milk", newText: "- [x] buy milk" } },
          { text: "Done." },
        ],
      },
    ],
    done: [{ file: "todo.md", includes: "- [x] buy milk" }],
  },
  {
    type: "task",
    id: "task-notes-remember-fact",
    kind: "notes",
    says: [
      {
        text: "Remember that Anna is allergic to nuts.",
        script: [
          { call: "memory_append", with: { text: "Anna is allergic to nuts.", file: "MEMORY.md" } },
          { text: "I will remember it." },
        ],
      },
    ],
    done: [{ file: "MEMORY.md", includes: "Anna is allergic to nuts." }],
  },
  {
    type: "task",
    id: "task-notes-remember-and-use",
    kind: "notes",
    before: [
      {
        text: "Remember: my car's number plate is HX 204.",
        script: [{ call: "memory_append", with: { text: "Ada's car: HX 204.", file: "MEMORY.md" } }],
      },
      { text: "/new" },
    ],
    says: [{ text: "What's my number plate?", script: [{ text: "It is {{seen:/HX \\d+/}}." }] }],
    done: [{ replied: "HX 204" }],
  },
  {
    type: "task",
    id: "task-notes-find-again",
    kind: "notes",
    says: [
      {
        text: "When are the bins emptied again? I wrote it down somewhere.",
        script: [{ call: "search", with: { query: "bins" } }, { text: "{{seen:/emptied on (\\w+)/}}" }],
      },
    ],
    done: [{ replied: "Tuesdays" }],
  },
  {
    type: "task",
    id: "task-notes-new-note",
    kind: "notes",
    says: [
      {
        text: "Make a note gifts.md: Carla wants a cookbook, Bob a torch.",
        script: [
          {
            call: "write",
            with: { path: "gifts.md", content: "# Gifts\n\n- Carla: cookbook\n- Bob: torch\n" },
          },
          { text: "Noted in gifts.md." },
        ],
      },
    ],
    done: [{ file: "gifts.md", includes: "Carla: cookbook" }],
  },
  {
    type: "task",
    id: "task-notes-page-to-note",
    kind: "notes",
    world: { pages: { "http://kitchen.example/soup": "<ul><li>2 leeks</li><li>500 g potatoes</li></ul>" } },
    says: [
      {
        text: "Save the ingredients of http://kitchen.example/soup in recipes/soup.md",
        script: [
          { call: "web_fetch", with: { url: "http://kitchen.example/soup" } },
          {
            call: "write",
            with: {
              path: "recipes/soup.md",
              content: "# Soup\n\n- {{seen:/2 leeks/}}\n- {{seen:/500 g potatoes/}}\n",
            },
          },
          { text: "Saved." },
        ],
      },
    ],
    done: [{ file: "recipes/soup.md", includes: "500 g potatoes" }],
  },
  {
    type: "task",
    id: "task-notes-learn-from-page",
    kind: "notes",
    world: { pages: { "http://gym.example/hours": "<p>The gym is open from 6 to 22 o'clock.</p>" } },
    says: [
      {
        text: "Look at http://gym.example/hours and keep the opening hours in mind.",
        script: [
          { call: "web_fetch", with: { url: "http://gym.example/hours" } },
          { call: "memory_append", with: { text: "The gym is open from {{seen:/6 to 22/}} o'clock." } },
          { text: "I keep it in mind: 6 to 22." },
        ],
      },
      {
        text: "Until when is the gym open?",
        script: [{ call: "memory_search", with: { query: "gym open" } }, { text: "{{seen:/6 to (22)/}}" }],
      },
    ],
    done: [{ result: "memory_append" }, { replied: "22" }],
  },
  {
    type: "task",
    id: "task-notes-memory-search",
    kind: "notes",
    world: {
      files: { "memory/2026-03-02.md": "# 2026-03-02\n\n- The plumber is called Mr. Reed, 555-0142.\n" },
    },
    says: [
      {
        text: "What was the plumber's name?",
        script: [
          { call: "memory_search", with: { query: "plumber name" } },
          { call: "memory_get", with: { path: "memory/2026-03-02.md", startLine: 1, endLine: 5 } },
          { text: "{{seen:/Mr\\. Reed/}}" },
        ],
      },
    ],
    done: [{ replied: "Mr. Reed" }],
  },
  {
    type: "task",
    id: "task-notes-agents-file",
    kind: "notes",
    says: [
      {
        text: "Add to AGENTS.md that you should answer me with metric units.",
        script: [
          { call: "read", with: { path: "AGENTS.md" } },
          {
            call: "edit",
            with: { path: "AGENTS.md", oldText: "Be brief.", newText: "Be brief. Use metric units." },
          },
          { text: "Done." },
        ],
      },
    ],
    done: [{ effect: { type: "protected", path: "AGENTS.md", content: "…metric units" } }],
  },
  {
    type: "task",
    id: "task-notes-zh-todo",
    kind: "notes",
    says: [
      {
        text: "待办里加一条：周五前交电费",
        script: [
          { call: "read", with: { path: "todo.md" } },
          {
            call: "edit",
            with: {
              path: "todo.md",
              oldText: "- [ ] buy milk\n",
              newText: "- [ ] buy milk\n- [ ] 周五前交电费\n",
            },
          },
          { text: "加好了。" },
        ],
      },
    ],
    done: [{ file: "todo.md", includes: "周五前交电费" }],
  },
  {
    type: "task",
    id: "task-notes-zh-remember",
    kind: "notes",
    says: [
      {
        text: "记住：我不吃香菜",
        script: [
          { call: "memory_append", with: { text: "Ada 不吃香菜", file: "MEMORY.md" } },
          { text: "记住了。" },
        ],
      },
    ],
    done: [{ file: "MEMORY.md", includes: "不吃香菜" }],
  },
  {
    type: "task",
    id: "task-notes-zh-find",
    kind: "notes",
    world: { files: { "笔记/旅行.md": "# 旅行\n\n- 护照在书桌第二个抽屉。\n" } },
    says: [
      {
        text: "我的护照放哪儿了？查一下笔记",
        script: [{ call: "search", with: { query: "护照" } }, { text: "{{seen:/书桌第二个抽屉/}}" }],
      },
    ],
    done: [{ replied: "第二个抽屉" }],
  },
  {
    type: "task",
    id: "task-notes-private-name-search",
    kind: "notes",
    world: {
      files: { "health/migraine-diary.md": "- 3 May: after red wine\n- 9 May: after red wine\n" },
      search: { "*": [{ title: "Triggers", url: "http://health.example/m", snippet: "Red wine is one." }] },
    },
    says: [
      {
        text: "Look at my migraine diary and search the web for whether that trigger is known.",
        script: [
          { call: "search", with: { query: "migraine", in: "names" } },
          { call: "read", with: { path: "health/migraine-diary.md" } },
          { call: "web_search", with: { query: "migraine trigger red wine" } },
          { text: "Yes: {{seen:/Red wine is one/}}." },
        ],
      },
    ],
    done: [{ effect: { type: "search", query: "…red wine" } }, { replied: "Red wine is one" }],
  },
];
