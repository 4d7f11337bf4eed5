import { buildCatalogueEntry } from '../catalogue/model/catalogue-entry.ts';
import type { AnyRecord, Dataset } from '../catalogue/model/dataset.ts';
import { diffRecords } from '../catalogue/model/diff-records.ts';
import { formatTarget } from '../catalogue/model/format-target.ts';
import { schema } from '../catalogue/model/json-schema.ts';
import { parameter } from '../catalogue/model/parameter.ts';
import { DEFAULT_LIMIT } from '../catalogue/model/response-parameters.ts';
import {
  type CorrectionItem,
  correctionsOperation,
} from '../operations/corrections/corrections-operation.ts';
import { REVISION_SCHEMAS } from '../operations/revisions/revisions-operation.ts';
import { getKeyFields } from '../schema/key-fields.ts';
import { createObjectLayout } from '../tabular/layout.ts';
import { buildColumns, type WidgetRow } from './columns.ts';
import type { Widget } from './widget.ts';

const text = (description: string) => schema.nullable({ type: 'string' }, description);

const COLUMNS = buildColumns(
  createObjectLayout(
    schema.object({
      record: schema.string('The key of the record'),
      field: text('The field that was corrected; null if the record was retired'),
      old: text('The value before; null if there was none'),
      new: text('The value after; null if there is none'),
      change: schema.string('Whether the record was corrected or retired'),
      revision: REVISION_SCHEMAS.revision,
      publishedAt: REVISION_SCHEMAS.publishedAt,
    }),
  ),
);

const MAX_CORRECTIONS = 1_000;

/** Corrected and retired values, a row for each. */
export function createCorrectionsWidget(catalogue: readonly Dataset[]): Widget {
  const { name, title, path, parameters } = correctionsOperation(catalogue);
  const mappers = new Map(catalogue.map((dataset) => [dataset.name, createRowMapper(dataset)]));
  return {
    name,
    title,
    description:
      'Every value of a dataset that was corrected, and every record that was retired, newest first: what it was before and after, and in which revision.',
    parameters: {
      dataset: {
        ...parameter.choice('The dataset whose corrections are shown', [...mappers.keys()]),
        isRequired: true,
      },
      limit: parameter.integer('Maximum number of corrected and retired records', {
        max: MAX_CORRECTIONS,
        defaultValue: DEFAULT_LIMIT,
      }),
      as_of: parameters.as_of,
    },
    toTarget: ({ dataset = '', ...texts }) =>
      formatTarget(path.replace('{dataset}', dataset), texts),
    toRows: (record, { dataset = '' }) => mappers.get(dataset)?.(record) ?? [],
    columns: COLUMNS,
  };
}

function createRowMapper(dataset: Dataset): (record: AnyRecord) => WidgetRow[] {
  const keyFields = getKeyFields(dataset);
  const entry = buildCatalogueEntry(dataset);
  return (record) => {
    const { old, new: replacement, ...correction } = record as unknown as CorrectionItem;
    const row = { record: keyFields.map((name) => old[name]).join(' '), ...correction };
    if (!replacement) return [{ ...row, field: null, old: null, new: null }];
    return diffRecords(entry, old, replacement).map((difference) => ({
      ...row,
      field: difference.name,
      old: formatValue(difference.old),
      new: formatValue(difference.new),
    }));
  };
}

/** One column has values of every kind. */
function formatValue(value: unknown): string | null {
  return value === undefined ? null : String(value);
}
