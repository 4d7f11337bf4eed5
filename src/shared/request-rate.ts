import { parseTimeUnit } from './duration.ts';

/** A number of requests per time window. */
export interface Rate {
  readonly count: number;
  readonly windowMs: number;
}

export const RATE_REQUIREMENT =
  'a count per unit of time such as 5/s, 600/min or 10000/hour, or off';

export function parseRate(text: string): Rate | null | undefined {
  if (text === 'off') return null;
  const { count, unit = '' } = /^(?<count>[1-9]\d{0,8})\/(?<unit>[a-z]+)$/.exec(text)?.groups ?? {};
  const windowMs = parseTimeUnit(unit);
  return count && windowMs ? { count: Number(count), windowMs } : undefined;
}
