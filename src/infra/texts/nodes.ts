import type { TextTable } from "./table.ts";

/** Nodes: devices that offer capabilities to the gateway. */
export const nodesTexts = {
  "nodes.about": { en: "devices that offer capabilities to the gateway", zh: "供网关使用的设备" },
  "nodes.list": { en: "list the connected nodes", zh: "列出已连接的节点" },
  "nodes.list.none": {
    en: "No node is connected. See docs/guides/nodes.md for how to connect one.",
    zh: "没有已连接的节点。连接方法见 docs/guides/nodes.md。",
  },
  "nodes.none": { en: "There is no node {nodeId}.", zh: "没有节点 {nodeId}。" },
  "nodes.none.hint": {
    en: "`pincer nodes list` lists the connected nodes and what they can do.",
    zh: "`pincer nodes list` 列出已连接的节点及其能力。",
  },
  "nodes.no-command": {
    en: "The node {name} has no command {command}.",
    zh: "节点 {name} 没有命令 {command}。",
  },
  "nodes.too-large": {
    en: "The arguments exceed {limit} bytes.",
    zh: "参数超过 {limit} 字节。",
  },
  "nodes.too-many": {
    en: "{most} nodes are already connected, which is the limit.",
    zh: "已有 {most} 个节点。",
  },
  "nodes.too-many.hint": { en: "Disconnect one of them first.", zh: "请先断开其中一个。" },
  "nodes.busy": { en: "The node {name} is too busy.", zh: "节点 {name} 太忙。" },
  "nodes.busy.hint": { en: "Try again when it has answered.", zh: "等它答复后再试。" },
  "nodes.gone": {
    en: "The node {name} disconnected before it answered.",
    zh: "节点 {name} 在答复前断开了。",
  },
  "nodes.failed": { en: "The node {name} failed: {reason}", zh: "节点 {name} 未能完成：{reason}" },
  "nodes.late": {
    en: "The node {name} did not answer within {timeoutMs} ms.",
    zh: "节点 {name} 未在 {timeoutMs} 毫秒内答复。",
  },
  "nodes.late.hint": {
    en: "It may still have done it: check before you ask again, or use a longer timeoutMs.",
    zh: "它可能仍已执行：请先确认再重试，或设置更长的 timeoutMs。",
  },
  "nodes.not-asked": { en: "This node has no such open request.", zh: "没有向该节点提出过这一请求。" },
  "nodes.not-asked.hint": {
    en: "Answer each node.invoke once, on the connection that it came on, and within its timeoutMs.",
    zh: "请在收到 node.invoke 的连接上、在 timeoutMs 之内答复一次。",
  },
} satisfies TextTable;
