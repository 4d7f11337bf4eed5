import type { Dataset } from '../../catalogue/model/dataset.ts';
import {
  type FundSummary,
  fundsOperation,
  type SecuritySummary,
  securitiesOperation,
} from '../../catalogue/operations/discovery.ts';
import type { ParameterTexts } from '../../openbb/widget.ts';
import type { Client } from '../background/schedule-job.ts';
import type { RespondToTarget } from '../respond-to-target.ts';
import type { ServerContext } from '../server-context.ts';
import { deriveOnce } from './derive-response.ts';

/** Reads what required parameters are if a user has not chosen them yet. */
export type ReadDefaults = (context: ServerContext, client: Client) => Promise<ParameterTexts>;

/** The defaults are of the newest data that the token may read: a parameter may have none. */
export function createDefaultsReader(
  catalogue: readonly Dataset[],
  respondToTarget: RespondToTarget,
): ReadDefaults {
  return async (context, client) => {
    const findIn = async <T>({ path }: { readonly path: string }, find: FindDefault<T>) => {
      const response = await respondToTarget(context, client, path);
      if (response.status !== 200) return undefined;
      return deriveOnce(response, 'default', (records) => find(records as unknown as T[]));
    };
    const dataset = catalogue.find(({ scope }) => client.principal.scopes.has(scope));
    const symbol = await findIn(securitiesOperation, findLongestQuoted);
    const fund_id = await findIn(fundsOperation, findReportingFund);
    return {
      ...(dataset && { dataset: dataset.name }),
      ...(symbol !== undefined && { symbol }),
      ...(fund_id !== undefined && { fund_id }),
    };
  };
}

type FindDefault<T> = (records: readonly T[]) => string | undefined;

function findReportingFund(funds: readonly FundSummary[]): string | undefined {
  return funds.find(({ lastPeriod }) => lastPeriod !== null)?.fund_id;
}

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
