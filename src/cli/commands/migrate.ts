import { catalogue } from '../../catalogue/index.ts';
import { migrateStore } from '../../store/open-store.ts';
import { retryWhileBusy } from '../../store/retry-while-busy.ts';
import { type Command, UsageError } from '../command.ts';
import { pluralize } from '../format.ts';
import { printJson, printLine, printNote } from '../output.ts';
import { createLockWaitOptions, printSchemaChange } from '../with-store.ts';

export const migrateCommand: Command = {
  usage: 'migrate [--print] [--distribute] [--accept-loss REVISION] [--json]',
  summary: 'Create the database, or migrate its schema',
  options: {
    print: { help: 'Print the SQL without running it' },
    distribute: { help: 'Distribute quotes over a Citus cluster, by symbol' },
    'accept-loss': {
      placeholder: 'REVISION',
      help: 'Give up revisions, up to this one, that were lost with a PostgreSQL server',
    },
    json: { help: 'As JSON' },
  },
  details: [
    'serve migrates automatically if its role may; all other commands reject an older schema.',
    'On PostgreSQL, run migrate as the role that owns the tables; it also grants privileges to the',
    'roles tenor_reader and tenor_publisher, if they exist. Servers of the previous version keep reading',
    'until it is done, then stop so that they can be restarted in the new version. There is no',
    'way back: older versions reject a newer database.',
    '',
    'Servers respond 503 while a revision that they have seen is missing, as after a failover to a',
    'lagging replica. --accept-loss lets them continue with the remaining revisions; their log',
    'has the number. Cursors from before are then no longer valid.',
  ].join('\n'),
  async run({ options, settings }) {
    const { databaseUrl } = settings();
    const isDryRun = options.print === true;
    const lostRevision = parseRevision(options['accept-loss']);
    if (isDryRun && lostRevision !== undefined)
      throw new UsageError('--print and --accept-loss cannot be combined');
    const statements = await retryWhileBusy(createLockWaitOptions(), () =>
      migrateStore(databaseUrl, catalogue, {
        isDryRun,
        distribute: options.distribute === true,
        ...(lostRevision !== undefined && { lostRevision }),
        // The creation is reported on standard output.
        onSchemaChange: (change) => change.from !== null && printSchemaChange(change),
      }),
    );
    if (options.json) printJson({ run: !isDryRun, statements });
    else if (isDryRun) printLine(formatScript(statements));
    else for (const line of summarizeStatements(statements)) printLine(line);
    if (lostRevision !== undefined) printNote(formatAcceptedLoss(lostRevision));
  },
};

function parseRevision(text: string | boolean | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (typeof text === 'string' && /^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new UsageError('--accept-loss must be the number of a revision');
}

function formatAcceptedLoss(revision: number): string {
  return `revisions up to ${revision} that are not in the database are given up; running servers continue without them. Verifiers of the ledger have seen them: also run tenor ledger restart`;
}

function formatScript(statements: readonly string[]): string {
  if (statements.length === 0) return '-- Everything is up to date.';
  return statements.map((statement) => `${statement};`).join('\n');
}

function summarizeStatements(statements: readonly string[]): string[] {
  const count = (pattern: RegExp) => statements.filter((sql) => pattern.test(sql)).length;
  const created = [
    pluralize(count(/^CREATE TABLE/), 'table'),
    pluralize(count(/^CREATE (UNIQUE )?INDEX/), 'index', 'indexes'),
    pluralize(count(/^CREATE VIEW/), 'view'),
  ].filter((part) => !part.startsWith('0 '));
  const isNew = count(/^CREATE TABLE revisions/) > 0;
  const distributed = count(/create_distributed_table/);
  const referenced = count(/create_reference_table/);
  const tables = `${pluralize(distributed, 'table')} and made ${pluralize(referenced, 'reference table')}`;
  const lines = [
    created.length > 0 && `Created ${created.join(', ')}.`,
    !isNew && count(/^ALTER TABLE/) > 0 && 'Altered existing tables.',
    distributed + referenced > 0 && `Distributed ${tables}.`,
    count(/GRANT/) > 0 && 'Granted privileges to tenor_reader and tenor_publisher, if they exist.',
  ].filter((line) => line !== false);
  return lines.length > 0 ? lines : ['Everything is up to date.'];
}
