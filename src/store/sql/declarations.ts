import { type DeclaredDatasets, NONE_DECLARED } from '../../catalogue/catalogues.ts';
import { datasets, toDeclaration } from '../../catalogue/datasets/datasets.ts';
import {
  type Declaration,
  type DeclaredDataset,
  PUBLISHED_SCHEMA,
} from '../../catalogue/model/declaration.ts';
import { findSchemaProblems } from '../../catalogue/model/schema-problems.ts';
import { getStorageTable } from '../../schema/storage-table.ts';
import { memoize } from '../../shared/memoize.ts';
import { StoreDamagedError } from '../errors.ts';
import { type QuerySteps, queryRow, queryRows } from './query-steps.ts';
import { buildSql, ownRows, type SqlCondition, selectWhere } from './sql-fragments.ts';

/**
 * The declarations that hold at a revision; those that are known, if nothing came after them.
 * Checks skip damaged ones, which are faults of their records.
 */
export function* findDeclarations(
  revision: number,
  known = NONE_DECLARED,
  { skipsDamaged = false } = {},
): QuerySteps<DeclaredDatasets> {
  const last = yield* queryRow<{ since: number | null }>({
    sql: 'SELECT max(revision) AS since FROM revisions WHERE dataset = ? AND revision <= ?',
    values: [datasets.name, revision],
  });
  const since = last?.since ?? 0;
  if (since === known.since) return known;
  const table = getStorageTable(datasets);
  const upTo: SqlCondition[] = [...ownRows(table), ['since <= ?', revision]];
  const stored = buildSql`${selectWhere(['record', 'since', 'NULL AS until'], table.currentTable, upTo)}
    UNION ALL ${selectWhere(['record', 'since', 'until'], table.historyTable, upTo)}`;
  const rows = yield* queryRows<DeclarationRow>(
    buildSql`SELECT record, since, until, published_at AS "publishedAt"
      FROM (${stored}) AS stored JOIN revisions ON revision = since ORDER BY since`,
  );
  const readable = rows.flatMap(({ record, ...row }) => {
    const declaration = parseDeclaration(record);
    if (declaration) return [{ ...row, declaration }];
    if (skipsDamaged) return [];
    throw new StoreDamagedError(`a declaration of revision ${row.since} was altered`);
  });
  const firstRecords = yield* queryRows<{ dataset: string; first: number }>({
    sql: 'SELECT dataset, min(revision) AS first FROM revisions WHERE revision <= ? GROUP BY dataset',
    values: [revision],
  });
  const first = new Map(firstRecords.map((row) => [row.dataset, Number(row.first)]));
  return { since, ...groupDeclarations(readable, revision, first) };
}

/** A server reads the same ones again for every revision that declares another. */
const MAX_CACHED_DECLARATIONS = 2_000;

/** Undefined if the text is no declaration. */
const parseDeclaration = memoize(MAX_CACHED_DECLARATIONS, (text: string) => {
  try {
    const declaration = toDeclaration(JSON.parse(text));
    const problem = findSchemaProblems(declaration, PUBLISHED_SCHEMA).next();
    return problem.done ? declaration : undefined;
  } catch {
    return undefined;
  }
});

interface DeclarationRow {
  readonly record: string;
  readonly since: number;
  readonly until: number | null;
  readonly publishedAt: string;
}

type StoredDeclaration = Omit<DeclarationRow, 'record'> & Pick<DeclaredDataset, 'declaration'>;

/**
 * By name; the last version of each has all measures that earlier ones had when there were records: before
 * the first of these, declarations may change in any way.
 */
function groupDeclarations(
  rows: readonly StoredDeclaration[],
  revision: number,
  firstRecords: ReadonlyMap<string, number>,
) {
  const versions = new Map<string, DeclaredDataset & Pick<DeclarationRow, 'until'>>();
  for (const { declaration, since, until, publishedAt } of rows) {
    const before = versions.get(declaration.name);
    const first = firstRecords.get(declaration.name);
    const last = first !== undefined && first < since ? before : undefined;
    const added = last ? listNewMeasures(declaration, last.declaration) : [];
    const addedMeasures = [
      ...(last?.addedMeasures ?? []),
      ...added.map(({ field }) => ({ field, revision: since })),
    ];
    const { supersedes } = declaration;
    const isContinued = before?.until === since && before.declaration.supersedes === supersedes;
    const supersedesSince = (isContinued && before?.supersedesSince) || publishedAt;
    const version = {
      declaration,
      revision: since,
      publishedAt,
      addedMeasures,
      until,
      ...(supersedes !== undefined && { supersedesSince }),
    };
    versions.set(declaration.name, version);
  }
  const [declarations, retired]: [DeclaredDataset[], DeclaredDataset[]] = [[], []];
  for (const [, { until, ...declared }] of [...versions].sort(([a], [b]) => (a < b ? -1 : 1)))
    (until === null || until > revision ? declarations : retired).push(declared);
  return { declarations, retired };
}

function listNewMeasures({ measures }: Declaration, before: Declaration) {
  const known = new Set(before.measures.map(({ field }) => field));
  return measures.filter(({ field }) => !known.has(field));
}
