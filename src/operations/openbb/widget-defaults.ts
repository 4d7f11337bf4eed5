import type { Dataset } from '../../catalogue/model/dataset.ts';
import { formatTarget } from '../../catalogue/model/format-target.ts';
import type { RespondToTarget } from '../../http/pipeline/route.ts';
import type { HttpResponse } from '../../http/responses/response.ts';
import type { ParameterTexts } from '../../openbb/widget.ts';
import { type Revision, StoreUnavailableError } from '../../store/open-store.ts';
import type { Principal } from '../../tokens/principal.ts';
import { type FundSummary, fundsOperation } from '../funds/funds-operation.ts';
import { type SecuritySummary, securitiesOperation } from '../securities/securities-operation.ts';
import { deriveOnce } from './derive-response.ts';

/**
 * Reads the values of required parameters that a user has not chosen yet: from the newest data, or
 * from that which a widget shows, since what is pinned to a revision never changes.
 */
export type ReadDefaults = (
  principal: Principal,
  respondToTarget: RespondToTarget,
  asOf?: { readonly texts: ParameterTexts; readonly headers: Headers },
) => Promise<ParameterTexts>;

/** The defaults are of data that the token may read: a parameter may have none. */
export function createDefaultsReader(catalogue: readonly Dataset[]): ReadDefaults {
  return async (principal, respondToTarget, { texts: { as_of }, headers } = NEWEST) => {
    const findIn = async <T>({ path }: { readonly path: string }, find: FindDefault<T>) => {
      const target = formatTarget(path, as_of === undefined ? {} : { as_of });
      const response = await respondToTarget(target, { headers });
      assertAvailable(response);
      if (response.status !== 200) return undefined;
      return deriveOnce(response, 'default', (records) => find(records as unknown as T[]));
    };
    const readable = catalogue.filter(({ scope }) => principal.scopes.has(scope));
    const [dataset] = readable;
    const symbol = await findIn(securitiesOperation, findLongestQuoted);
    const fund_id = await findIn<FundSummary>(
      fundsOperation,
      (funds) => funds.find(({ lastPeriod }) => lastPeriod !== null)?.fund_id,
    );
    return {
      ...(dataset && { dataset: dataset.name }),
      columns: listDefaultColumns(readable).join(),
      ...(symbol !== undefined && { symbol, positions: `${symbol}:1000000` }),
      ...(fund_id !== undefined && { fund_id }),
    };
  };
}

/** The first figures of two series that have no dimensions, else a rate of the curve. */
function listDefaultColumns(datasets: readonly Dataset[]): string[] {
  const columns = datasets.flatMap(({ name, declaration }) => {
    const [measure] = declaration?.dimensions?.length ? [] : (declaration?.measures ?? []);
    return measure ? [`${name}.${measure.field}`] : [];
  });
  const hasQuotes = datasets.some(({ shape }) => shape === 'quotes');
  return [...columns, ...(hasQuotes ? ['curve.yield(tenor=10Y)'] : [])].slice(0, 2);
}

const NEWEST = { texts: {}, headers: new Headers() };

type FindDefault<T> = (records: readonly T[]) => string | undefined;

/**
 * Of the securities with the newest quotes, the one that was quoted first; one with a fixed coupon,
 * if there is any, because it has all figures.
 */
function findLongestQuoted(securities: readonly SecuritySummary[]): string | undefined {
  const lastDates = securities.map(({ lastDate }) => lastDate ?? '');
  const newest = lastDates.toSorted().at(-1);
  const quoted = securities.filter(({ lastDate }) => lastDate !== null && lastDate === newest);
  const fixed = quoted.filter(({ couponRate, floating }) => couponRate !== null && !floating);
  const [first] = (fixed.length > 0 ? fixed : quoted).toSorted((a, b) =>
    `${a.firstDate}`.localeCompare(`${b.firstDate}`),
  );
  return first?.symbol;
}

/** If data is damaged, it is not as if there were none. */
function assertAvailable({ status }: HttpResponse): void {
  if (status === 503) throw new StoreUnavailableError('its defaults cannot be read');
}

/** The names of the datasets whose last revision is made-up sample data. */
export async function readSampleDatasets(
  respondToTarget: RespondToTarget,
): Promise<ReadonlySet<string>> {
  const catalogue = await respondToTarget('/catalogue?limit=10000');
  assertAvailable(catalogue);
  return deriveOnce(catalogue, 'samples', (records) => {
    const samples = records.filter((entry) => (entry.lastRevision as Revision | null)?.sample);
    return new Set(samples.map(({ name }) => String(name)));
  });
}
