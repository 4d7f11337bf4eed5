import { type Quote, quotes } from '../../../catalogue/datasets/quotes.ts';
import { schema } from '../../../catalogue/model/json-schema.ts';
import { parameter } from '../../../catalogue/model/parameter.ts';
import { roundFigure } from '../../../shared/decimals.ts';
import { computeChange } from '../../records/quote-table.ts';
import { type GetTarget, type Tool, type ToolArguments, ToolError } from '../tool.ts';
import { sliceParameters, sliceRecords } from './paged-tool.ts';

const DEFAULT_SECURITIES = 20;
/** Comparing many more would hold up other requests. */
const MAX_QUOTES = 2_000;

const { symbol, type } = quotes.parameters;
const number = (description: string) => schema.nullable({ type: 'number' }, description);

const CHANGE_SCHEMAS = {
  symbol: schema.string('Symbol of the security'),
  type: schema.string('Instrument type'),
  maturityDate: schema.string('Maturity date'),
  ytmFrom: number('Yield to maturity on the first date; null if it was not computed'),
  ytmTo: number('Yield to maturity on the second date; null if it was not computed'),
  ytmChange: number('Change of the yield; null if one of them is'),
  priceFrom: number('Last price on the first date; null if there was none'),
  priceTo: number('Last price on the second date; null if there was none'),
  priceChange: number('Change of the price; null if one of them is'),
};

const UNITS = {
  ytmFrom: 'percent',
  ytmTo: 'percent',
  ytmChange: 'basis points',
  priceFrom: 'per 100 of face value',
  priceTo: 'per 100 of face value',
  priceChange: 'per 100 of face value',
  medianYtmChange: 'basis points',
};

/** The tool that compares the quotes of two dates. */
export const compareDatesTool: Tool = {
  name: 'compare_dates',
  title: 'Compare two dates',
  description:
    'How yields and prices of bills and bonds changed between two dates, largest change of yield first, with the median change. For yield curves, give get_curve both dates.',
  parameters: {
    from: { ...parameter.day('The first date', '2026-05-29'), isRequired: true },
    to: { ...parameter.day('The second date', '2026-06-30'), isRequired: true },
    symbol: { ...symbol, description: 'Only these symbols or ISINs, separated by commas' },
    type,
    ...sliceParameters('securities', DEFAULT_SECURITIES, 'securities'),
  },
  extraSchemas: {
    fromAddress: schema.string('The URL of the quotes of the first date, at that revision'),
  },
  dataSchema: schema.object({
    compared: schema.integer('Number of securities that were quoted on both dates'),
    onlyFrom: schema.integer('Number of securities that were quoted on the first date alone'),
    onlyTo: schema.integer('Number of securities that were quoted on the second date alone'),
    medianYtmChange: number('Median change of the yield; null if no yield is known on both dates'),
    changes: { type: 'array', items: schema.object(CHANGE_SCHEMAS) },
  }),
  async call(values, getTarget) {
    const second = await getQuotes(values, values.to, getTarget);
    const { revision, address } = second;
    const pinned = revision === 0 ? values : { ...values, as_of: String(revision) };
    const first = await getQuotes(pinned, values.from, getTarget);
    const all = compareQuotes(first.data, second.data);
    const { length: compared } = all;
    const { start, end, next } = sliceRecords(values, compared, DEFAULT_SECURITIES, revision);
    const medianYtmChange = findMedian(all.flatMap(({ ytmChange }) => ytmChange ?? []));
    const data = {
      compared,
      onlyFrom: first.data.length - compared,
      onlyTo: second.data.length - compared,
      medianYtmChange,
      changes: all.slice(start, end),
    };
    const extra = { fromAddress: first.address };
    const median = medianYtmChange === null ? 'unknown' : `${medianYtmChange} basis points`;
    const summary = `${compared} securities quoted on both ${values.from} and ${values.to}, median change of yield ${median}`;
    return { revision, units: UNITS, next, address, extra, data, summary, rows: data.changes };
  },
};

/** The quotes of a date. Rejects with a ToolError if there are none, or too many. */
async function getQuotes(
  { symbol, type, as_of }: ToolArguments,
  date: string | undefined,
  getTarget: GetTarget,
) {
  const filters = { symbol, type, as_of };
  const path = quotes.paths[0];
  const target = await getTarget(path, { ...filters, date, limit: String(MAX_QUOTES) });
  if (target.cursor !== undefined)
    throw new ToolError(`more than ${MAX_QUOTES} quotes on ${date}; give "type" or "symbol"`);
  const data = target.data as readonly Quote[];
  if (data.length > 0) return { ...target, data };
  const earlier = await getTarget(path, { ...filters, to: date, limit: '1' });
  const [nearest] = earlier.data as readonly Quote[];
  const hint = nearest
    ? `the nearest earlier date with quotes is ${nearest.date}`
    : 'nor are there on any earlier date';
  throw new ToolError(`there are no quotes on ${date}; ${hint}`);
}

function compareQuotes(first: readonly Quote[], second: readonly Quote[]) {
  const before = new Map(first.map((quote) => [quote.symbol, quote]));
  return second
    .flatMap((quote) => {
      const old = before.get(quote.symbol);
      return old ? [compareQuote(old, quote)] : [];
    })
    .toSorted((a, b) => Math.abs(b.ytmChange ?? 0) - Math.abs(a.ytmChange ?? 0));
}

function compareQuote(old: Quote, { symbol, type, maturityDate, ...quote }: Quote) {
  return {
    symbol,
    type,
    maturityDate,
    ytmFrom: old.ytm || null,
    ytmTo: quote.ytm || null,
    ytmChange: computeChange(old.ytm, quote.ytm, 100),
    priceFrom: old.lastPrice || null,
    priceTo: quote.lastPrice || null,
    priceChange: computeChange(old.lastPrice, quote.lastPrice),
  } satisfies Record<keyof typeof CHANGE_SCHEMAS, string | number | null>;
}

const DECIMALS = 4;

function findMedian(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return low === undefined || high === undefined ? null : roundFigure((low + high) / 2, DECIMALS);
}
