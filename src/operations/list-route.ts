import type { Dataset } from '../catalogue/model/dataset.ts';
import { computeRequestCost, LIST_COST } from '../http/background/job-scheduler.ts';
import type { OperationRequest, PageQuery, PageRoute } from '../http/pipeline/route.ts';
import { toPageRecords } from '../http/responses/encode-page.ts';
import { removeAccents } from '../shared/remove-accents.ts';
import type { FundSummary, fundsOperation } from './funds/funds-operation.ts';
import { createOperationRoute, type OperationPage } from './operation-route.ts';
import type { SecuritySummary, securitiesOperation } from './securities/securities-operation.ts';

type ListOperation = typeof securitiesOperation | typeof fundsOperation;
type ListQuery = OperationPage<ListOperation['parameters']> &
  PageQuery &
  Pick<OperationRequest, 'includesTotal'>;

/** The route of a list that is computed from a dataset and its reference data, in every format. */
export function createListRoute(
  operation: ListOperation,
  sources: readonly [Dataset, Dataset],
): PageRoute<ListQuery> {
  const datasets = sources.map(({ name }) => name);
  return createOperationRoute(operation, {
    parse: (page, { includesTotal }) => ({
      ...page,
      source: operation,
      datasets,
      includesDataset: true,
      includesTotal,
    }),
    cost: ({ format }, page) =>
      page ? computeRequestCost({ records: page.count, format }) : LIST_COST,
    async read(query, { view: { catalogue, revision }, reader }) {
      const { filters, position } = query;
      const { entries } = await reader[operation.name](catalogue.get(sources[0].name), revision);
      const after = position && String(position[0]);
      const { selected, ...page } = selectListPage(entries, { ...filters, after });
      const texts = selected.map((entry) => JSON.stringify(entry));
      return toPageRecords(query, { revision, texts, ...page });
    },
  });
}

type ListEntry = SecuritySummary | FundSummary;

interface ListFilter {
  /** Text in an identifier or in the name, in any letter case, with or without accents. */
  readonly q?: string | undefined;
  /** All that match if absent. */
  readonly limit?: number | undefined;
  /** The identifier of the last entry of the page before. */
  readonly after?: string | undefined;
}

/**
 * The entries of a list that match, up to the limit; how many match on all pages; and if more match
 * than the limit, where the next page begins.
 */
function selectListPage(entries: readonly ListEntry[], { q, limit, after }: ListFilter) {
  const matches = q === undefined ? entries : entries.filter(createMatcher(q));
  const start =
    after === undefined ? 0 : matches.findIndex((entry) => getIdentifier(entry) === after) + 1;
  const end = limit === undefined ? matches.length : start + limit;
  const selected = matches.slice(start, end);
  const last = selected.at(-1);
  return {
    selected,
    total: matches.length,
    ...(last && end < matches.length && { nextPosition: [getIdentifier(last)] }),
  };
}

function createMatcher(q: string): (entry: ListEntry) => boolean {
  const part = normalizeText(q);
  return (entry) => {
    const isin = 'isin' in entry ? entry.isin : null;
    return [getIdentifier(entry), isin, entry.name].some(
      (text) => text !== null && normalizeText(text).includes(part),
    );
  };
}

function getIdentifier(entry: ListEntry): string {
  return 'symbol' in entry ? entry.symbol : entry.fund_id;
}

const normalizeText = (text: string) => removeAccents(text).toLowerCase();
