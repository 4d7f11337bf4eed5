/** A figure to some decimals; one that is no finite number is null. */
export function roundFigure(value: number | null, decimals: number): number | null {
  if (value === null || !Number.isFinite(value)) return null;
  const scale = 10 ** decimals;
  const scaled = Math.round(value * scale);
  // Beyond whole numbers there are no decimals to drop; adding 0 turns -0 into 0.
  return Number.isSafeInteger(scaled) ? scaled / scale + 0 : value;
}
