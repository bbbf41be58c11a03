/** How much is summarised at a time, as a share of the window. */

const baseRatio = 0.4;
const minRatio = 0.15;
/** Token counts are estimates. */
const safetyMargin = 1.2;

/** The larger the messages are on average, the smaller the share: a chunk of few large ones is easily misjudged. */
export function chunkRatio(messageTokens: readonly number[], contextWindow: number): number {
  if (messageTokens.length === 0) return baseRatio;
  const average = messageTokens.reduce((sum, tokens) => sum + tokens, 0) / messageTokens.length;
  const averageRatio = (average * safetyMargin) / contextWindow;
  if (averageRatio <= 0.1) return baseRatio;
  const reduction = Math.min(averageRatio * 2, baseRatio - minRatio);
  return Math.max(minRatio, baseRatio - reduction);
}
