/** Deviations beyond this many standard deviations, estimated by the median, do not count. */
const TUKEY_CUTOFF = 4.685;
/** Makes the median of absolute deviations the standard deviation of a normal distribution. */
const MEDIAN_TO_DEVIATION = 1.4826;

/** The deviation from which an observation is an outlier; below `minDeviation` none is. */
export function computeCutoff(deviations: Float64Array, minDeviation: number): number {
  const median = deviations.map(Math.abs).sort()[deviations.length >> 1] ?? 0;
  return TUKEY_CUTOFF * Math.max(minDeviation, median * MEDIAN_TO_DEVIATION);
}

/** How much an observation counts: 1 on the curve, 0 from the cutoff on (Tukey's biweight). */
export function getBiweight(deviation: number, cutoff: number): number {
  const ratio = deviation / cutoff;
  return Math.abs(ratio) < 1 ? (1 - ratio * ratio) ** 2 : 0;
}

/**
 * The contribution of a deviation to the loss: its square near the curve, ever less further away. Without a
 * finite cutoff it is the square.
 */
export function getBiweightLoss(deviation: number, cutoff: number): number {
  if (cutoff === Infinity) return deviation * deviation;
  const ratio = deviation / cutoff;
  const remaining = Math.abs(ratio) < 1 ? (1 - ratio * ratio) ** 3 : 0;
  return ((1 - remaining) * cutoff * cutoff) / 3;
}
