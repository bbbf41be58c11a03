import type { TextTable } from "./table.ts";

/** Plugins: code that the owner installed. */
export const pluginsTexts = {
  "plugins.about": { en: "code that the owner added", zh: "所有者另外安装的扩展" },
  "plugins.list": { en: "list the plugins of the running gateway", zh: "列出正在运行的网关的插件" },
  "plugins.list.none": {
    en: "No plugin is configured. Add one to plugins.load and restart the gateway.",
    zh: "没有配置插件。请在 plugins.load 中指定并重启网关。",
  },
  "plugins.loaded": { en: "loaded", zh: "已加载" },
  "plugins.left-out": { en: "skipped", zh: "未加载" },
  "plugins.brings": {
    en: "channels: {channels}; tools: {tools}",
    zh: "频道：{channels}；工具：{tools}",
  },
  "plugins.brings-nothing": { en: "adds nothing", zh: "不提供任何内容" },
  "plugins.took-too-long": { en: "it took more than {seconds} seconds", zh: "耗时超过 {seconds} 秒" },
  "plugins.not-absolute": { en: "its path is not absolute", zh: "路径不是完整路径" },
  "plugins.missing": { en: "the path does not exist", zh: "该路径不存在" },
  "plugins.no-entry": {
    en: 'the folder names no entry: package.json needs "pincer": {"entry": "…"}, or there must be an index.ts or index.js',
    zh: '文件夹没有入口：package.json 需要 "pincer": {"entry": "…"}，或包含 index.ts 或 index.js',
  },
  "plugins.entry-outside": {
    en: "its entry is outside of its folder",
    zh: "入口位于其文件夹之外",
  },
  "plugins.in-workspace": {
    en: "it is in {place}, where the assistant itself may write",
    zh: "它位于 {place}，助手自己可以写入那里",
  },
  "plugins.writable": {
    en: "other users of this machine can change {path}",
    zh: "本机其他用户可以修改 {path}",
  },
  "plugins.foreign": { en: "{path} belongs to somebody else", zh: "{path} 属于其他用户" },
  "plugins.bad-shape": { en: "it is not a plugin: {reason}", zh: "它不是插件：{reason}" },
  "plugins.taken": { en: "there is already a {kind} {name}", zh: "已有{kind} {name}" },
  "plugins.threw": { en: "it failed: {reason}", zh: "它出错了：{reason}" },
  "plugins.notice": {
    en: "The plugin {path} was skipped: {problem}.",
    zh: "插件 {path} 未加载：{problem}。",
  },
} satisfies TextTable;
