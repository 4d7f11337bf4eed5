import type { Dataset } from '../../catalogue/model/dataset.ts';
import { type JsonSchema, schema } from '../../catalogue/model/json-schema.ts';
import type { Operation } from '../../catalogue/model/operation.ts';
import { parameter } from '../../catalogue/model/parameter.ts';
import type { PeriodKind } from '../../catalogue/model/period.ts';
import { PERIOD_UNITS } from '../../catalogue/model/period-unit.ts';
import {
  MAX_LIMIT,
  pageParameters,
  TABLE_PARAMETERS,
} from '../../catalogue/model/response-parameters.ts';
import { COMPLETENESS_PARAMETERS } from '../../catalogue/model/transform-parameters.ts';
import { columnsParameter } from './aligned-columns.ts';

const periodText = (description: string) =>
  parameter.text(`${description}: a period of the table, a finer one, or a day in it`, '2026-01');

const PERIOD_SCHEMA = schema.string('Label of the period');

/** A table of figures of several datasets, a row for each period. */
export const alignedOperation = (datasets: readonly Dataset[]) =>
  ({
    name: 'aligned',
    title: 'Aligned table',
    description:
      'Figures of several datasets in one table: a row for each period in which any column has a record, newest first, a column for each figure, null if it has none, all of one revision. A column is the name of a dataset, a point, a measure, a value of each dimension in parentheses, after `@` one of the names of `aggregate`, and after a colon one of the codes of `units`: `atm-transactions-quarterly-value.total:pc1,analytics.zSpread(symbol=Z05PIB151029),curve.par(tenor=10Y)@mean:chg`. Columns of finer periods than those of the table are aggregated first: by default flows and volumes by their sum, stocks, prices, yields, figures of securities and the curve by the last figure, rates and indexes by their mean; a period that is not complete is null. `Tenor-Units` has the unit of each column. The scope of every column is needed.',
    tag: 'aligned',
    supportsAsOf: true,
    path: '/aligned',
    parameters: {
      columns: columnsParameter(datasets),
      frequency: parameter.choice(
        'Periods of the table; the coarsest of the columns by default',
        PERIOD_UNITS,
      ),
      year_start: parameter.integer(
        'The month in which the years of the table begin; by default that of the columns, or January',
        { max: 12 },
      ),
      from: periodText('First period, inclusive'),
      to: periodText('Last period, inclusive'),
      status: parameter.choice(
        'Whether the status of each figure follows it, as `<column>.status`',
        ['true', 'false'],
        'false',
      ),
      observed: parameter.choice(
        'Whether the number of figures that each was computed from follows it, as `<column>.observed`',
        ['true', 'false'],
        'false',
      ),
      ...COMPLETENESS_PARAMETERS,
      names: parameter.choice(
        'Names of the columns: as they are requested, or plain, of letters, digits and underscores alone',
        ['requested', 'plain'],
        'requested',
      ),
      sort: parameter.choice(
        'Order of periods: desc for the newest first, asc for the oldest first',
        ['desc', 'asc'],
        'desc',
      ),
      ...pageParameters('rows', MAX_LIMIT),
      ...TABLE_PARAMETERS,
    },
    isTabular: true,
    hasNoTotal: true,
    hasUnits: true,
    dataSchema: {
      type: 'array',
      items: {
        type: 'object',
        properties: { period: PERIOD_SCHEMA },
        required: ['period'],
        additionalProperties: { type: ['number', 'string', 'null'] },
      },
    },
    example: [
      {
        period: 'Q2 2026',
        'atm-transactions-quarterly-value.total:pc1': 12.5,
        'curve.par(tenor=10Y)': 11.392418,
      },
    ],
  }) satisfies Operation;

/** The schema of the rows of a table with these columns. */
export function alignedRowSchema(
  { hasDayLabels }: Pick<PeriodKind, 'hasDayLabels'>,
  columns: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  const period = { ...PERIOD_SCHEMA, ...(hasDayLabels && { format: 'date' }) };
  return schema.object({ period, ...columns });
}
