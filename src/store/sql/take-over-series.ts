import type { EngineName } from './dialect.ts';

/** The series that had tables of their own, before all of them got one pair. */
const SERIES_WITH_TABLES = [
  'atm-transactions-annual-volume',
  'atm-transactions-quarterly-value',
  'branchless-banking-agents',
  'ivr-banking-annual-value',
  'mobile-money-accounts-male',
  'mobile-money-market-share-value',
  'online-banking-annual-volume',
  'payments-market-players',
  'pos-transactions-quarterly-volume',
  'settlement-transactions-value',
].map((name) => ({ name, view: name.replaceAll('-', '_') }));

/** The tables that they had. */
export const REPLACED_TABLES = SERIES_WITH_TABLES.flatMap(({ view }) => [
  `${view}_now`,
  `${view}_past`,
]);

/**
 * Copies the rows of each such table that exists into the shared one. Servers of the version before
 * read the tables until they see the new version and end. On PostgreSQL they stay as they are: in a
 * snapshot of before, rows that were moved would be nowhere. In a file, a view takes the place of each.
 */
export function takeOverSeriesSql(
  suffix: 'now' | 'past',
  engine: EngineName,
  exists: (table: string) => boolean,
): string[] {
  const shared = `observations_${suffix}`;
  const columns = `place, record, since${suffix === 'past' ? ', until' : ''}`;
  const found = SERIES_WITH_TABLES.filter(({ view }) => exists(`${view}_${suffix}`));
  if (found.length === 0) return [];
  const rows = found.map(
    ({ name, view }) => `SELECT '${name}', '${name}', ${columns} FROM ${view}_${suffix}`,
  );
  const copy = `INSERT INTO ${shared} (dataset, series_key, ${columns}) ${rows.join(' UNION ALL ')}`;
  if (engine === 'postgres') return [copy];
  const views = found.flatMap(({ name, view }) => [
    `DROP TABLE ${view}_${suffix}`,
    `CREATE VIEW ${view}_${suffix} AS SELECT ${columns} FROM ${shared} WHERE dataset = '${name}'`,
  ]);
  return [copy, ...views];
}
