import { catalogue } from '../../catalogue/index.ts';
import {
  type CheckResult,
  checkDatabase,
  findLedgerDifference,
  readWholeLedger,
} from '../../publish/check/check-database.ts';
import type { Settings } from '../../settings.ts';
import { findEngine } from '../../store/engines.ts';
import {
  assertReplicasAllowed,
  openInspector,
  StoreUnavailableError,
  StoreUnusableError,
} from '../../store/open-store.ts';
import { checkAudit } from '../check-audit.ts';
import { type Command, CommandError, UsageError } from '../command.ts';
import { formatInteger, formatWarningGroup, pluralize } from '../format.ts';
import { printJson, printLine } from '../output.ts';
import { closeAfter, explainMissingStore } from '../with-store.ts';

export const checkCommand: Command = {
  usage: 'check [--audit FILE…] [--strict] [--json]',
  maxArguments: Infinity,
  summary: 'Verify the whole database and report inconsistent data, or verify an audit log',
  options: {
    audit: {
      placeholder: 'FILE',
      help: 'Verify the lines of an audit log instead, whose rotated files may follow',
    },
    strict: { help: 'Also fail if there are warnings' },
    json: { help: 'As JSON' },
  },
  details: [
    'Exit status 0: no faults. 1: faults found (with --strict: or warnings). Every server of',
    'DATABASE_URL and DATABASE_REPLICAS is verified, as of its newest revision when that begins.',
    '',
    '  tenor check --audit /var/log/tenor/audit.log*',
    '',
    'finds lines that were cut out, moved or changed (faults), and names those that a full disk or',
    'a killed process has cut, and what is in no file that was given (warnings). Files may be',
    'compressed, and in any order.',
  ].join('\n'),
  async run({ positionals, options, settings }) {
    if (options.audit !== undefined)
      return checkAudit([String(options.audit), ...positionals], options);
    const [unexpected] = positionals;
    if (unexpected !== undefined) throw new UsageError(`unexpected argument "${unexpected}"`);
    const isReported = options.json === true;
    const onCheck = isReported ? undefined : printCheck;
    const { checks, problems } = await checkServers(settings(), onCheck);
    const [first, ...replicas] = checks;
    if (isReported) {
      const isSingle = replicas.length + problems.length === 0;
      printJson(isSingle ? first : { ...first, replicas, unchecked: problems });
    } else for (const problem of problems) printLine(`Not checked: ${problem}`);
    const faultCount = checks.reduce((sum, check) => sum + check.faultCount, 0);
    const faults = pluralize(faultCount, 'fault');
    const warnings = first?.warnings ?? [];
    if (faultCount > 0) throw new CommandError(`the database is damaged: ${faults}`, isReported);
    if (problems.length > 0) throw new CommandError('not all servers were checked', isReported);
    if (options.strict && warnings.length > 0)
      throw new CommandError(formatWarningCount(warnings), isReported);
  },
};

interface ServerCheck extends CheckResult {
  /** Absent for a SQLite file. */
  readonly server?: string;
}

/** Checks one server after another; problems name those that could not be checked. */
async function checkServers(settings: Settings, onCheck: (check: ServerCheck) => void = () => {}) {
  const { databaseUrl, databaseReplicas } = settings;
  assertReplicasAllowed(databaseUrl, databaseReplicas);
  const urls = [...findEngine(databaseUrl).listServers(databaseUrl), ...databaseReplicas];
  const checks: ServerCheck[] = [];
  const problems: string[] = [];
  let firstLedger: Ledger | undefined;
  for (const url of urls) {
    try {
      const { check, ledger } = await checkServer(settings, url, firstLedger);
      firstLedger ??= ledger;
      onCheck(check);
      checks.push(check);
    } catch (cause) {
      const isStoreProblem =
        cause instanceof StoreUnavailableError || cause instanceof StoreUnusableError;
      if (urls.length === 1 || !isStoreProblem) throw cause;
      problems.push(cause.message);
    }
  }
  return { checks, problems };
}

type Ledger = Awaited<ReturnType<typeof readWholeLedger>>;

async function checkServer(settings: Settings, url: string, firstLedger?: Ledger) {
  const open = () => openInspector(url, catalogue);
  const isFirst = url === settings.databaseUrl;
  const opened = await (isFirst ? explainMissingStore(settings, open) : open());
  return closeAfter(opened, async (inspector) => {
    const { server } = inspector;
    const result = await checkDatabase(inspector, catalogue);
    // An unreadable ledger is already among the faults.
    const ledger = await readWholeLedger(inspector).catch(() => undefined);
    const difference = firstLedger && ledger && findLedgerDifference(firstLedger, ledger);
    const check: ServerCheck = {
      ...(server !== undefined && { server }),
      ...result,
      ...(difference !== undefined && {
        faults: [difference, ...result.faults],
        faultCount: result.faultCount + 1,
      }),
    };
    return { check, ledger };
  });
}

function printCheck(check: ServerCheck): void {
  const { server, faults, faultCount, warnings, revisions, rows } = check;
  if (server !== undefined) printLine(`Server ${server}`);
  for (const fault of faults) printLine(`Fault: ${fault}`);
  const hidden = faultCount - faults.length;
  if (hidden > 0) printLine(`… and ${formatInteger(hidden)} more`);
  for (const line of warnings.flatMap(formatWarningGroup)) printLine(line);
  const checked = `${pluralize(revisions, 'revision')}, ${pluralize(rows, 'record')}`;
  const problems = `${pluralize(faultCount, 'fault')}, ${formatWarningCount(warnings)}`;
  printLine(`Checked ${checked}: ${problems}.`);
}

function formatWarningCount(warnings: CheckResult['warnings']): string {
  return pluralize(
    warnings.reduce((sum, { count }) => sum + count, 0),
    'warning',
  );
}
