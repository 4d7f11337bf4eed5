import type { Dataset } from '../../../../catalogue/model/dataset.ts';
import type { Tool } from '../tool.ts';
import { compareDatesTool } from './compare-dates.ts';
import { createDescribeDatasetsTool } from './describe-datasets.ts';
import { createFundTools } from './fund-tools.ts';
import { createGetAlignedTool } from './get-aligned.ts';
import { createGetSeriesTool } from './get-series.ts';
import { createLedgerTools } from './ledger-tools.ts';
import { createQuoteTools } from './quote-tools.ts';

/** Every tool, in the order of `tools/list`. */
export function createTools(catalogue: readonly Dataset[]): Tool[] {
  return [
    createDescribeDatasetsTool(catalogue),
    ...createQuoteTools(),
    compareDatesTool,
    ...createFundTools(),
    createGetSeriesTool(catalogue),
    createGetAlignedTool(catalogue),
    ...createLedgerTools(catalogue),
  ];
}
