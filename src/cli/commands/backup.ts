import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { catalogue } from '../../catalogue/index.ts';
import { MirrorError, openBucket } from '../../mirror/mirror-target.ts';
import { checkDatabase, readWholeLedger } from '../../publish/check/check-database.ts';
import { FOLDER_SUFFIXES } from '../../shared/database-folders.ts';
import { explainFileError } from '../../shared/file-error.ts';
import { findEngine } from '../../store/engines.ts';
import {
  type BackupResult,
  backUpStore,
  isDatabaseFile,
  openInspector,
  openStore,
  type StoreInspector,
  StoreUnusableError,
} from '../../store/open-store.ts';
import { createAbortOnSignal } from '../abort-on-signal.ts';
import { applyPriority, NICE_OPTION } from '../apply-priority.ts';
import { parseNumberOption } from '../arguments.ts';
import { formatBackupName, listBackupNames } from '../backups/backup-names.ts';
import {
  deleteOldUploads,
  fetchBackup,
  uploadBackup,
  withPrivateFolder,
} from '../backups/stored-backups.ts';
import { type Command, type CommandCall, CommandError, UsageError } from '../command.ts';
import { formatInteger, pluralize } from '../format.ts';
import { formatJson, printErrorLine, printOutcome } from '../output.ts';
import { ProgressBar } from '../progress-bar.ts';
import { closeAfter, explainMissingStore } from '../with-store.ts';

export const backupCommand: Command = {
  usage: 'backup (FILE | --to TARGET | --verify TARGET) [--replace | --keep N] [--json]',
  maxArguments: 1,
  summary: 'Copy a SQLite database, even while it is in use, and verify the copy',
  options: {
    to: {
      placeholder: 'TARGET',
      help: 'Write to a folder or to s3://bucket/prefix, with the time and revision in the name',
    },
    verify: {
      placeholder: 'TARGET',
      help: 'Restore a backup, or the newest one of a folder or bucket, to a temporary folder, and check it',
    },
    replace: {
      help: 'Replace FILE if it is a Tenor database, once the copy is verified',
    },
    keep: {
      placeholder: 'N',
      help: 'Put the time and revision into the name, and delete all but the N newest copies',
    },
    ...NICE_OPTION,
    json: { help: 'As JSON' },
  },
  details: [
    'With --keep 7, backups/tenor.db is written as backups/tenor-2026-11-16T104300Z-r123.db. Tokens',
    'and the private key of the ledger are copied to the folder FILE.private. Exit status 0: the copy',
    'is complete, without faults, and on disk. 1: it could not be made, or has faults; earlier copies',
    'are unchanged. To restore one: docs/how-to/back-up-and-restore.md. PostgreSQL has its own tools:',
    'docs/how-to/postgresql.md.',
    '',
    '--verify is a restore drill: it fetches the copy, checks all of it like tenor check, and signs with',
    'its private key, which must be that of its ledger. A bucket is used with AWS_ACCESS_KEY_ID,',
    'AWS_SECRET_ACCESS_KEY, AWS_REGION and AWS_ENDPOINT_URL as usual. Copies to and from it pass through',
    'a folder in TMPDIR.',
  ].join('\n'),
  async run(call) {
    const { to, verify } = call.options;
    const started = performance.now();
    applyPriority(call);
    const run = verify === undefined ? backUp(call) : drill(call, String(verify));
    const { text, effect, ...result } = await run.catch((cause) => {
      if (!(cause instanceof MirrorError)) throw cause;
      throw new CommandError(`${to ?? verify}: ${cause.message}`);
    });
    const seconds = (performance.now() - started) / 1_000;
    const outcome = call.options.json
      ? formatJson({ ...result, seconds: Number(seconds.toFixed(3)) })
      : `${text}, in ${seconds.toFixed(1)} s.`;
    await printOutcome(outcome, effect);
  },
};

async function backUp(call: CommandCall) {
  const { to, replace } = call.options;
  const [file] = call.positionals;
  if (to !== undefined && (file !== undefined || replace))
    throw new UsageError('--to cannot be combined with FILE or --replace');
  const keep = parseNumberOption(call, 'keep', 1, 9_999);
  if (keep !== undefined && replace)
    throw new UsageError('--replace and --keep cannot be combined');
  const { databaseUrl } = call.settings();
  if (!findEngine(databaseUrl).isFile) throw new UsageError(POSTGRES_HINT);
  if (to !== undefined) return backUpTo(call, String(to), keep);
  if (!file) throw new UsageError('a FILE is required, such as backups/tenor.db');
  return writeBackup(call, file, keep !== undefined, keep);
}

async function backUpTo(call: CommandCall, target: string, keep: number | undefined) {
  const name = basename(call.settings().databaseUrl.slice('sqlite:'.length));
  const bucket = openBucket(target);
  if (!bucket) return writeBackup(call, join(target, name), true, keep);
  return withPrivateFolder(async (folder) => {
    const copy = await copyDatabase(call, join(folder, name), true);
    await uploadBackup(bucket, copy.file);
    const deleted = keep === undefined ? [] : await deleteOldUploads(bucket, name, keep);
    const file = `${target.replace(/\/*$/, '')}/${basename(copy.file)}`;
    return describeBackup({ ...copy, file }, deleted);
  });
}

/** Restores a backup to a temporary folder, and checks whether it is complete and could go on. */
async function drill(call: CommandCall, address: string) {
  const other = ['to', 'replace', 'keep'].find((name) => call.options[name] !== undefined);
  if (other || call.positionals.length > 0)
    throw new UsageError(`--verify cannot be combined with ${other ? `--${other}` : 'FILE'}`);
  const signal = createAbortOnSignal('the backup was not verified to its end');
  return withPrivateFolder(async (folder) => {
    const { origin, file } = await fetchBackup(address, folder);
    const url = `sqlite:${file}`;
    const inspector = await openInspector(url, catalogue);
    const verified = await closeAfter(inspector, () =>
      verifyStore(inspector, signal, (faults) => `${origin} has ${faults}`),
    );
    // A follower publishes nothing, and has no key.
    if (!call.settings().follow && verified.revision > 0) {
      const store = await openStore(url, catalogue);
      await closeAfter(store.publisher(), (publisher) => publisher.replaceLedgerKey({})).catch(
        (cause) => {
          if (!(cause instanceof StoreUnusableError)) throw cause;
          throw new CommandError(
            `${origin} has no faults, but without the private key of its ledger in ${origin}.private/ledger-key nothing could be published after a restore`,
          );
        },
      );
    }
    const text = `Verified ${origin}: ${formatContent(verified)}, without faults`;
    return { file: origin, ...verified, text, effect: `${origin} was verified` };
  });
}

const POSTGRES_HINT =
  'tenor backup copies SQLite files; for PostgreSQL use pg_dump, pg_basebackup or pgBackRest (docs/how-to/postgresql.md)';

type VerifiedCopy = Awaited<ReturnType<typeof verifyStore>>;

async function writeBackup(call: CommandCall, file: string, isNumbered: boolean, keep?: number) {
  const copy = await copyDatabase(call, file, isNumbered);
  const { databaseUrl } = call.settings();
  const deleted = keep === undefined ? [] : deleteOldBackups(file, copy.file, keep, databaseUrl);
  return describeBackup(copy, deleted);
}

function describeBackup(copy: BackupResult<VerifiedCopy>, deleted: readonly string[]) {
  const { file, bytes, verified } = copy;
  const lines = [
    ...deleted.map((name) => `Deleted ${name}`),
    `Wrote ${file}: ${formatContent(verified)}, ${formatInteger(bytes)} bytes`,
  ];
  const effect = `${file} was written`;
  return { file, bytes, ...verified, deleted, text: lines.join('\n'), effect };
}

const formatContent = ({ revision, records }: VerifiedCopy) =>
  `revision ${revision}, ${pluralize(records, 'record')}`;

async function copyDatabase({ options, settings }: CommandCall, file: string, isNumbered: boolean) {
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

/**
 * Deletes all but the newest copies, including the new one; returns the deleted ones. A copy that is being
 * served does not count.
 */
function deleteOldBackups(file: string, written: string, keep: number, url: string): string[] {
  const folder = dirname(file);
  const earlier = listBackupNames(file, readdirSync(folder))
    .filter((name) => name !== basename(written))
    .map((name) => join(folder, name))
    .filter((name) => !existsSync(`${name}-wal`) && !isDatabaseFile(name, url));
  const old = earlier.slice(0, Math.max(0, earlier.length - (keep - 1)));
  for (const name of old) {
    for (const suffix of ['', ...FOLDER_SUFFIXES])
      rmSync(name + suffix, { recursive: true, force: true });
  }
  return old;
}
