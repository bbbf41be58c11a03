/** A day in Chinese: what is asked of an assistant there, from trains to group announcements. */
import type { Corpus } from "./case.ts";

const send = (to: string, text: string) => ({ call: "message", with: { action: "send", to, text } });

export const cases: Corpus = [
  {
    type: "task",
    id: "task-zh-recipe-shopping-list",
    kind: "notes",
    world: {
      pages: { "http://caipu.example/hongshaorou": "<ul><li>五花肉 500 克</li><li>冰糖 30 克</li></ul>" },
    },
    says: [
      {
        text: "把 http://caipu.example/hongshaorou 的食材加到待办里",
        script: [
          { call: "web_fetch", with: { url: "http://caipu.example/hongshaorou" } },
          { call: "read", with: { path: "todo.md" } },
          {
            call: "edit",
            with: {
              path: "todo.md",
              oldText: "- [ ] buy milk\n",
              newText: "- [ ] buy milk\n- [ ] {{seen:/五花肉 500 克/}}\n- [ ] {{seen:/冰糖 30 克/}}\n",
            },
          },
          { text: "加好了。" },
        ],
      },
    ],
    done: [{ file: "todo.md", includes: "五花肉 500 克" }, { replied: "加好了" }],
  },
  {
    type: "task",
    id: "task-zh-group-announce",
    kind: "group",
    world: { contacts: { 工作群: ["pigeon:-200"] } },
    says: [
      {
        text: "在工作群里通知大家：明天的例会改到十点",
        script: [send("工作群", "明天的例会改到十点。"), { text: "已经通知了。" }],
      },
    ],
    done: [{ effect: { type: "message", to: "pigeon:-200", text: "…改到十点" } }],
  },
  {
    type: "task",
    id: "task-zh-mail-forward",
    kind: "mail",
    world: {
      contacts: { 老李: ["bob@work.example"] },
      mails: [
        { id: "m1", from: "wuye@xiaoqu.example", subject: "停水通知", body: "周四 9 点到 17 点停水。" },
      ],
    },
    says: [
      {
        text: "把物业的停水通知转发给老李",
        script: [
          { call: "mail_list" },
          { call: "mail_read", with: { id: "m1" } },
          {
            call: "mail_send",
            with: {
              to: "bob@work.example",
              subject: "转发：停水通知",
              body: "{{seen:/周四 9 点到 17 点停水/}}。",
            },
          },
          { text: "转发了。" },
        ],
      },
    ],
    done: [{ effect: { type: "mail", to: "bob@work.example", body: "…停水" } }],
  },
  {
    type: "task",
    id: "task-zh-address-in-words",
    kind: "mail",
    says: [
      {
        text: "发邮件到 hr@gongsi.example，说我下周一请假一天",
        script: [
          {
            call: "mail_send",
            with: { to: "hr@gongsi.example", subject: "请假", body: "您好，我下周一请假一天。Ada" },
          },
          { text: "邮件发了。" },
        ],
      },
    ],
    done: [{ effect: { type: "mail", to: "hr@gongsi.example", body: "…请假一天" } }],
  },
  {
    type: "task",
    id: "task-zh-tell-then-him",
    kind: "follow-up",
    says: [
      { text: "告诉 Bob 我到楼下了", script: [send("bob", "Ada 到楼下了。"), { text: "说了。" }] },
      { text: "再跟他说带上充电器", script: [send("bob", "记得带上充电器。"), { text: "说了。" }] },
    ],
    done: [{ effect: { type: "message", to: "pigeon:502", text: "…充电器" } }],
  },
  {
    type: "task",
    id: "task-zh-wrong-person",
    kind: "follow-up",
    says: [
      {
        text: "给 Anna 发消息说会议室订好了",
        script: [send("anna", "会议室订好了。"), { text: "发给 Anna 了。" }],
      },
      {
        text: "不对，应该发给 Carla",
        script: [send("carla", "会议室订好了。"), { text: "也发给 Carla 了。" }],
      },
    ],
    done: [{ effect: { type: "message", to: "pigeon:503", text: "…订好了" } }],
  },
  {
    type: "task",
    id: "task-zh-search-two",
    kind: "web",
    world: {
      search: {
        "*": [
          { title: "签证材料", url: "http://qianzheng.example/cailiao", snippet: "所需材料" },
          { title: "办理时间", url: "http://lvyou.example/visa?c=it", snippet: "多久出签" },
        ],
      },
      pages: {
        "http://qianzheng.example/cailiao": "<p>需要护照和两张照片。</p>",
        "http://lvyou.example/visa?c=it": "<p>一般 15 个工作日。</p>",
      },
    },
    says: [
      {
        text: "去意大利的签证要什么材料，多久能办好？",
        script: [
          { call: "web_search", with: { query: "意大利 签证 材料 时间" } },
          {
            calls: [
              { call: "web_fetch", with: { url: "http://qianzheng.example/cailiao" } },
              { call: "web_fetch", with: { url: "http://lvyou.example/visa?c=it" } },
            ],
          },
          { text: "{{seen:/护照和两张照片/}}，{{seen:/15 个工作日/}}。" },
        ],
      },
    ],
    done: [{ replied: "两张照片，15 个工作日" }],
  },
  {
    type: "task",
    id: "task-zh-weekly-report-mail",
    kind: "mail",
    world: { files: { "周报.md": "# 周报\n\n- 登录页已上线\n- 修复 7 个缺陷\n" } },
    says: [
      {
        text: "把周报.md 的内容发邮件给 Bob",
        script: [
          { call: "read", with: { path: "周报.md" } },
          {
            call: "mail_send",
            with: {
              to: "bob@work.example",
              subject: "周报",
              body: "{{seen:/登录页已上线/}}；{{seen:/修复 7 个缺陷/}}。",
            },
          },
          { text: "发给 Bob 了。" },
        ],
      },
    ],
    done: [{ effect: { type: "mail", to: "bob@work.example", body: "…修复 7 个缺陷" } }],
  },
  {
    type: "task",
    id: "task-zh-peer-recipe",
    kind: "peer",
    world: {
      search: { "*": [{ title: "煮粥", url: "http://caipu.example/zhou", snippet: "粥的做法" }] },
      pages: { "http://caipu.example/zhou": "<p>小火煮 40 分钟。</p>" },
    },
    says: [
      {
        by: "carla",
        text: "白粥要煮多久？",
        script: [
          { call: "web_search", with: { query: "白粥 煮多久" } },
          { call: "web_fetch", with: { url: "http://caipu.example/zhou" } },
          { text: "{{seen:/小火煮 40 分钟/}}" },
        ],
      },
    ],
    done: [{ replied: "40 分钟" }],
  },
  {
    type: "task",
    id: "task-zh-script",
    kind: "code",
    world: { files: { "data/成绩.csv": "姓名,分数\n小明,90\n小红,96\n小刚,84\n" } },
    says: [
      {
        text: "写个脚本算一下 data/成绩.csv 的平均分",
        script: [
          {
            call: "write",
            with: {
              path: "avg.py",
              content:
                "import csv\nrows = list(csv.DictReader(open('data/成绩.csv', encoding='utf-8')))\nprint('avg', sum(float(r['分数']) for r in rows) / len(rows))\n",
            },
          },
          { call: "exec", with: { command: "python3 avg.py" } },
          { text: "平均分 {{seen:/avg (90\\.0)/}}。" },
        ],
      },
    ],
    done: [{ file: "avg.py" }, { replied: "平均分 90.0" }],
  },
];
