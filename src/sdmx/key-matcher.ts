import type { Flow, Measure } from './flow.ts';
import type { SeriesKey } from './message-query.ts';

/** Which series some keys select. */
export interface KeyMatcher {
  /** Values of each declared dimension; all if undefined. Empty if no series can match. */
  readonly values: readonly (readonly string[] | undefined)[];
  readonly isEmpty: boolean;
  /** The measures that keys select of a series, given the ids of its declared dimensions' values. */
  readonly findMeasures: (codes: readonly string[]) => readonly Measure[];
}

export function createKeyMatcher(
  { dimensions, measures }: Flow,
  keys: readonly SeriesKey[] | undefined,
): KeyMatcher {
  const [frequency, ...others] = dimensions;
  const declared = others.slice(0, -1);
  if (!keys)
    return { values: declared.map(() => undefined), isEmpty: false, findMeasures: () => measures };
  const sets = keys
    .map((key) => key.map((codes) => codes && new Set(codes)))
    .filter(([codes]) => !codes || frequency?.ids.keys().some((id) => codes.has(id)));
  const values = declared.map(({ ids }, index) => {
    const selected = sets.map((key) => key[index + 1]);
    if (selected.includes(null)) return undefined;
    return [...ids].flatMap(([value, id]) => (selected.some((set) => set?.has(id)) ? value : []));
  });
  return {
    values,
    isEmpty: sets.length === 0 || values.some((each) => each?.length === 0),
    findMeasures(codes) {
      const matching = sets.filter((key) =>
        codes.every((code, index) => key[index + 1]?.has(code) ?? true),
      );
      return measures.filter(({ id }) => matching.some((key) => key.at(-1)?.has(id) ?? true));
    },
  };
}
