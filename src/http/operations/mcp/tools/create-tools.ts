import { planColumns } from '../../../../analytics/aligned/plan-table.ts';
import { fundAllocation } from '../../../../catalogue/datasets/fund-allocation.ts';
import type { Dataset, DatasetRecord } from '../../../../catalogue/model/dataset.ts';
import { fieldsSchema } from '../../../../catalogue/model/json-schema.ts';
import { alignedOperation } from '../../../../catalogue/operations/aligned.ts';
import { parseColumns } from '../../../../catalogue/operations/aligned-columns.ts';
import { fundsOperation } from '../../../../catalogue/operations/discovery.ts';
import type { TextRow, Tool } from '../tool.ts';
import { compareDatesTool } from './compare-dates.ts';
import { createDescribeDatasetsTool } from './describe-datasets.ts';
import { createGetSeriesTool } from './get-series.ts';
import { createLedgerTools } from './ledger-tools.ts';
import {
  createPagedTool,
  getUnits,
  selectFilters,
  sliceParameters,
  sliceRecords,
} from './paged-tool.ts';
import { createQuoteTools } from './quote-tools.ts';

/** Every tool, in the order of `tools/list`. */
export function createTools(catalogue: readonly Dataset[]): Tool[] {
  return [
    createDescribeDatasetsTool(catalogue),
    ...createQuoteTools(),
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
  const { columns, frequency, from, to } = parameters;
  const list = {
    path,
    dataSchema,
    parameters: { columns: { ...columns, description: COLUMNS }, frequency, from, to },
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
  'Such as curve.par(tenor=10Y),quotes.ytm(symbol=X),NAME.MEASURE(DIMENSION=VALUE):pc1. After the colon: chg or pch, to the period before; ch1 or pc1, to a year before; pca, cch, cca, log';
