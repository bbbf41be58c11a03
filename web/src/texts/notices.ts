export const noticesTexts = {
  "notices.none": { en: "Nothing needs your attention.", zh: "没有需要你处理的事项。" },
  "notices.dismiss": { en: "Dismiss", zh: "标为已读" },
  "notices.approval": { en: "{tool} needs your approval: {shown}", zh: "{tool} 请求批准：{shown}" },
  "notices.pairing": { en: "{who} on {channel} asks for access", zh: "{channel} 上的 {who} 请求配对" },
  "notices.channel": { en: "{channel} does not work: {reason}", zh: "{channel} 无法工作：{reason}" },
  "notices.budget": { en: "{percent} % of {key} is used", zh: "{key} 已用 {percent}%" },
  "notices.budget.over": {
    en: "{key} is used up: turns stop until you raise it or its period ends",
    zh: "{key} 已用尽：在提高或重置之前，新的回合会停止",
  },
  "notices.steering.show": { en: "Show changes", zh: "查看改动" },
  "notices.steering.accept": { en: "Accept these versions", zh: "接受这些版本" },
  "notices.steering.large": { en: "It is too large.", zh: "文件太大。" },
  "notices.steering.changed": {
    en: "Changed meanwhile, and not accepted: {files}",
    zh: "期间又有改动，未接受：{files}",
  },
  "notices.config": {
    en: "The config file cannot be used: the gateway runs with the last good one",
    zh: "配置文件无法使用：网关正在使用上一份可用的配置",
  },
} as const;
