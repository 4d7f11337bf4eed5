import { fundAllocation } from '../../catalogue/datasets/fund-allocation.ts';
import { quotes } from '../../catalogue/datasets/quotes.ts';
import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import { recordReferences, schema } from '../../catalogue/model/json-schema.ts';
import type { Operation } from '../../catalogue/model/operation.ts';
import { type Parameters, parameter } from '../../catalogue/model/parameter.ts';
import { pageParameters, TABLE_PARAMETERS } from '../../catalogue/model/response-parameters.ts';
import { describeHistory, FIELDS_OF_DATASET, withFieldsOf } from '../history-operation.ts';
import { REVISION_SCHEMAS } from '../revisions/revisions-operation.ts';

/** A record of `/corrections/{dataset}`. */
export interface CorrectionItem {
  readonly revision: number;
  readonly publishedAt: string;
  readonly change: string;
  readonly old: AnyRecord;
  readonly new: AnyRecord | null;
}

/** Every correction and retirement of published records. */
export const correctionsOperation = (catalogue: readonly Dataset[]) =>
  ({
    ...describeHistory('corrections', catalogue, CORRECTION_EXAMPLE),
    title: 'Corrections',
    description:
      'Every correction and retirement in a dataset: the old record, the new one, the revision and its time. Newest revision first, then in the order of the dataset. Additions are not included. In other formats than JSON and NDJSON the old record is a row and the new one the next: the columns `revision`, `publishedAt`, `change` and `version` (`old` or `new`), then those of the export, or those that `fields` names.',
    parameters: { ...QUOTE_HISTORY_FILTERS, ...FUND_HISTORY_FILTERS, ...COMMON_PARAMETERS },
    dataSchema: {
      type: 'array',
      items: schema.object({
        revision: REVISION_SCHEMAS.revision,
        publishedAt: REVISION_SCHEMAS.publishedAt,
        change: schema.choice(['corrected', 'retired']),
        old: { anyOf: recordReferences(catalogue), description: 'The record before' },
        new: {
          anyOf: [...recordReferences(catalogue), { type: 'null' }],
          description: 'The record after; null if it was retired',
        },
      }),
    },
  }) satisfies Operation;

export const QUOTE_HISTORY_FILTERS = {
  symbol: {
    ...quotes.parameters.symbol,
    description:
      'For quotes and securities: symbols of securities, or for quotes the ISINs that the records had; letter case is ignored',
  },
  from: parameter.boundary('from', {
    description: 'For quotes: first date of the records, inclusive',
    example: '2026-06-01',
  }),
  to: parameter.boundary('to', {
    description: 'For quotes: last date of the records, inclusive',
    example: '2026-06-30',
  }),
};

export const FUND_HISTORY_FILTERS = {
  fund_id: parameter.text(
    'For fund-allocation and funds: identifier of one fund; letter case is ignored',
    fundAllocation.example.fund_id,
  ),
};

const COMMON_PARAMETERS = {
  before: parameter.integer('Only changes by revisions with a smaller number than this'),
  ...pageParameters('changes'),
  fields: FIELDS_OF_DATASET,
  ...TABLE_PARAMETERS,
};

export function correctionParametersFor(dataset: Dataset): Parameters {
  const { symbol } = QUOTE_HISTORY_FILTERS;
  const filters = {
    quotes: QUOTE_HISTORY_FILTERS,
    fund: FUND_HISTORY_FILTERS,
    series: {},
    reference: {
      ...('symbol' in dataset.fields && { symbol }),
      ...('fund_id' in dataset.fields && FUND_HISTORY_FILTERS),
    },
  }[dataset.shape];
  return withFieldsOf(dataset, { ...filters, ...COMMON_PARAMETERS });
}

const CORRECTION_EXAMPLE = {
  revision: 7,
  publishedAt: '2026-07-01T13:05:00.250Z',
  change: 'corrected',
  old: { ...quotes.example, lastPrice: 94.5869 },
  new: quotes.example,
};
