import { fundAllocation } from '../../../../catalogue/datasets/fund-allocation.ts';
import type { DatasetRecord } from '../../../../catalogue/model/dataset.ts';
import { fieldsSchema } from '../../../../catalogue/model/json-schema.ts';
import { fundsOperation } from '../../../../catalogue/operations/discovery.ts';
import type { TextRow, Tool } from '../tool.ts';
import {
  createPagedTool,
  getUnits,
  selectFilters,
  sliceParameters,
  sliceRecords,
} from './paged-tool.ts';

/** The tools that read funds and what they hold. */
export function createFundTools(): Tool[] {
  return [findFundsTool, getFundAllocationTool];
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
