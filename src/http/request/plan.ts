import type { Dataset, Shape } from '../../catalogue/dataset.ts';
import type { fundAllocation } from '../../catalogue/fund-allocation.ts';
import type { ValuesOf } from '../../catalogue/parameter.ts';
import type { quotes } from '../../catalogue/quotes.ts';
import { DEFAULT_LIMIT } from '../../catalogue/quotes.ts';
import type { Quotes, Selection } from '../../store/index.ts';
import type { Refusal } from '../failures.ts';
import { isRefusal, refuse } from '../failures.ts';
import type { Cursors } from './cursor.ts';
import { readQuery } from './query.ts';

/** What a query string comes to. */
export interface Plan {
  readonly selection: Selection;
  /** Its parameters but for a cursor, as one text: what a cursor belongs to. */
  readonly asked: string;
}

/** Turns a query string into what to read, once; later stages never see the string. */
export function plan(dataset: Dataset, query: string, cursors: Cursors): Plan | Refusal {
  const values = readQuery(query, dataset.parameters);
  if (isRefusal(values)) return values;
  const { cursor, ...rest } = values;
  const selection = planners[dataset.shape](dataset, rest);
  if (isRefusal(selection)) return selection;
  const asked = `${dataset.name} ${JSON.stringify(rest)}`;
  if (typeof cursor !== 'string') return { selection, asked };
  const spot = cursors.read(asked, cursor);
  return isRefusal(spot) ? spot : { selection: { ...(selection as Quotes), ...spot }, asked };
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
