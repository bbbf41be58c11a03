/** The script of the page, as the browser gets it. */
export const pageScript = `
const zh = navigator.language.toLowerCase().startsWith("zh");
const words = zh
  ? { token: "访问令牌或密码", signIn: "登录", wrong: "无法登录。代码只能使用一次，有效期五分钟；执行 pincer access code 获取新链接。", need: "请打开终端中的登录链接，或输入令牌。", ask: "消息", send: "发送", out: "退出登录", as: "已登录：", failed: "失败：", gone: "无法连接网关，稍后会重试。" }
  : { token: "Token or password", signIn: "Sign in", wrong: "That did not work. A code works once, for five minutes; run pincer access code for a new link.", need: "Open the sign-in link from your terminal, or enter the token.", ask: "Message", send: "Send", out: "Sign out", as: "Signed in: ", failed: "Failed: ", gone: "The gateway cannot be reached; trying again." };
const by = (id) => document.getElementById(id);
document.documentElement.lang = zh ? "zh" : "en";
by("secret-label").textContent = words.token;
by("sign-in-button").textContent = words.signIn;
by("words-label").textContent = words.ask;
by("send").textContent = words.send;
by("sign-out").textContent = words.out;
let asks = "token";
const json = { "content-type": "application/json" };
const post = (path, body) => fetch(path, { method: "POST", headers: json, body: JSON.stringify(body) });

async function signIn(proof) {
  const response = await post("/api/sign-in", proof);
  return response.ok;
}

async function show(note) {
  let response;
  try { response = await fetch("/api/me"); }
  catch { by("state").textContent = words.gone; setTimeout(show, 2000); return; }
  const me = response.ok ? await response.json() : { signedIn: false };
  asks = me.asks ?? asks;
  by("sign-in").hidden = me.signedIn;
  by("talk").hidden = !me.signedIn;
  if (!me.signedIn) { by("state").textContent = note ?? words.need; return; }
  by("state").textContent = words.as + me.role;
  if (by("said").childElementCount === 0) await showEarlier();
  by("words").focus();
}

async function showEarlier() {
  const response = await post("/api/rpc/chat.history", { params: { session: "main", limit: 60 } });
  // Not everybody may read; then the page begins empty.
  if (!response.ok) return;
  for (const { type, message } of (await response.json()).entries) {
    if (type !== "message" || message.role === "toolResult") continue;
    const text = message.content.filter((part) => part.type === "text").map((part) => part.text).join("\\n");
    if (text !== "") line(message.role === "user" ? "mine" : "theirs", text);
  }
}

function line(className, text) {
  const item = document.createElement("li");
  item.className = className;
  item.textContent = text;
  by("said").append(item);
  item.scrollIntoView({ block: "end" });
  return item;
}

async function ask(text) {
  line("mine", text);
  const answer = line("theirs", "…");
  const headers = { ...json, "x-pincer-session": "main", "idempotency-key": crypto.randomUUID() };
  const body = JSON.stringify({ model: "pincer", stream: true, messages: [{ role: "user", content: text }] });
  const response = await fetch("/v1/chat/completions", { method: "POST", headers, body });
  if (!response.ok) { answer.textContent = words.failed + ((await response.json()).error?.message ?? response.status); return; }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "", said = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    rest += value;
    const events = rest.split("\\n\\n");
    rest = events.pop();
    for (const event of events) {
      const data = event.split("\\n").filter((each) => each.startsWith("data: ")).map((each) => each.slice(6)).join("\\n");
      if (data === "" || data === "[DONE]") continue;
      const chunk = JSON.parse(data);
      if (chunk.error) { answer.textContent = words.failed + chunk.error.message; return; }
      said += chunk.choices?.[0]?.delta?.content ?? "";
      if (said !== "") answer.textContent = said;
    }
  }
}

by("sign-in").addEventListener("submit", async (event) => {
  event.preventDefault();
  const secret = by("secret").value;
  const isIn = await signIn(asks === "password" ? { password: secret } : { token: secret });
  by("secret").value = "";
  await show(isIn ? undefined : words.wrong);
});
by("sign-out").addEventListener("click", async () => { await post("/api/sign-out", {}); by("said").replaceChildren(); await show(); });
by("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = by("words").value;
  by("words").value = "";
  ask(text).catch((error) => line("theirs", words.failed + error.message));
});
by("words").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) { event.preventDefault(); by("ask").requestSubmit(); }
});

async function comeIn() {
  const code = new URLSearchParams(location.hash.slice(1)).get("code");
  // Out of the address bar and the history before anything else happens.
  if (code) history.replaceState(null, "", "/");
  const isIn = code ? await signIn({ code }) : true;
  await show(isIn ? undefined : words.wrong);
}
// A link that is opened where the page is open already only changes what is behind the #.
addEventListener("hashchange", comeIn);
await comeIn();
`;
