import type { fundAllocation } from '../../catalogue/datasets/fund-allocation.ts';
import type { quotes } from '../../catalogue/datasets/quotes.ts';
import { DEFAULT_LIMIT } from '../../catalogue/datasets/quotes.ts';
import type { Dataset, DatasetShape } from '../../catalogue/model/dataset.ts';
import type { ParameterValues } from '../../catalogue/model/parameter.ts';
import type { QuoteSelection, Selection } from '../../store/open-store.ts';
import type { HttpError } from '../http-error.ts';
import { createHttpError, isHttpError } from '../http-error.ts';
import type { CursorCodec } from './cursor-codec.ts';
import { parseQuery } from './parse-query.ts';

/** What a query string comes to. */
export interface QueryPlan {
  readonly selection: Selection;
  /** Its parameters but for a cursor, as one text: what a cursor belongs to. */
  readonly parameterFingerprint: string;
}

/** Turns a query string into what to read, once; later stages never see the string. */
export function planQuery(
  dataset: Dataset,
  query: string,
  cursors: CursorCodec,
): QueryPlan | HttpError {
  const values = parseQuery(query, dataset.parameters);
  if (isHttpError(values)) return values;
  const { cursor, ...rest } = values;
  const selection = PLANNER_BY_SHAPE[dataset.shape](dataset, rest);
  if (isHttpError(selection)) return selection;
  const asked = `${dataset.name} ${JSON.stringify(rest)}`;
  if (typeof cursor !== 'string') return { selection, parameterFingerprint: asked };
  const spot = cursors.decode(asked, cursor);
  return isHttpError(spot)
    ? spot
    : { selection: { ...(selection as QuoteSelection), ...spot }, parameterFingerprint: asked };
}

type QuoteValues = ParameterValues<typeof quotes.parameters>;
type FundValues = ParameterValues<typeof fundAllocation.parameters>;

const PLANNER_BY_SHAPE: Record<
  DatasetShape,
  (dataset: Dataset, values: object) => Selection | HttpError
> = {
  series: (dataset) => ({ kind: 'series', dataset }),
  fund: (dataset, { fund_id = '' }: FundValues) => ({ kind: 'fund', dataset, id: fund_id }),
  quotes: planQuotes,
};

const MIN_DAY = '0001-01-01';
const MAX_DAY = '9999-12-31';

function planQuotes(dataset: Dataset, values: QuoteValues): Selection | HttpError {
  const { symbol, date, from, to, type, limit = DEFAULT_LIMIT } = values;
  const ranged = from !== undefined || to !== undefined;
  if (date !== undefined && ranged) return createHttpError('date_and_range');
  if (from !== undefined && to !== undefined && from > to) return createHttpError('reversed_range');
  return {
    kind: 'quotes',
    dataset,
    limit,
    ...(symbol !== undefined && { security: symbol }),
    ...(type !== undefined && type !== 'all' && { type }),
    ...(date !== undefined && { dateRange: [date, date] as const }),
    ...(ranged && { dateRange: [from ?? MIN_DAY, to ?? MAX_DAY] as const }),
  };
}
