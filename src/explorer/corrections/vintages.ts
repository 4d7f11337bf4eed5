import type { VintagesRecord } from '../../client/generated.ts';
import type { ApiRequest, JsonRecord } from '../api/types.ts';

export type PublishedState = JsonRecord & VintagesRecord;

/** The request for all published states of the records of a subject. */
export interface VintageSource extends ApiRequest {
  /** Finds the figure of a key in a state; by default as in a series. */
  readonly getFigure?: typeof getSeriesFigure;
}

export type FigureState = ReturnType<typeof createState>;

const createState = (kind: string, revision: number, publishedAt: string, value?: unknown) => ({
  label: `${kind} in revision ${revision}`,
  publishedAt,
  value: typeof value === 'number' ? value : undefined,
});

/** The states of a figure, oldest first; a retired record has none until it is published again. */
export function listFigureStates(
  vintages: readonly PublishedState[],
  getFigure: (record: JsonRecord) => unknown,
): FigureState[] {
  return vintages.flatMap((vintage, index) => {
    const { since, published, until, withdrawn } = vintage;
    const [previous, next] = [vintages[index - 1], vintages[index + 1]];
    const later = previous?.until === since ? 'Corrected' : 'Published again';
    const state = createState(
      previous ? later : 'First release',
      since,
      published,
      getFigure(vintage),
    );
    const isWithdrawn = until !== null && next?.since !== until;
    return isWithdrawn ? [state, createState('Withdrawn', until, withdrawn ?? '')] : [state];
  });
}

/** The figure of a key such as `total`, or `provinces.punjab` in a list. */
export function getSeriesFigure(record: JsonRecord, key: string): unknown {
  const [field = '', ...member] = key.split('.');
  const value = record[field];
  if (!Array.isArray(value)) return value;
  return value.find((element) => element.key === member.join('.'))?.value;
}
