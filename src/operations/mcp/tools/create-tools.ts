import { fundAllocation } from '../../../catalogue/datasets/fund-allocation.ts';
import { quotes } from '../../../catalogue/datasets/quotes.ts';
import { securities } from '../../../catalogue/datasets/securities.ts';
import type { Dataset, DatasetRecord } from '../../../catalogue/model/dataset.ts';
import { fieldsSchema } from '../../../catalogue/model/json-schema.ts';
import type { Operation } from '../../../catalogue/model/operation.ts';
import { parseColumns } from '../../aligned/aligned-columns.ts';
import { alignedOperation } from '../../aligned/aligned-operation.ts';
import { planColumns } from '../../aligned/plan-table.ts';
import { ANALYTICS_UNITS, analyticsOperation } from '../../analytics/analytics-operation.ts';
import { CURVE_UNITS, curveOperation } from '../../curve/curve-operation.ts';
import { fundsOperation } from '../../funds/funds-operation.ts';
import { PORTFOLIO_UNITS, portfolioOperation } from '../../portfolio/portfolio-operation.ts';
import { priceOperation } from '../../price/price-operation.ts';
import { securitiesOperation } from '../../securities/securities-operation.ts';
import { formatCount, type TextRow, type Tool } from '../tool.ts';
import { compareDatesTool } from './compare-dates.ts';
import { createDescribeDatasetsTool } from './describe-datasets.ts';
import { createGetSeriesTool } from './get-series.ts';
import { createLedgerTools } from './ledger-tools.ts';
import {
  AS_OF_ARGUMENT,
  createPagedTool,
  getUnits,
  selectFilters,
  sliceParameters,
  sliceRecords,
} from './paged-tool.ts';

/** Every tool, in the order of `tools/list`. */
export function createTools(catalogue: readonly Dataset[]): Tool[] {
  return [
    createDescribeDatasetsTool(catalogue),
    findSecuritiesTool,
    getQuotesTool,
    getCurveTool,
    getAnalyticsTool,
    getPriceTool,
    getPortfolioTool,
    compareDatesTool,
    findFundsTool,
    getFundAllocationTool,
    createGetSeriesTool(catalogue),
    createGetAlignedTool(catalogue),
    ...createLedgerTools(catalogue),
  ];
}

const findFundsTool = createPagedTool(fundsOperation, {
  name: 'find_funds',
  title: 'Find funds',
  description: 'Finds mutual funds by parts of identifiers and names, with category and manager.',
  items: 'funds',
  getUnits: () => ({}),
});

const DEFAULT_PERIODS = 12;

const getFundAllocationTool: Tool = {
  name: 'get_fund_allocation',
  title: 'Get the allocation of a fund',
  description:
    'How a fund divides its assets among classes, period by period, newest first: values[i] of a row belongs to periods[i].',
  parameters: {
    ...selectFilters(fundAllocation.parameters),
    ...sliceParameters('periods', DEFAULT_PERIODS),
  },
  dataSchema: fieldsSchema(fundAllocation.fields),
  async call(values, getTarget) {
    const { fund_id, as_of } = values;
    const target = await getTarget(fundAllocation.paths[0], { fund_id, as_of });
    const { revision, address } = target;
    const record = target.data as DatasetRecord<typeof fundAllocation>;
    const { length: count } = record.periods;
    const { start, end, next } = sliceRecords(values, count, DEFAULT_PERIODS, revision);
    const periods = record.periods.slice(start, end);
    const rows = record.rows.map(({ label, values: shares }) => ({
      label,
      values: shares.slice(start, end),
    }));
    return {
      revision,
      units: getUnits(fundAllocation),
      next,
      address,
      data: { ...record, periods, rows },
      summary: `${periods.length} of ${count} periods of fund ${record.fund_id}, percent`,
      rows: rows.map(({ label, values: shares }) => ({
        class: label,
        ...Object.fromEntries(periods.map((period, index) => [period.date, shares[index]])),
      })) satisfies TextRow[],
    };
  },
};

/** The tool that puts figures of several datasets into one table. */
function createGetAlignedTool(datasets: readonly Dataset[]): Tool {
  const { path, parameters, dataSchema } = alignedOperation(datasets);
  const { columns, frequency, from, to, min_share, partial } = parameters;
  const list = {
    path,
    dataSchema,
    parameters: {
      columns: { ...columns, description: COLUMNS },
      frequency,
      from,
      to,
      min_share,
      partial,
    },
  };
  return createPagedTool(list, {
    name: 'get_aligned',
    title: 'Get an aligned table',
    description: 'Figures of several datasets by period in one table, newest first.',
    items: 'rows',
    defaultLimit: 40,
    getUnits({ columns: text = '' }) {
      const parsed = parseColumns(text, datasets);
      if (typeof parsed === 'string') return {};
      return Object.fromEntries(
        planColumns(parsed, datasets).map(({ name, unit }) => [name, unit]),
      );
    },
  });
}

/** It is in every list of tools, so it is to be short. */
const COLUMNS =
  'Such as curve.par(tenor=10Y)@mean,analytics.zSpread(symbol=X),NAME.MEASURE(DIMENSION=VALUE):pc1. After @, of a coarser frequency: mean, last, max. After the colon: chg or pch, to the period before; ch1 or pc1, to a year before; pca, cch, cca, log';

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

const getPriceTool = createComputedTool(priceOperation, {
  name: 'get_price',
  title: 'Price bonds',
  description:
    'The figures of get_analytics at a clean price, a yield or a Z-spread that you give, for the newest quotes of some securities.',
  units: ANALYTICS_UNITS,
  summarize: (prices) => formatCount(prices.length, 'prices'),
  listRows: (prices) => prices,
});

const getPortfolioTool = createComputedTool(portfolioOperation, {
  name: 'get_portfolio',
  title: 'Value a portfolio',
  description:
    'Market value, accrued interest, yield, durations, key-rate durations, and values under shifts of the curve, of each position and in total. What has no value has a reason.',
  units: PORTFOLIO_UNITS,
  summarize: (rows) => formatCount(rows.length, 'rows'),
  listRows: (rows) => rows,
});

/** A tool of an operation that sends all of its records at once. */
function createComputedTool<Item extends object = TextRow>(
  { path, parameters, dataSchema }: Pick<Operation, 'path' | 'parameters' | 'dataSchema'>,
  { units, summarize, listRows, ...tool }: ComputedTool<Item>,
): Tool {
  return {
    ...tool,
    parameters: { ...selectFilters(parameters), as_of: AS_OF_ARGUMENT },
    dataSchema,
    async call(values, getTarget) {
      const { data, revision, address } = await getTarget(path, values);
      const items = data as readonly Item[];
      const [summary, rows] = [summarize(items), listRows(items)];
      return { revision, units, next: null, address, data, summary, rows };
    },
  };
}

interface ComputedTool<Item> extends Pick<Tool, 'name' | 'title' | 'description'> {
  readonly units: Readonly<Record<string, string>>;
  readonly summarize: (items: readonly Item[]) => string;
  /** The rows of the table for reading. */
  readonly listRows: (items: readonly Item[]) => readonly TextRow[];
}

const getCurveTool = createComputedTool<Curve>(
  { ...curveOperation, parameters: { date, market, tenors } },
  {
    name: 'get_curve',
    title: 'Get yield curves',
    description:
      'The yield curve of government or corporate paper on one or several dates, by tenor: fitted yields, zero, par and forward rates, discount factors.',
    units: CURVE_UNITS,
    summarize: (curves) => curves.map(summarizeCurve).join('; ') || 'no curve',
    listRows: (curves) =>
      curves.flatMap(({ date, points }) => points.map((point) => ({ date, ...point }))),
  },
);

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
