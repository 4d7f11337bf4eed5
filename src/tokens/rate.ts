/** So many requests in so long a time. */
export interface Rate {
  readonly count: number;
  readonly windowMs: number;
}

export const RATE_RULE = 'a count per unit of time such as 5/s, 600/min or 10000/hour, or off';

const WINDOWS_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  sec: 1_000,
  min: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
};

/** Reads a rate; null for `off`, undefined where the text is none. */
export function readRate(text: string): Rate | null | undefined {
  if (text === 'off') return null;
  const { count, unit } = /^(?<count>[1-9]\d{0,8})\/(?<unit>[a-z]+)$/.exec(text)?.groups ?? {};
  const windowMs = WINDOWS_MS[unit ?? ''];
  return count && windowMs ? { count: Number(count), windowMs } : undefined;
}
