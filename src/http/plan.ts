import type { Dataset, Shape } from '../catalogue/dataset.ts';
import type { fundAllocation } from '../catalogue/fund-allocation.ts';
import type { ValuesOf } from '../catalogue/parameter.ts';
import type { quotes } from '../catalogue/quotes.ts';
import { DEFAULT_LIMIT } from '../catalogue/quotes.ts';
import type { Selection } from '../store/index.ts';
import type { Refusal } from './failures.ts';
import { isRefusal, refuse } from './failures.ts';
import { readQuery } from './query.ts';

/** Turns a query string into what to read, once; later stages never see the string. */
export function plan(dataset: Dataset, query: string): Selection | Refusal {
  const values = readQuery(query, dataset.parameters);
  return isRefusal(values) ? values : planners[dataset.shape](dataset, values);
}

type QuoteValues = ValuesOf<typeof quotes.parameters>;
type FundValues = ValuesOf<typeof fundAllocation.parameters>;

const planners: Record<Shape, (dataset: Dataset, values: object) => Selection | Refusal> = {
  series: (dataset) => ({ find: 'series', dataset }),
  fund: (dataset, { fund_id = '' }: FundValues) => ({ find: 'fund', dataset, id: fund_id }),
  quotes: planQuotes,
};

const FIRST_DAY = '0001-01-01';
const LAST_DAY = '9999-12-31';

function planQuotes(dataset: Dataset, values: QuoteValues): Selection | Refusal {
  const { symbol, date, from, to, type, limit = DEFAULT_LIMIT } = values;
  const ranged = from !== undefined || to !== undefined;
  if (date !== undefined && ranged) return refuse('date_and_range');
  if (from !== undefined && to !== undefined && from > to) return refuse('reversed_range');
  return {
    find: 'quotes',
    dataset,
    limit,
    ...(symbol !== undefined && { security: symbol }),
    ...(type !== undefined && type !== 'all' && { type }),
    ...(date !== undefined && { between: [date, date] as const }),
    ...(ranged && { between: [from ?? FIRST_DAY, to ?? LAST_DAY] as const }),
  };
}
