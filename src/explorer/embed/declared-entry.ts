import { PUBLISHED_KINDS } from '../../catalogue/model/period.ts';
import type { DatasetEntry } from '../api/types.ts';

/** The schema of the records of a dataset in its OpenAPI document. */
interface RecordSchema {
  readonly title: string;
  readonly description: string;
  readonly properties: Readonly<
    Record<string, { type: string | string[]; description: string; pattern?: string }>
  >;
}

/**
 * The entries of declared datasets, from their documents, which are open to all: a page without a token cannot
 * read the catalogue. Unknown names get none.
 */
export async function readDeclaredEntries(
  baseUrl: URL,
  names: readonly string[],
): Promise<DatasetEntry[]> {
  const entries = names.map(async (name) => {
    const url = new URL(`datasets/${name}/openapi.json`, baseUrl);
    const response = await fetch(url, { credentials: 'omit' });
    if (!response.ok) return [];
    const { components } = (await response.json()) as {
      components: { schemas: Readonly<Record<string, RecordSchema>> };
    };
    const schema = components.schemas[`dataset-${name}`];
    return schema ? [buildDeclaredEntry(name, schema)] : [];
  });
  return (await Promise.all(entries)).flat();
}

export function buildDeclaredEntry(name: string, schema: RecordSchema): DatasetEntry {
  const { title, description, properties } = schema;
  const fields = Object.entries(properties).map(([field, { type, description: text }]) => {
    const isNumber = [type].flat().includes('number');
    const [, meaning = text, unit = null] =
      (isNumber && /^(.*) \((.*)\)(?:; null .*)?$/.exec(text)) || [];
    const kind = isNumber ? (unit === 'percent' ? 'percent' : 'amount') : 'text';
    const unknown = { decimals: null, values: null, fields: null, codes: null };
    return { name: field, kind, meaning, unit, ...unknown };
  });
  const [periodField = '', ...others] = fields.map((field) => field.name);
  // Fiscal years have a prefix.
  const pattern = new RegExp(properties[periodField]?.pattern?.replace('FY', '') ?? '');
  const kind = Object.values(PUBLISHED_KINDS).find((each) =>
    pattern.test(each.formatLabel(0)),
  )?.name;
  const texts = others.filter((field) => properties[field]?.type === 'string');
  return {
    name,
    title,
    meaning: description,
    shape: 'series',
    path: `/datasets/${name}`,
    period: { field: periodField, kind },
    key: [periodField, ...texts.filter((field) => field !== 'status')],
    fields,
    chart: null,
    checks: [],
    notes: [],
    parameters: [],
    exports: [],
    coverage: { count: 0, first: null, last: null },
    nextDue: null,
  } as unknown as DatasetEntry;
}
