import { datasets, toDeclarationRecord } from '../catalogue/datasets/datasets.ts';
import { createDeclaredDataset, getStoredForm } from '../catalogue/model/create-dataset.ts';
import type { AnyRecord } from '../catalogue/model/dataset.ts';
import type { Declaration } from '../catalogue/model/declaration.ts';
import { serializeRecord } from '../schema/serialize-record.ts';
import { getColumnValues, getKeyValues, getStorageTable } from '../schema/storage-table.ts';
import { validateNewRecord } from '../schema/validate-record.ts';
import type { EncodedRow, Publisher, RecordKey, Revision } from '../store/open-store.ts';
import { toBatches } from '../store/rows.ts';
import { explainMissing } from './declare-dataset.ts';
import { PublishError } from './errors.ts';
import { type PublishingOptions, publishRecords } from './publish-records.ts';

export interface Renaming {
  readonly name: string;
  readonly dimension: string;
  readonly from: string;
  readonly to: string;
}

type RenameOptions = PublishingOptions & Renaming;

/** Gives all records with a value of a dimension another one, and its code in the declaration. */
export function renameCode(
  publisher: Pick<Publisher, 'transaction'>,
  { name, dimension, from, to, author, isDryRun }: RenameOptions,
): Promise<{ readonly revision: Revision; readonly recordsRevision?: Revision | undefined }> {
  return publisher.transaction(
    async (transaction) => {
      const { declarations } = await transaction.declarations(await transaction.revision());
      const declared = declarations.find((each) => each.declaration.name === name);
      if (!declared) throw new PublishError(explainMissing(name));
      const { declaration } = declared;
      const { dimensions = [] } = declaration;
      const index = dimensions.findIndex(({ field }) => field === dimension);
      if (index < 0)
        throw new PublishError(
          `${name} has no dimension ${dimension}; it has ${dimensions.map(({ field }) => field).join(', ') || 'none'}`,
        );
      const renamed: Declaration = {
        ...declaration,
        dimensions: dimensions.map((each, position) =>
          position === index ? renameInDimension(each, from, to) : each,
        ),
      };
      const dataset = createDeclaredDataset(declaration, declared);
      const select = async (value: string, limit: number, after?: RecordKey) =>
        transaction.read({
          kind: 'observations',
          dataset,
          dimensions: dimensions.map((_, position) => (position === index ? [value] : undefined)),
          limit,
          ...(after && { after }),
        });
      if ((await select(to, 1)).count > 0)
        throw new PublishError(`${name} has records of ${dimension} ${to}; nothing was published`);
      const table = getStorageTable(dataset);
      const target = createDeclaredDataset(renamed, declared);
      const [rows, retiredKeys]: [EncodedRow[], RecordKey[]] = [[], []];
      let after: RecordKey | undefined;
      do {
        const page = await select(from, PAGE_SIZE, after);
        for (const old of JSON.parse(`[${page.records}]`) as AnyRecord[]) {
          const record = { ...old, [dimension]: to };
          const [problem] = validateNewRecord(target, record);
          if (problem) throw new PublishError(`${dimension} must be ${problem.rule}`);
          const json = serializeRecord(getStoredForm(dataset, record), record);
          rows.push({ columns: getColumnValues(table, record), json });
          retiredKeys.push(getKeyValues(table, old));
        }
        after = page.lastKey;
      } while (after);
      const source = `renamed ${dimension} ${from} to ${to}`;
      const records = [toDeclarationRecord(renamed)];
      const publishCode = () =>
        publishRecords(transaction, { dataset: datasets, records, source, author });
      const recordsRevision =
        rows.length === 0
          ? undefined
          : await transaction.publish({
              dataset,
              rows: toBatches(rows),
              retiredKeys,
              source,
              author,
            });
      const revision = await publishCode();
      const done = revision ?? recordsRevision;
      if (!done)
        throw new PublishError(`${name} has no ${dimension} ${from}; nothing was published`);
      return { revision: done, ...(revision && { recordsRevision }) };
    },
    { isDryRun },
  );
}

const PAGE_SIZE = 10_000;

type Dimension = NonNullable<Declaration['dimensions']>[number];

/** Keeps the order of codes, and the label. */
function renameInDimension(dimension: Dimension, from: string, to: string): Dimension {
  const { codes } = dimension;
  if (!codes || !Object.hasOwn(codes, from)) return dimension;
  const entries = Object.entries(codes).map(([code, label]) => [code === from ? to : code, label]);
  return { ...dimension, codes: Object.fromEntries(entries) };
}
