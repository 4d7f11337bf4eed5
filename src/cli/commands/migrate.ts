import { catalogue } from '../../catalogue/index.ts';
import { migrateStore } from '../../store/open-store.ts';
import { retryWhileBusy } from '../../store/retry-while-busy.ts';
import type { Command } from '../command.ts';
import { printLine } from '../command.ts';
import { createLockWaitOptions } from '../open-store.ts';
import { pluralize } from '../publishing.ts';

export const migrateCommand: Command = {
  usage: 'migrate [--print] [--distribute] [--json]',
  summary: 'Bring the tables of the database up to date',
  options: {
    print: { help: 'Print the SQL that would be run, and run nothing' },
    distribute: { help: 'Spread quotes over the machines of a Citus cluster, by symbol' },
    json: { help: 'As JSON' },
  },
  details: [
    'Every command does this where it may. On PostgreSQL this one is for the role that owns the',
    'tables; it also gives the roles tenor_reader and tenor_publisher, where there are such, what',
    'they need. Nothing is ever taken back: an older Tenor refuses a newer database.',
  ].join('\n'),
  async run({ options, settings }) {
    const { databaseUrl } = settings();
    const isTrial = options.print === true;
    const how = { isDryRun: isTrial, distribute: options.distribute === true };
    const statements = await retryWhileBusy(createLockWaitOptions(), () =>
      migrateStore(databaseUrl, catalogue, how),
    );
    if (options.json) printLine(JSON.stringify({ run: !isTrial, statements }, null, 2));
    else if (isTrial) printLine(formatScript(statements));
    else for (const line of summarizeStatements(statements)) printLine(line);
  },
};

function formatScript(statements: readonly string[]): string {
  if (statements.length === 0) return '-- Everything is up to date.';
  return statements.map((statement) => `${statement};`).join('\n');
}

/** What was done, in a few lines. */
function summarizeStatements(statements: readonly string[]): string[] {
  const matching = (pattern: RegExp) => statements.filter((sql) => pattern.test(sql)).length;
  const made = [
    pluralize(matching(/^CREATE TABLE/), 'table'),
    `${matching(/^CREATE (UNIQUE )?INDEX/)} indexes`,
    pluralize(matching(/^CREATE VIEW/), 'view'),
  ].filter((each) => !each.startsWith('0 '));
  const isNew = matching(/^CREATE TABLE revisions/) > 0;
  const spread = matching(/create_distributed_table/);
  const whole = matching(/create_reference_table/);
  const lines = [
    ...(made.length > 0 ? [`Made ${made.join(', ')}.`] : []),
    ...(isNew || matching(/^ALTER TABLE/) === 0 ? [] : ['Brought older tables up to date.']),
    ...(spread + whole > 0
      ? [
          `Spread ${pluralize(spread, 'table')} over the machines, and put ${whole} on each of them.`,
        ]
      : []),
    ...(matching(/GRANT/) > 0 ? ['Gave the roles, where there are such, what they need.'] : []),
  ];
  return lines.length > 0 ? lines : ['Everything is up to date.'];
}
