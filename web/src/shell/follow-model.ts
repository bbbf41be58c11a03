/** Tells whether nobody answers yet but tools that are called by name, now and whenever the config changes. */
import type { GatewayLink } from "@pincer/sdk/client";
import type { Language } from "../texts/texts.ts";

export function followModel(
  link: GatewayLink,
  language: Language,
  tell: (lacksModel: boolean) => void,
): void {
  const look = async (): Promise<void> => {
    try {
      const { done, model } = await link.request("setup.status", { language });
      tell(!done && !model.ready);
    } catch {
      // Not everybody may ask; then nothing is said.
      tell(false);
    }
  };
  link.subscribe(["config"], () => void look());
  void look();
}
