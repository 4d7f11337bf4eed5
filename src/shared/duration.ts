const UNITS_MS: ReadonlyMap<string, number> = new Map([
  ['s', 1_000],
  ['sec', 1_000],
  ['min', 60_000],
  ['h', 3_600_000],
  ['hour', 3_600_000],
  ['d', 86_400_000],
  ['day', 86_400_000],
]);

/** The milliseconds of a unit of time such as `s`, `min`, `hour` or `d`. */
export function parseTimeUnit(unit: string): number | undefined {
  return UNITS_MS.get(unit);
}

/** The milliseconds of a duration such as `90d`, `12h` or `30min`. */
export function parseDuration(text: string): number | undefined {
  const { count, unit = '' } = /^(?<count>\d{1,6})(?<unit>[a-z]+)$/.exec(text)?.groups ?? {};
  const ms = parseTimeUnit(unit);
  return count && ms ? Number(count) * ms : undefined;
}
