/** Providers as people look for them: those that most people mean first, the others by their names. Pure. */
import type { ModelProviderView } from "@pincer/sdk";

type Provider = Pick<ModelProviderView, "id" | "name">;

const popular = [
  "anthropic",
  "openai",
  "google",
  "openrouter",
  "deepseek",
  "xai",
  "mistral",
  "groq",
  "moonshotai",
];

export function inOrder<Each extends Provider>(
  providers: readonly Each[],
): { popular: Each[]; others: Each[] } {
  const isPopular = ({ id }: Provider) => popular.includes(id);
  return {
    popular: popular.flatMap((id) => providers.filter((each) => each.id === id)),
    others: providers.filter((each) => !isPopular(each)).toSorted((a, b) => a.name.localeCompare(b.name)),
  };
}
