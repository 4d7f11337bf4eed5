import type { DeclaredDatasets } from '../catalogue/catalogues.ts';
import { datasets, toDeclaration, toDeclarationRecord } from '../catalogue/datasets/datasets.ts';
import { findRefusedChanges } from '../catalogue/declaration-changes.ts';
import { findDeclarationProblems } from '../catalogue/declaration-problems.ts';
import { createDeclaredDataset } from '../catalogue/model/create-dataset.ts';
import type { Dataset } from '../catalogue/model/dataset.ts';
import type { Declaration } from '../catalogue/model/declaration.ts';
import { foldAsciiCase } from '../schema/storage-table.ts';
import { isPlainObject } from '../shared/is-plain-object.ts';
import type {
  Publisher,
  PublishTransaction,
  RevertPlan,
  Revision,
  SourceFile,
} from '../store/open-store.ts';
import { PublishError } from './errors.ts';
import { type PublishingOptions, publishRecords } from './publish-records.ts';

/** Declarations that cannot be published; a line for each problem. */
export class DeclarationError extends PublishError {
  constructor(readonly problems: readonly string[]) {
    super(`nothing was published: ${problems.join('\n')}`);
  }
}

interface DeclareOptions extends PublishingOptions {
  /** The declarations as parsed. */
  readonly declarations: readonly unknown[];
  readonly source: string;
  /** The files of the declarations, in their order. */
  readonly files?: readonly SourceFile[];
  /** Whether units may be worded in another way; figures stay what they are. */
  readonly rewordsUnits?: boolean;
  /** A made-up time of publication. */
  readonly at?: Date;
}

/** Publishes all declarations or none; undefined if all of them were already published unchanged. */
export function declareDatasets(
  publisher: Pick<Publisher, 'transaction'>,
  { declarations, isDryRun, rewordsUnits = false, ...origin }: DeclareOptions,
): Promise<Revision | undefined> {
  return publisher.transaction(
    async (transaction) => {
      const known = await readDeclarations(transaction);
      const names = declarations.map((value) => (value as Declaration | null)?.name);
      const used = new Set<string>();
      for (const name of names)
        if (typeof name === 'string' && (await hasHadRecords(transaction, name))) used.add(name);
      const problems = declarations.flatMap((value, index) => {
        const file = declarations.length > 1 ? origin.files?.[index] : undefined;
        const found = findProblems(value, known, declarations, { used, rewordsUnits });
        return file ? found.map((problem) => `${file.name}: ${problem}`) : found;
      });
      const twice = names.find((name, index) => names.indexOf(name) !== index);
      if (twice !== undefined) problems.push(`${twice} is declared twice`);
      if (problems.length > 0) throw new DeclarationError(problems);
      const records = (declarations as readonly Declaration[]).map(toDeclarationRecord);
      return publishRecords(transaction, { dataset: datasets, records, ...origin });
    },
    { isDryRun },
  );
}

async function hasHadRecords(transaction: PublishTransaction, name: string): Promise<boolean> {
  return (await transaction.revisions({ datasets: [name], limit: 1 })).length > 0;
}

async function readDeclarations(transaction: PublishTransaction): Promise<DeclaredDatasets> {
  return transaction.declarations(await transaction.revision());
}

/** A name that had records keeps its declaration, even if it is retired. */
function findProblems(
  value: unknown,
  known: DeclaredDatasets,
  declarations: readonly unknown[],
  { used, rewordsUnits }: { readonly used: ReadonlySet<string>; readonly rewordsUnits: boolean },
): string[] {
  const problems = findDeclarationProblems(value);
  if (problems.length > 0) return problems;
  const declaration = value as Declaration;
  const { name } = declaration;
  const before = [...known.declarations, ...known.retired].find(
    (each) => each.declaration.name === name,
  );
  const refused =
    before && used.has(name)
      ? findRefusedChanges(before.declaration, declaration, rewordsUnits)
      : [];
  const changes = refused.map(
    (text) => `${text}; or declare another dataset, with "supersedes": "${name}"`,
  );
  return [...changes, ...findSuccessionProblems(declaration, known, declarations)];
}

/** The superseded dataset may have been retired since. */
function findSuccessionProblems(
  { name, supersedes }: Declaration,
  known: DeclaredDatasets,
  declarations: readonly unknown[],
): string[] {
  if (supersedes === undefined) return [];
  const list = (group: DeclaredDatasets['retired']) => group.map((each) => each.declaration);
  const declared = declarations.filter(isPlainObject) as unknown as readonly Declaration[];
  const others = new Map(
    [...list(known.declarations), ...declared].map((each) => [each.name, each]),
  );
  others.delete(name);
  if (![...list(known.retired), ...others.values()].some((each) => each.name === supersedes))
    return [`$.supersedes must be a declared dataset: there is no ${supersedes}`];
  const rival = others.values().find((each) => each.supersedes === supersedes);
  if (rival) return [`$.supersedes must be another: ${rival.name} supersedes ${supersedes}`];
  let last: string | undefined = supersedes;
  while (last !== undefined && last !== name) {
    const next: string | undefined = others.get(last)?.supersedes;
    others.delete(last);
    last = next;
  }
  return last === name ? [`$.supersedes must be another: ${supersedes} takes its place`] : [];
}

/**
 * The change that reverts declarations. Refuses to revert one that records need, even if these are only in
 * the history, because reverts could restore them.
 */
export async function planDeclarationRevert(
  transaction: PublishTransaction,
  reverted: number,
  plan: Pick<RevertPlan, 'rows' | 'retiredKeys'>,
) {
  const { declarations } = await readDeclarations(transaction);
  const rows = await Array.fromAsync(plan.rows);
  const retiredKeys = await Array.fromAsync(plan.retiredKeys);
  const restored = rows.flat().map(({ json }) => JSON.parse(json));
  const retired = retiredKeys.map(([name]) => String(name));
  for (const { declaration, ...origin } of declarations) {
    const { name } = declaration;
    const before = restored.find((record) => record.name === name);
    const isRetired = retired.includes(foldAsciiCase(name));
    const [change] = before ? findRefusedChanges(declaration, toDeclaration(before)) : [];
    if (!isRetired && !change) continue;
    const count = await countRecords(transaction, createDeclaredDataset(declaration, origin));
    if (count > 0)
      throw new PublishError(
        `nothing was published: ${name} has ${count} records, and ${change ?? 'would no longer be declared'}`,
      );
    const [last] = await transaction.revisions({ datasets: [name], limit: 1 });
    if (change && last && last.revision > reverted)
      throw new PublishError(
        `nothing was published: ${name} had records since, by revision ${last.revision}, and ${change}`,
      );
  }
  return { rows, retiredKeys };
}

async function countRecords(transaction: PublishTransaction, dataset: Dataset): Promise<number> {
  const { entries } = await transaction.coverage([dataset]);
  return entries[0]?.count ?? 0;
}

interface RetireDatasetOptions extends PublishingOptions {
  readonly name: string;
  /** Whether a dataset with records is retired, together with them. */
  readonly withRecords: boolean;
}

interface RetireDatasetResult {
  readonly revision: Revision;
  /** The preceding revision, which retires the records, if there are any. */
  readonly recordsRevision?: Revision | undefined;
}

/** Retires the declaration of a dataset, after its records if it has any. */
export function retireDataset(
  publisher: Pick<Publisher, 'transaction'>,
  { name, author, withRecords, isDryRun }: RetireDatasetOptions,
): Promise<RetireDatasetResult> {
  return publisher.transaction(
    async (transaction) => {
      const { declarations } = await readDeclarations(transaction);
      const declared = declarations.find((each) => each.declaration.name === name);
      if (!declared) throw new PublishError(explainMissing(name));
      const dataset = createDeclaredDataset(declared.declaration, declared);
      const source = 'retired by name';
      const count = await countRecords(transaction, dataset);
      if (count > 0 && !withRecords)
        throw new PublishError(
          `${name} has ${count} records: --with-records retires them as well; what they were can be read as of earlier revisions`,
        );
      const recordsRevision =
        count > 0
          ? await transaction.publish({ dataset, replace: true, source, author })
          : undefined;
      const change = { dataset: datasets, retiredKeys: [[foldAsciiCase(name)]], source, author };
      const revision = (await transaction.publish(change)) as Revision;
      return { revision, recordsRevision };
    },
    { isDryRun },
  );
}

export const explainMissing = (name: string) =>
  `there is no declared dataset "${name}"; tenor dataset list shows which there are`;
