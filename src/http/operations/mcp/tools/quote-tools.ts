import { quotes } from '../../../../catalogue/datasets/quotes.ts';
import { securities } from '../../../../catalogue/datasets/securities.ts';
import { fieldsSchema } from '../../../../catalogue/model/json-schema.ts';
import { ANALYTICS_UNITS, analyticsOperation } from '../../../../catalogue/operations/analytics.ts';
import { CURVE_UNITS, curveOperation } from '../../../../catalogue/operations/curve.ts';
import { securitiesOperation } from '../../../../catalogue/operations/discovery.ts';
import type { TextRow, Tool } from '../tool.ts';
import { AS_OF_ARGUMENT, createPagedTool, getUnits } from './paged-tool.ts';

/** The tools that read securities, their quotes, and what follows from them. */
export function createQuoteTools(): Tool[] {
  return [findSecuritiesTool, getQuotesTool, getCurveTool, getAnalyticsTool];
}

const findSecuritiesTool = createPagedTool(securitiesOperation, {
  name: 'find_securities',
  title: 'Find securities',
  description:
    'Finds bills and bonds by parts of symbols, ISINs and names, with issuer, coupon and the dates on which they were quoted. Matured ones are included.',
  items: 'securities',
  getUnits: () => getUnits(securities),
});

const QUOTE_LIST = {
  path: quotes.paths[0],
  parameters: quotes.parameters,
  dataSchema: { type: 'array', items: fieldsSchema(quotes.fields) },
};

const getQuotesTool = createPagedTool(QUOTE_LIST, {
  name: 'get_quotes',
  title: 'Get quotes',
  description:
    'Prices, volumes and yields of bills and bonds: by default of the newest date; of one date, or of a range of dates, for some securities or all. Prices are per 100 of face value; 0 means none.',
  items: 'quotes',
  getUnits: () => getUnits(quotes),
});

const { date, market, tenors } = curveOperation.parameters;

const getAnalyticsTool = createPagedTool(analyticsOperation, {
  name: 'get_analytics',
  title: 'Get bond analytics',
  description:
    'Accrued interest, dirty price, yield, durations, convexity, price change for a basis point, spread over the government curve, carry, roll-down and Z-spread, for each quote of some securities, or of a market on one date.',
  items: 'quotes',
  getUnits: () => ANALYTICS_UNITS,
});

const getCurveTool: Tool = {
  name: 'get_curve',
  title: 'Get yield curves',
  description:
    'The yield curve of government or corporate paper on one or several dates, by tenor: fitted yields, zero, par and forward rates, discount factors.',
  parameters: { date, market, tenors, as_of: AS_OF_ARGUMENT },
  dataSchema: curveOperation.dataSchema,
  async call(values, getTarget) {
    const { data, revision, address } = await getTarget(curveOperation.path, values);
    const curves = data as readonly Curve[];
    return {
      revision,
      units: CURVE_UNITS,
      next: null,
      address,
      data,
      summary: curves.map(summarizeCurve).join('; ') || 'no curve',
      rows: curves.flatMap(({ date, points }) => points.map((point) => ({ date, ...point }))),
    };
  },
};

interface Curve {
  readonly date: string;
  readonly market: string;
  readonly method: string | null;
  readonly used: number;
  readonly points: readonly TextRow[];
  readonly reason: string | null;
}

function summarizeCurve({ date, market, method, used, reason }: Curve): string {
  return `${market} curve of ${date}, ${method ?? reason}, fitted to ${used} securities`;
}
