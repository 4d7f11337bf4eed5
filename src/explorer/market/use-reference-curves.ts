import type { CurveRecord } from '../../client/generated.ts';
import type { ApiClient } from '../api/api-client.ts';
import type { ApiRequest } from '../api/types.ts';
import { KEEP_PREVIOUS, type QueryResult, useAsyncQuery } from '../api/use-query.ts';
import { type HistoryDays, KEY_TENORS, type ReferenceDay } from './key-rates.ts';
import { CURVE_PATH } from './yield-curves.ts';

interface ReferenceCurve extends ReferenceDay {
  readonly curve: CurveRecord;
}

export interface ReferenceCurves {
  readonly current: CurveRecord | undefined;
  /** Days before the first quotes are left out. */
  readonly references: readonly ReferenceCurve[];
}

/** The government curve at the key tenors, of up to twelve days. */
export function createKeyRatesRequest(days: readonly string[]): ApiRequest {
  return { path: CURVE_PATH, parameters: { date: days.join(), tenors: KEY_TENORS } };
}

/** The curve of a day and those of its reference days, each at its last preceding day with quotes. */
export function useReferenceCurves(
  day: string,
  references: readonly ReferenceDay[],
): QueryResult<ReferenceCurves> {
  const key = `key rates ${day} ${references.map(({ date }) => date)}`;
  return useAsyncQuery<ReferenceCurves>(
    key,
    async (api) => {
      const days = [day, ...references.map(({ date }) => date)];
      const response = await api.read<readonly CurveRecord[]>(createKeyRatesRequest(days));
      const current = response.data.find(({ date }) => date === day);
      const found = await Promise.all(
        references.map((reference) => findReferenceCurve(api, reference, response.data)),
      );
      return { data: { current, references: found.flat() }, meta: response.meta };
    },
    KEEP_PREVIOUS,
  );
}

async function findReferenceCurve(
  api: ApiClient,
  { name, date }: ReferenceDay,
  curves: readonly CurveRecord[],
): Promise<ReferenceCurve[]> {
  const curve = curves.find((each) => each.date === date);
  if (curve && hasRates(curve)) return [{ name, date, curve }];
  const parameters = { to: date, limit: 1, tenors: KEY_TENORS };
  const { data } = await api.read<readonly CurveRecord[]>({ path: CURVE_PATH, parameters });
  return data.map((earlier) => ({ name, date: earlier.date, curve: earlier }));
}

/** The government curve at the key tenors, of the last day of each week or month. */
export function createHistoryRequest({ from, to, every }: HistoryDays): ApiRequest {
  return { path: CURVE_PATH, parameters: { from, to, every, limit: 1_000, tenors: KEY_TENORS } };
}

/** Sorts curves, oldest first, and leaves out those of days without quotes. */
export function sortCurves(curves: readonly CurveRecord[]): CurveRecord[] {
  return curves.filter(hasRates).toSorted((a, b) => (a.date < b.date ? -1 : 1));
}

function hasRates({ points }: CurveRecord): boolean {
  return points.some((point) => point.yield !== null);
}
