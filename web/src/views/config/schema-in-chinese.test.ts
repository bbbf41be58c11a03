import { expect, it } from "vitest";
import { configFileSchema } from "../../../../src/config/schema.ts";
import { inChinese } from "./schema-in-chinese.ts";
import { fieldAt, formOf, keysOf } from "./form-model.ts";

interface Node {
  description?: string;
  properties?: Record<string, Node>;
  patternProperties?: Record<string, Node>;
  items?: Node;
  anyOf?: Node[];
}

/** Every sentence of a schema, with the path that it stands at. */
function sentencesOf(node: Node, path = ""): Array<[path: string, sentence: string]> {
  const below = [
    ...Object.entries(node.properties ?? {}).map(([name, each]) => [`${path}.${name}`, each] as const),
    ...Object.values(node.patternProperties ?? {}).map((each) => [`${path}.*`, each] as const),
    ...(node.items ? [[`${path}[]`, node.items] as const] : []),
    ...(node.anyOf ?? []).map((each) => [`${path}|`, each] as const),
  ];
  return [
    ...(node.description === undefined ? [] : [[path, node.description] as [string, string]]),
    ...below.flatMap(([name, each]) => sentencesOf(each, name)),
  ];
}

const schema = configFileSchema();
const chinese = inChinese(schema);

it("UI-01 every key of the config is described in Chinese, profiles included", () => {
  const said = sentencesOf(chinese as Node);
  expect(said.length).toBeGreaterThan(800);
  const names = new Set(["Perplexity。", "Brave Search。", "Tavily。"]);
  const english = said.filter(([, sentence]) => !/\p{Script=Han}/u.test(sentence) && !names.has(sentence));
  expect(english).toEqual([]);
  expect(said.filter(([, sentence]) => sentence.includes("Write it as"))).toEqual([]);
});

it("nothing but the sentences is another in Chinese, and what has no line stays as it was", () => {
  const keys = (of: unknown) => keysOf(formOf(of)).map(({ path }) => path);
  expect(keys(chinese)).toEqual(keys(schema));
  const token = ["gateway", "auth", "token"];
  expect(fieldAt(formOf(chinese), token)).toEqual({
    ...fieldAt(formOf(schema), token),
    description: "主目录令牌；未设置时自动生成一次。请写作“secret:NAME”。",
  });
  expect(inChinese({ type: "string", description: "Its key." })).toEqual({
    type: "string",
    description: "Its key.",
  });
});
