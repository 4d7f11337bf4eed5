import { catalogue } from '../../catalogue/index.ts';
import { SETTINGS } from '../../settings.ts';
import { system } from '../../shared/system.ts';
import { findEngine } from '../../store/engines.ts';
import { type MovedRows, moveStore } from '../../store/move-store.ts';
import { openInspector } from '../../store/open-store.ts';
import { createAbortOnSignal } from '../abort-on-signal.ts';
import { type Command, type CommandCall, CommandError, UsageError } from '../command.ts';
import { formatInteger, pluralize } from '../format.ts';
import { formatJson, printOutcome } from '../output.ts';
import { ProgressBar } from '../progress-bar.ts';
import { closeAfter } from '../with-store.ts';
import { verifyStore } from './backup.ts';

export const moveCommand: Command = {
  usage: 'move --from URL --to URL [--json]',
  summary: 'Copy everything to an empty SQLite or PostgreSQL database, and compare both',
  options: {
    from: { placeholder: 'URL', help: 'The database to copy (default: DATABASE_URL)' },
    to: { placeholder: 'URL', help: 'The database to create or fill (default: DATABASE_URL)' },
    json: { help: 'As JSON' },
  },
  details: [
    'URLs are as in DATABASE_URL: sqlite:data/tenor.db, postgres://user:password@host/database.',
    'Copies records, history, the ledger, tokens, links and the secret that signs cursors; the numbers',
    'and times of revisions stay. The source is verified first, as by tenor check; it may be served',
    'in the meantime, but not published to. The target must be a new file, or a PostgreSQL',
    'database without data, opened as the role that owns it; for a cluster, first run',
    'tenor migrate --distribute there.',
    '',
    'Exit status 0: everything was copied, and compares equal. 1: nothing was moved; the message',
    'gives the reason, and the location of a difference. After an interruption, run the command again.',
  ].join('\n'),
  async run(call) {
    const urls = parseUrls(call);
    const signal = createAbortOnSignal('nothing was moved');
    const { records } = await closeAfter(await openInspector(urls.from, catalogue), (source) =>
      verifyStore(source, signal, (faults) => `the source has ${faults}, and nothing was moved`),
    );
    const progress = new ProgressBar(2 * records);
    const started = performance.now();
    const onRows = async (count: number) => {
      progress.advance(count);
      // Two files are read and written without waiting, so a signal would go unnoticed.
      await system.nextTurn();
      signal.throwIfAborted();
    };
    const moved = await moveStore({ ...urls, catalogue, onRows })
      .catch((cause: NodeJS.ErrnoException) => {
        // Such as an unwritable folder.
        if (!/^E[A-Z]+$/.test(cause.code ?? '')) throw cause;
        throw new CommandError(`cannot write ${formatAddress(urls.to)}: ${cause.message}`);
      })
      .finally(() => progress.clear());
    const text = formatMoved(call, urls, moved, performance.now() - started);
    await printOutcome(text, `everything was moved to ${formatAddress(urls.to)}`);
  },
};

interface MoveUrls {
  readonly from: string;
  readonly to: string;
}

function parseUrls({ options, settings }: CommandCall): MoveUrls {
  if (options.from === undefined && options.to === undefined)
    throw new UsageError('--from or --to is required; DATABASE_URL is the default of the other');
  const parse = (name: 'from' | 'to') => {
    const text = options[name];
    if (text === undefined) return settings().databaseUrl;
    const url = SETTINGS.databaseUrl.parse(String(text));
    if (url === undefined)
      throw new UsageError(`--${name} must be ${SETTINGS.databaseUrl.requirement}`);
    return url;
  };
  return { from: parse('from'), to: parse('to') };
}

function formatMoved(
  { options }: CommandCall,
  urls: MoveUrls,
  rows: MovedRows,
  ms: number,
): string {
  const [from, to] = [formatAddress(urls.from), formatAddress(urls.to)];
  if (options.json)
    return formatJson({ from, to, compared: rows, seconds: Math.round(ms) / 1_000 });
  const { revisions, current, history, tokens, links } = rows;
  const records = `${pluralize(current, 'current record')} and ${formatInteger(history)} of history`;
  const counts = [pluralize(tokens, 'token'), pluralize(links, 'link')].join(', ');
  return [
    `Moved ${from} to ${to} in ${(ms / 1_000).toFixed(1)} s.`,
    `Compared ${pluralize(revisions, 'revision')}, ${records}, ${counts}, and all other stored data: no difference.`,
    'The source is unchanged. Set DATABASE_URL of servers and publishers to the new database.',
  ].join('\n');
}

const formatAddress = (url: string) => findEngine(url).formatAddress(url);
