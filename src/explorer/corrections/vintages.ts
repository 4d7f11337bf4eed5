import type { ApiRequest, JsonRecord } from '../api/types.ts';

/** A published state of a record, from `/vintages/{dataset}`. */
export interface Vintage extends JsonRecord {
  readonly since: number;
  readonly published: string;
  readonly until: number | null;
  readonly withdrawn: string | null;
}

/** Where the states of corrected records are read from, and how a figure is found in them. */
export interface VintageSource {
  readonly createRequest: (periodKey: string) => ApiRequest;
  readonly getFigure: (record: JsonRecord, key: string) => unknown;
}

/** The figure from a revision on; undefined from one that withdrew it, or where it has none. */
export interface FigureState {
  readonly revision: number;
  readonly publishedAt: string;
  readonly value: number | undefined;
  readonly isWithdrawal: boolean;
}

/** The states of a figure, oldest first: a record that was retired has none until it comes again. */
export function listFigureStates(
  vintages: readonly Vintage[],
  getFigure: (record: JsonRecord) => unknown,
): FigureState[] {
  return vintages.flatMap((vintage, index): FigureState[] => {
    const { since, published, until, withdrawn } = vintage;
    const figure = getFigure(vintage);
    const value = typeof figure === 'number' ? figure : undefined;
    const state = { revision: since, publishedAt: published, value, isWithdrawal: false };
    if (until === null || withdrawn === null || vintages[index + 1]?.since === until)
      return [state];
    const end = { revision: until, publishedAt: withdrawn, value: undefined, isWithdrawal: true };
    return [state, end];
  });
}

/** The figure of a key such as `total`, or `provinces.punjab` in a list. */
export function getSeriesFigure(record: JsonRecord, key: string): unknown {
  const [field = '', ...member] = key.split('.');
  const value = record[field];
  if (!Array.isArray(value)) return value;
  return value.find((element) => element.key === member.join('.'))?.value;
}
