import { buildCatalogueEntry } from '../../../catalogue/model/catalogue-entry.ts';
import type { Dataset } from '../../../catalogue/model/dataset.ts';
import { diffRecords } from '../../../catalogue/model/diff-records.ts';
import { schema } from '../../../catalogue/model/json-schema.ts';
import { parameter } from '../../../catalogue/model/parameter.ts';
import { getKeyFields } from '../../../schema/key-fields.ts';
import {
  type CorrectionItem,
  correctionsOperation,
} from '../../corrections/corrections-operation.ts';
import { REVISION_SCHEMAS, revisionsOperation } from '../../revisions/revisions-operation.ts';
import { vintagesOperation } from '../../vintages/vintages-operation.ts';
import { formatCount, type TextRow, type Tool, type ToolArguments } from '../tool.ts';
import { dimensionsParameter, withDimensions } from './get-series.ts';
import { AS_OF_ARGUMENT, createPagedTool, getUnits, limitParameter } from './paged-tool.ts';

/** The tools that read what was published and corrected. */
export function createLedgerTools(catalogue: readonly Dataset[]): Tool[] {
  return [
    createGetCorrectionsTool(catalogue),
    createGetVintagesTool(catalogue),
    createListRevisionsTool(catalogue),
  ];
}

function createGetVintagesTool(catalogue: readonly Dataset[]): Tool {
  const { path, parameters } = vintagesOperation([]);
  const { symbol, fund_id, from, to, release } = parameters;
  const findDataset = (values: ToolArguments) =>
    catalogue.find(({ name }) => name === values.dataset) as Dataset;
  const dataset = {
    ...parameter.namedItem('Name of a dataset, of those that describe_datasets lists', catalogue),
    schema: { type: 'string', minLength: 1 },
    isRequired: true,
  } as const;
  const list = {
    path,
    parameters: { dataset, symbol, fund_id, from, to, dimensions: dimensionsParameter, release },
    dataSchema: schema.array('Records, each with since, published, until, withdrawn', {
      type: 'object',
    }),
  };
  const tool = createPagedTool(list, {
    name: 'get_vintages',
    title: 'Get vintages',
    description:
      'How figures were revised: every published state of records, and the revisions that published and replaced it.',
    items: 'states',
    getUnits: (values) => getUnits(findDataset(values)),
  });
  return withDimensions(tool, findDataset);
}

function createGetCorrectionsTool(catalogue: readonly Dataset[]): Tool {
  const operation = correctionsOperation(catalogue);
  const findDataset = (name: string | undefined) =>
    catalogue.find((dataset) => dataset.name === name) as Dataset;
  const dataset = { ...operation.pathParameters.dataset, isRequired: true } as const;
  const dataSchema = schema.array(
    'Corrections',
    schema.object({
      revision: REVISION_SCHEMAS.revision,
      publishedAt: REVISION_SCHEMAS.publishedAt,
      change: { type: 'string', enum: ['corrected', 'retired'] },
      old: { type: 'object', description: 'The record before' },
      new: { type: ['object', 'null'], description: 'The record after; null if it was retired' },
    }),
  );
  const list = { ...operation, parameters: { dataset, ...operation.parameters }, dataSchema };
  return createPagedTool(list, {
    name: 'get_corrections',
    title: 'Get corrections',
    description:
      'Published records of a dataset that were corrected or retired: before and after, by which revision and when. Newest first.',
    items: 'corrections',
    defaultLimit: 10,
    getUnits: ({ dataset }) => getUnits(findDataset(dataset)),
    getRows: ({ dataset }, corrections) =>
      corrections.flatMap((correction) =>
        listDifferences(findDataset(dataset), correction as unknown as CorrectionItem),
      ),
  });
}

/** A row for each value that changed; one for a record that was retired. */
function listDifferences(dataset: Dataset, { old, new: replacement, ...item }: CorrectionItem) {
  const key = Object.fromEntries(getKeyFields(dataset).map((name) => [name, old[name]]));
  if (!replacement) return [{ ...item, ...key }];
  const entry = buildCatalogueEntry(dataset);
  return diffRecords(entry, old, replacement).map(
    (difference): TextRow => ({
      ...item,
      ...key,
      value: difference.name,
      old: difference.old,
      new: difference.new,
    }),
  );
}

const DEFAULT_REVISIONS = 20;

function createListRevisionsTool(catalogue: readonly Dataset[]): Tool {
  const operation = revisionsOperation(catalogue);
  const { dataset, before } = operation.parameters;
  return {
    name: 'list_revisions',
    title: 'List revisions',
    description:
      'What was published, corrected and retired, when, by whom and from what source. Newest first.',
    parameters: {
      dataset,
      before,
      limit: limitParameter('revisions', DEFAULT_REVISIONS),
      as_of: AS_OF_ARGUMENT,
    },
    dataSchema: operation.dataSchema,
    async call({ as_of, ...values }, getTarget) {
      const limit = Number(values.limit ?? DEFAULT_REVISIONS);
      // Revisions have no as-of state; the catalogue says which one was the newest then.
      const { revision } =
        as_of === undefined
          ? await getTarget(operation.path, { limit: '1' })
          : await getTarget('/catalogue', { as_of });
      const first = Math.min(Number(values.before ?? Infinity), revision + 1);
      const query = { ...values, limit: String(limit), before: String(first) };
      const target = await getTarget(operation.path, query);
      const data = target.data as readonly { revision: number; files: readonly object[] }[];
      const last = data.at(-1)?.revision;
      const hasMore = target.cursor !== undefined && last !== undefined;
      const next = hasMore ? { ...values, limit, before: last, as_of: String(revision) } : null;
      const rows = data.map(({ files: _, ...row }) => row);
      const summary = formatCount(data.length, 'revisions');
      return { revision, units: {}, next, address: target.address, data, summary, rows };
    },
  };
}
