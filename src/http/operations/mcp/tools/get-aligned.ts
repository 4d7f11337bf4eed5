import { planColumns } from '../../../../analytics/aligned/plan-table.ts';
import type { Dataset } from '../../../../catalogue/model/dataset.ts';
import { alignedOperation } from '../../../../catalogue/operations/aligned.ts';
import { parseColumns } from '../../../../catalogue/operations/aligned-columns.ts';
import type { Tool } from '../tool.ts';
import { createPagedTool } from './paged-tool.ts';

/** The tool that puts figures of several datasets into one table. */
export function createGetAlignedTool(datasets: readonly Dataset[]): Tool {
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
