/** What is left of the speed of a release at the least: a loss of 15 % is allowed. */
export const LEAST_RATIO = 0.85;

/** Speeds or inverse costs of this tree and of the release, and this one's share of the other's. */
export interface GateComparison {
  readonly current: string;
  readonly release: string;
  /** Above 1 if this tree is better. */
  readonly ratio: number;
}

/** Whether a comparison shows a loss that fails the gate; so does one without a result. */
export function isLoss({ ratio }: GateComparison): boolean {
  return !(ratio >= LEAST_RATIO);
}

/** Measures again on a loss, because other load on the machine can look like one. */
export async function measureTwiceOnLoss(
  measure: () => Promise<GateComparison>,
): Promise<GateComparison> {
  const first = await measure();
  if (!isLoss(first)) return first;
  const second = await measure();
  return second.ratio < first.ratio ? first : second;
}
