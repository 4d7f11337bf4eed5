import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { catalogue } from '../../catalogue/index.ts';
import { checkDatabase, readWholeLedger } from '../../publish/check/check-database.ts';
import { FOLDER_SUFFIXES } from '../../shared/database-folders.ts';
import { explainFileError } from '../../shared/file-error.ts';
import { findEngine } from '../../store/engines.ts';
import {
  type BackupResult,
  backUpStore,
  isDatabaseFile,
  type StoreInspector,
} from '../../store/open-store.ts';
import { createAbortOnSignal } from '../abort-on-signal.ts';
import { parseNumberOption } from '../arguments.ts';
import { type Command, type CommandCall, CommandError, UsageError } from '../command.ts';
import { formatInteger, pluralize } from '../format.ts';
import { lowerPriority } from '../lower-priority.ts';
import { formatJson, printErrorLine, printOutcome } from '../output.ts';
import { ProgressBar } from '../progress-bar.ts';
import { explainMissingStore } from '../with-store.ts';

export const backupCommand: Command = {
  usage: 'backup FILE [--replace | --keep N] [--json]',
  maxArguments: 1,
  summary: 'Copy a SQLite database, even while it is in use, and verify the copy',
  options: {
    replace: {
      help: 'Replace FILE if it is a Tenor database, once the copy is verified',
    },
    keep: {
      placeholder: 'N',
      help: 'Put the time and revision into the name, and delete all but the N newest copies',
    },
    json: { help: 'As JSON' },
  },
  details: [
    'With --keep 7, backups/tenor.db is written as backups/tenor-2026-11-16T104300Z-r123.db. Tokens',
    'and the private key of the ledger are copied to the folder FILE.private. Exit status 0: the copy',
    'is complete, without faults, and on disk. 1: it could not be made, or has faults; earlier copies',
    'are unchanged. To restore one: docs/how-to/back-up-and-restore.md. PostgreSQL has its own tools:',
    'docs/how-to/postgresql.md.',
  ].join('\n'),
  async run(call) {
    const file = call.positionals[0];
    if (!file) throw new UsageError('a FILE is required, such as backups/tenor.db');
    const keep = parseNumberOption(call, 'keep', 1, 9_999);
    if (keep !== undefined && call.options.replace)
      throw new UsageError('--replace and --keep cannot be combined');
    const { databaseUrl } = call.settings();
    if (!findEngine(databaseUrl).isFile) throw new UsageError(POSTGRES_HINT);
    lowerPriority();
    const started = performance.now();
    const backup = await writeBackup(call, file, keep !== undefined);
    const seconds = (performance.now() - started) / 1_000;
    const deleted =
      keep === undefined ? [] : deleteOldBackups(file, backup.file, keep, databaseUrl);
    await printOutcome(formatBackup(call, backup, seconds, deleted), `${backup.file} was written`);
  },
};

const POSTGRES_HINT =
  'tenor backup copies SQLite files; for PostgreSQL use pg_dump, pg_basebackup or pgBackRest (docs/how-to/postgresql.md)';

type VerifiedCopy = Awaited<ReturnType<typeof verifyStore>>;

async function writeBackup({ options, settings }: CommandCall, file: string, isNumbered: boolean) {
  const configured = settings();
  const target = {
    file,
    canReplace: options.replace === true,
    ...(isNumbered && {
      formatName: ({ revision }: VerifiedCopy) => formatBackupName(file, new Date(), revision),
    }),
  };
  const signal = createAbortOnSignal(`${file} was not written`);
  try {
    return await explainMissingStore(configured, () =>
      backUpStore(configured.databaseUrl, catalogue, target, (copy) =>
        verifyStore(copy, signal, (faults) => `the copy has ${faults} and was not kept`),
      ),
    );
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === undefined || !/^(SQLITE_|E[A-Z]+$)/.test(code)) throw cause;
    throw new CommandError(`cannot write ${file}: ${explainFileError(cause as Error, file)}`);
  }
}

/** Checks a store like tenor check; rejects one with faults, using a message that says what was not done. */
export async function verifyStore(
  store: StoreInspector,
  signal: AbortSignal,
  describe: (faults: string) => string,
) {
  const ledger = await readWholeLedger(store);
  const expectedRows = ledger.reduce((sum, { added, corrected }) => sum + added + corrected, 0);
  const progress = new ProgressBar(expectedRows);
  const check = await checkDatabase(store, catalogue, {
    onRows: (rows) => {
      signal.throwIfAborted();
      progress.advance(rows);
    },
  }).finally(() => progress.clear());
  if (check.faultCount > 0) {
    for (const fault of check.faults) printErrorLine(`Fault: ${fault}`);
    const faults = pluralize(check.faultCount, 'fault');
    throw new CommandError(`${describe(faults)}; tenor check verifies the database`);
  }
  signal.throwIfAborted();
  return { revision: ledger.at(-1)?.revision ?? 0, records: check.rows };
}

function formatBackup(
  { options }: CommandCall,
  { file, bytes, verified }: BackupResult<VerifiedCopy>,
  seconds: number,
  deleted: readonly string[],
): string {
  if (options.json) {
    const rounded = Number(seconds.toFixed(3));
    return formatJson({ file, bytes, ...verified, seconds: rounded, deleted });
  }
  const content = `revision ${verified.revision}, ${pluralize(verified.records, 'record')}`;
  return [
    ...deleted.map((name) => `Deleted ${name}`),
    `Wrote ${file}: ${content}, ${formatInteger(bytes)} bytes, in ${seconds.toFixed(1)} s.`,
  ].join('\n');
}

/** The name of a copy among others: `tenor-2026-11-16T104300Z-r123.db` for `tenor.db`. */
export function formatBackupName(file: string, instant: Date, revision: number): string {
  const time = `${instant.toISOString().slice(0, 19).replaceAll(':', '')}Z`;
  const { stem, extension } = splitName(file);
  return `${stem}-${time}-r${revision}${extension}`;
}

/**
 * Deletes all but the newest copies, including the new one; returns the deleted ones. A copy that is being
 * served does not count.
 */
function deleteOldBackups(file: string, written: string, keep: number, url: string): string[] {
  const folder = dirname(file);
  const earlier = readdirSync(folder)
    .filter((name) => isBackupName(file, name) && name !== basename(written))
    .toSorted()
    .map((name) => join(folder, name))
    .filter((name) => !existsSync(`${name}-wal`) && !isDatabaseFile(name, url));
  const old = earlier.slice(0, Math.max(0, earlier.length - (keep - 1)));
  for (const name of old) {
    for (const suffix of ['', ...FOLDER_SUFFIXES])
      rmSync(name + suffix, { recursive: true, force: true });
  }
  return old;
}

function isBackupName(file: string, name: string): boolean {
  const { stem, extension } = splitName(file);
  if (!name.startsWith(`${stem}-`) || !name.endsWith(extension)) return false;
  const middle = name.slice(stem.length, name.length - extension.length);
  return /^-\d{4}-\d\d-\d\dT\d{6}Z-r\d+$/.test(middle);
}

function splitName(file: string) {
  const extension = extname(file);
  return { stem: basename(file, extension), extension };
}
