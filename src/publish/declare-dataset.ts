import { type DeclaredDatasets, NONE_DECLARED } from '../catalogue/catalogues.ts';
import { datasets, toDeclarationRecord } from '../catalogue/datasets/datasets.ts';
import { findRefusedChanges } from '../catalogue/declaration-changes.ts';
import { findDeclarationProblems } from '../catalogue/declaration-problems.ts';
import { createDeclaredDataset } from '../catalogue/model/create-dataset.ts';
import type { Declaration } from '../catalogue/model/declaration.ts';
import type { Publisher, PublishTransaction, Revision, SourceFile } from '../store/open-store.ts';
import { PublishError } from './errors.ts';
import { type PublishingOptions, publishRecords } from './publish-records.ts';

/** Declarations that cannot be published; a line for each problem. */
export class DeclarationError extends PublishError {
  constructor(readonly problems: readonly string[]) {
    super(`nothing was published: ${problems.join('\n')}`);
  }
}

interface DeclareOptions extends PublishingOptions {
  /** The declarations, as they were parsed. */
  readonly declarations: readonly unknown[];
  readonly source: string;
  readonly files?: readonly SourceFile[];
  readonly sample?: boolean;
  /** A made-up instant of publication. */
  readonly at?: Date;
}

/** Publishes declarations, all or none; undefined where all of them were published as they are. */
export function declareDatasets(
  publisher: Pick<Publisher, 'transaction'>,
  { declarations, isDryRun = false, ...origin }: DeclareOptions,
): Promise<Revision | undefined> {
  return publisher.transaction(async (transaction) => {
    if (isDryRun) transaction.abandon();
    const known = await readDeclarations(transaction);
    const problems = declarations.flatMap((value) => findProblems(value, known, declarations));
    const names = declarations.map((value) => (value as Declaration | null)?.name);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined) problems.push(`${twice} is declared twice`);
    if (problems.length > 0) throw new DeclarationError(problems);
    const records = (declarations as readonly Declaration[]).map(toDeclarationRecord);
    return publishRecords(transaction, { dataset: datasets, records, ...origin });
  });
}

async function readDeclarations(transaction: PublishTransaction): Promise<DeclaredDatasets> {
  return transaction.declarations(await transaction.revision(), NONE_DECLARED);
}

/** A retired name comes back only as what it was. */
function findProblems(
  value: unknown,
  known: DeclaredDatasets,
  declarations: readonly unknown[],
): string[] {
  const problems = findDeclarationProblems(value);
  if (problems.length > 0) return problems;
  const declaration = value as Declaration;
  const { name, supersedes } = declaration;
  const before = [...known.declarations, ...known.retired].find(
    (each) => each.declaration.name === name,
  );
  const changes = before ? findRefusedChanges(before.declaration, declaration) : [];
  const hint =
    changes.length === 0
      ? []
      : [`to change it like that, declare another dataset that says "supersedes": "${name}"`];
  const others = [...known.declarations.map((each) => each.declaration), ...declarations].filter(
    (each) => (each as Declaration).name !== name,
  ) as readonly Declaration[];
  const isMissing = supersedes !== undefined && !others.some((each) => each.name === supersedes);
  const rival = others.find((each) => supersedes !== undefined && each.supersedes === supersedes);
  return [
    ...changes,
    ...hint,
    ...(isMissing ? [`$.supersedes must be a declared dataset: there is no ${supersedes}`] : []),
    ...(rival ? [`$.supersedes must be another: ${rival.name} supersedes ${supersedes}`] : []),
  ];
}

interface RetireDatasetOptions extends PublishingOptions {
  readonly name: string;
  /** Whether a dataset with records is retired, together with them. */
  readonly withRecords: boolean;
}

/** Retires the declaration of a dataset, after its records if it has any. */
export function retireDataset(
  publisher: Pick<Publisher, 'transaction'>,
  { name, author, withRecords, isDryRun = false }: RetireDatasetOptions,
): Promise<Revision> {
  return publisher.transaction(async (transaction) => {
    if (isDryRun) transaction.abandon();
    const { declarations } = await readDeclarations(transaction);
    const declared = declarations.find((each) => each.declaration.name === name);
    if (!declared) throw new PublishError(explainMissing(name, declarations));
    const dataset = createDeclaredDataset(declared.declaration, declared);
    const source = 'retired by name';
    const {
      entries: [coverage],
    } = await transaction.coverage([dataset]);
    const count = coverage?.count ?? 0;
    if (count > 0 && !withRecords)
      throw new PublishError(
        `${name} has ${count} records: --with-records retires them as well; what they were can be read as of earlier revisions`,
      );
    if (count > 0) await transaction.publish({ dataset, replace: true, source, author });
    const change = { dataset: datasets, retiredKeys: [[name]], source, author };
    return (await transaction.publish(change)) as Revision;
  });
}

/** Why there is no declared dataset of a name, and which there are. */
export function explainMissing(
  name: string,
  declarations: DeclaredDatasets['declarations'],
): string {
  const names = declarations.map((each) => each.declaration.name);
  return `there is no declared dataset "${name}"; ${names.length === 0 ? 'none is declared' : `the declared ones are ${names.join(', ')}`}`;
}
