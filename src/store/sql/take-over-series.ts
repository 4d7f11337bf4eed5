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

/** Views that stand for the tables of before; a database that was made since has none. */
export const REPLACED_TABLE_VIEWS = SERIES_WITH_TABLES.flatMap(({ view }) => [
  `${view}_now`,
  `${view}_past`,
]);

/**
 * Moves the rows of each such table that exists into the shared one. A view takes its place, so that
 * servers of the version before can read it until they end, which they do when they see the new one.
 */
export function takeOverSeriesSql(
  suffix: 'now' | 'past',
  exists: (table: string) => boolean,
): string[] {
  const shared = `observations_${suffix}`;
  const columns = `place, record, since${suffix === 'past' ? ', until' : ''}`;
  return SERIES_WITH_TABLES.filter(({ view }) => exists(`${view}_${suffix}`)).flatMap(
    ({ name, view }) => [
      `INSERT INTO ${shared} (dataset, series_key, ${columns}) SELECT '${name}', '${name}', ${columns} FROM ${view}_${suffix}`,
      // It depends on the table, and is made again.
      `DROP VIEW IF EXISTS ${view}`,
      `DROP TABLE ${view}_${suffix}`,
      `CREATE VIEW ${view}_${suffix} AS SELECT ${columns} FROM ${shared} WHERE dataset = '${name}' AND series_key = '${name}'`,
    ],
  );
}
