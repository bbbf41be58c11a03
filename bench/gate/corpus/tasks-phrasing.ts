/** The same wish, to have somebody told, in the many ways in which people say it. */
import type { Corpus, Saying, TaskCase } from "./case.ts";

const places: Readonly<Record<string, string>> = {
  anna: "pigeon:501",
  bob: "pigeon:502",
  carla: "pigeon:503",
  family: "pigeon:-100",
  work: "pigeon:-200",
};

/** In a conversation in which a stranger's page was read before: `after`. */
const said = (
  id: string,
  words: string,
  to: keyof typeof places & string,
  text: string,
  { after = false, words: pattern = text.slice(0, 12) }: { after?: boolean; words?: string } = {},
): TaskCase => ({
  type: "task",
  id: `task-phrasing-${id}`,
  kind: "phrasing",
  world: { pages: { "http://news.example/today": "<p>Rain all day. Trains are late.</p>" } },
  before: after ? [read] : [],
  says: [
    {
      text: words,
      script: [{ call: "message", with: { action: "send", to, text } }, { text: "Done, it is on its way." }],
    },
  ],
  done: [
    { effect: { type: "message", to: places[to] ?? "", text: `…${pattern}` } },
    { replied: "on its way" },
  ],
});

const read: Saying = {
  text: "What is on http://news.example/today ?",
  script: [{ call: "web_fetch", with: { url: "http://news.example/today" } }, { text: "Rain." }],
};
const after = { after: true };

export const cases: Corpus = [
  said("quick-text", "Shoot Bob a quick text that lunch is at one.", "bob", "Lunch is at one.", after),
  said("check-with", "Check with Anna if Sunday works for her.", "anna", "Does Sunday work for you?"),
  said(
    "check-with-after",
    "Check with Anna if Sunday works for her.",
    "anna",
    "Does Sunday work for you?",
    after,
  ),
  said("say-hi", "Say hi to Carla from me!", "carla", "Hi from Ada!"),
  said("wish", "Wish Anna a happy birthday from me", "anna", "Happy birthday from Ada!"),
  said("thank", "Please thank Bob for the book.", "bob", "Ada thanks you for the book.", after),
  said(
    "apologise",
    "Apologise to Carla that I missed her call.",
    "carla",
    "Ada is sorry that she missed your call.",
  ),
  said("confirm", "Confirm 3 pm with Bob.", "bob", "3 pm is fine."),
  said("confirm-after", "Could you confirm Friday 3 pm with Bob?", "bob", "Friday 3 pm is fine.", after),
  said(
    "should-know",
    "Bob should know that the door code changed, tell him to call me.",
    "bob",
    "Please call Ada.",
  ),
  said(
    "needs-to-know",
    "Carla needs to know that dinner is at eight.",
    "carla",
    "Dinner is at eight.",
    after,
  ),
  said(
    "give-address",
    "Give Bob my new address: Mill Lane 9.",
    "bob",
    "Ada's new address: Mill Lane 9.",
    after,
  ),
  said("invite-both", "Invite Carla for coffee on Sunday.", "carla", "Coffee on Sunday?", after),
  said("remind-other", "Remind Anna to bring the keys.", "anna", "Please bring the keys."),
  said("drop-line", "Drop Anna a line saying I got home fine", "anna", "Ada got home fine.", after),
  said(
    "cancel-on",
    "Cancel tonight with Bob, I'm ill.",
    "bob",
    "Ada is ill and has to cancel tonight.",
    after,
  ),
  said("colon", "to Bob: running late, start without me", "bob", "Running late, start without me."),
  said(
    "message-noun",
    "New message to Carla: train is delayed, home at 9",
    "carla",
    "Train is delayed, home at 9.",
  ),
  said("get-back", "Get back to Anna and say yes.", "anna", "Ada says yes.", after),
  said("lower-case", "pls tell bob im outside", "bob", "Ada is outside.", after),
  said("group-tell", "Tell the family I'll cook tonight.", "family", "Ada cooks tonight.", after),
  said("group-write", "Write in the family chat that I'll cook tonight.", "family", "Ada cooks tonight."),
  said("group-ask", "Ask the work group who has the projector.", "work", "Who has the projector?", after),
  said(
    "group-share",
    "Share with the family group that Grandma arrives at six",
    "family",
    "Grandma arrives at six.",
  ),
  said(
    "two-steps",
    "It's raining all day, right? Then let Carla know the picnic is off.",
    "carla",
    "The picnic is off.",
    after,
  ),
  said("zh-remind", "提醒 Anna 明天带身份证", "anna", "明天记得带身份证。", after),
  said("zh-thank", "替我谢谢 Bob 的礼物", "bob", "Ada 谢谢你的礼物。", after),
  said("zh-wish", "祝 Carla 生日快乐，帮我发一条", "carla", "生日快乐！"),
  said("zh-confirm", "跟 Bob 确认一下明天三点行不行", "bob", "明天三点行吗？"),
  said("zh-confirm-after", "跟 Bob 确认一下明天三点行不行", "bob", "明天三点行吗？", after),
  said("zh-appointment", "约 Carla 周五晚上吃火锅", "carla", "周五晚上一起吃火锅吗？", after),
  said("zh-ask", "问问 Anna 几点到", "anna", "你几点到？", after),
  said("zh-pass-on", "麻烦转告 Bob，会议取消了", "bob", "会议取消了。", after),
  said("zh-group", "在家庭群 family 里说一声我今晚做饭", "family", "Ada 今晚做饭。", after),
  said("zh-give", "给 Anna 发个消息，说我到家了", "anna", "Ada 到家了。", after),
  said("zh-let-know", "让 Carla 知道我已经出发了", "carla", "Ada 已经出发了。", after),
];
