import { couponRates } from '../../../catalogue/datasets/coupon-rates.ts';
import { datasets } from '../../../catalogue/datasets/datasets.ts';
import { holidays } from '../../../catalogue/datasets/holidays.ts';
import type { buildCatalogueEntry } from '../../../catalogue/model/catalogue-entry.ts';
import type { Dataset, DatasetShape } from '../../../catalogue/model/dataset.ts';
import { schema } from '../../../catalogue/model/json-schema.ts';
import { parameter } from '../../../catalogue/model/parameter.ts';
import { formatCount, type TextRow, type Tool, ToolError } from '../tool.ts';
import { AS_OF_ARGUMENT, getUnits } from './paged-tool.ts';

export function createDescribeDatasetsTool(catalogue: readonly Dataset[]): Tool {
  const names = catalogue.map(({ name }) => name);
  return {
    name: 'describe_datasets',
    title: 'Describe datasets',
    description:
      'Lists the datasets that can be read: what each holds, from when to when, and which tool reads it. With a dataset: its fields, units, notes and checks too.',
    parameters: {
      dataset: parameter.choice('Only this dataset, in full', names),
      as_of: AS_OF_ARGUMENT,
    },
    dataSchema: schema.array('Datasets', {
      type: 'object',
      properties: {
        name: schema.string('Name of the dataset'),
        title: schema.string('Title for people'),
        tool: schema.string('The tool that reads it'),
      },
      required: ['name', 'title', 'tool'],
    }),
    async call({ dataset: name, as_of }, getTarget) {
      const query = { as_of, limit: '10000' };
      const { data, revision, address } = await getTarget('/catalogue', query);
      const entries = (data as readonly CatalogueEntry[]).map((entry) => ({
        ...entry,
        tool: findTool(entry),
      }));
      const dataset = catalogue.find((candidate) => candidate.name === name);
      const result = { revision, units: dataset ? getUnits(dataset) : {}, next: null, address };
      if (!dataset) {
        const rows = entries.map(summarizeEntry);
        return { ...result, data: rows, summary: formatCount(rows.length, 'datasets'), rows };
      }
      const entry = entries.find((candidate) => candidate.name === name);
      if (!entry) throw new ToolError(`forbidden: this token lacks the scope of ${name}`);
      // Without what only programs need.
      const { parameters: _, formats: __, exports: ___, chart: ____, ...shown } = entry;
      const { title, meaning, notes, fields, source, licence } = shown;
      const summary = [
        `${title}: ${meaning}`,
        ...notes,
        ...(source === null ? [] : [`Source: ${toSentence(source)}`]),
        ...(licence === null ? [] : [`Licence: ${toSentence(licence)}`]),
      ].join(' ');
      const rows = fields.map((field): TextRow => ({ ...field }));
      const { dimensions } = dataset.declaration ?? {};
      const description = { ...shown, ...(dimensions && { dimensions }) };
      return { ...result, data: [description], summary, rows };
    },
  };
}

type CatalogueEntry = ReturnType<typeof buildCatalogueEntry> & {
  readonly coverage: object;
  readonly lastRevision: { readonly revision: number } | null;
  readonly source: string | null;
  readonly licence: string | null;
};

const toSentence = (text: string) => text.replace(/\.?$/, '.');

function summarizeEntry({ name, title, meaning, tool, ...entry }: Entry) {
  const { period, coverage, lastRevision } = entry;
  return {
    name,
    title,
    meaning,
    tool,
    period: period?.kind ?? null,
    ...coverage,
    lastRevision: lastRevision?.revision ?? null,
  };
}

type Entry = CatalogueEntry & { readonly tool: string };

function findTool({ name, shape }: Pick<CatalogueEntry, 'name' | 'shape'>): string {
  if (name === datasets.name) return 'describe_datasets';
  if (name === holidays.name || name === couponRates.name) return 'list_revisions';
  return shape === 'reference' ? `find_${name}` : TOOLS[shape];
}

const TOOLS = {
  quotes: 'get_quotes',
  fund: 'get_fund_allocation',
  series: 'get_series',
} satisfies Omit<Record<DatasetShape, string>, 'reference'>;
