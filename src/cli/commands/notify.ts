import { existsSync, readFileSync } from 'node:fs';
import { Notifier, type NotifierState, ReceiverGoneError } from '../../notify/notifier.ts';
import { parseWebhookSecrets } from '../../notify/sign-webhook.ts';
import { replacePrivateFile } from '../../shared/draft-file.ts';
import { explainFileError } from '../../shared/file-error.ts';
import { pause } from '../../shared/wait-until.ts';
import { type StoreReader, StoreUnavailableError } from '../../store/open-store.ts';
import { createAbortOnSignal } from '../abort-on-signal.ts';
import { findStoredDataset } from '../arguments.ts';
import { type Command, type CommandCall, CommandError, UsageError } from '../command.ts';
import { printNote } from '../output.ts';
import { withReader } from '../with-store.ts';

export const notifyCommand: Command = {
  usage: 'notify --hook URL --secret-file FILE --state FILE [--datasets LIST] [--allow-private]',
  summary: 'Send each revision, and each dataset that becomes late or recovers, to a URL',
  options: {
    hook: { placeholder: 'URL', help: 'Required: where to POST to, an https:// address' },
    'secret-file': {
      placeholder: 'FILE',
      help: 'Required: the secrets that sign messages, whsec_ and 24 to 64 bytes in base64, a line each',
    },
    state: { placeholder: 'FILE', help: 'Required: where to remember what was sent' },
    datasets: { placeholder: 'LIST', help: 'Only these datasets, comma-separated (default: all)' },
    'allow-private': { help: 'Allow private addresses, such as 10.0.0.5, and http://' },
  },
  details:
    'Messages are signed as Standard Webhooks say. They are sent in order and at least once, and again with\ngrowing pauses while the receiver fails; redirects are failures, and 410 ends the command with status 1.\nIt goes on where it stopped. A new state file begins with the next revision.',
  async run(call) {
    const url = parseHook(call);
    const [secretFile, stateFile] = ['secret-file', 'state'].map((name) =>
      requireOption(call, name),
    );
    const datasets = await parseDatasets(call);
    const options = {
      url,
      secrets: readSecrets(secretFile as string),
      allowsPrivate: call.options['allow-private'] === true,
      datasets,
      readState: () => readState(stateFile as string),
      writeState: (state: NotifierState) => writeState(stateFile as string, state),
      onNote: printNote,
      signal: createAbortOnSignal('what was not delivered is sent when it is started again'),
    };
    let trouble = '';
    for (;;) {
      try {
        await withReader(call, (reader) => watch(reader, options));
      } catch (cause) {
        if (cause instanceof ReceiverGoneError) throw new CommandError(cause.message);
        if (!(cause instanceof StoreUnavailableError)) throw cause;
        if (cause.message !== trouble) printNote(`${cause.message}; trying again`);
        trouble = cause.message;
      }
      await pause(POLL_INTERVAL_MS, options.signal);
      options.signal.throwIfAborted();
    }
  },
};

const POLL_INTERVAL_MS = 1_000;

/** Sends until the file of the database is replaced, or it is away. */
async function watch(
  reader: StoreReader,
  options: Parameters<typeof Notifier.start>[0],
): Promise<void> {
  const notifier = await Notifier.start(options, reader);
  while (reader.isCurrent()) {
    await notifier.send(reader);
    await pause(POLL_INTERVAL_MS, options.signal);
    options.signal.throwIfAborted();
  }
}

function requireOption({ options }: CommandCall, name: string): string {
  const { [name]: value } = options;
  if (value !== undefined && value !== '') return String(value);
  throw new UsageError(`--${name} is required`);
}

function parseHook(call: CommandCall): string {
  const text = requireOption(call, 'hook');
  const url = URL.parse(text);
  const isAllowed = call.options['allow-private'] ? /^https?:$/ : /^https:$/;
  if (url && isAllowed.test(url.protocol) && !url.username && !url.password) return url.href;
  throw new UsageError(
    '--hook must be an https:// address without a password; --allow-private allows http:// as well',
  );
}

async function parseDatasets(call: CommandCall): Promise<readonly string[] | undefined> {
  const { datasets } = call.options;
  if (datasets === undefined) return undefined;
  const names = String(datasets).split(',');
  for (const name of names) await findStoredDataset(call, name);
  return names;
}

function readSecrets(file: string) {
  const secrets = parseWebhookSecrets(readText(file) ?? '');
  if (secrets) return secrets;
  throw new CommandError(
    `${file} must have a secret on each line: whsec_ and 24 to 64 bytes in base64`,
  );
}

function readState(file: string): NotifierState | undefined {
  const text = existsSync(file) ? readText(file) : undefined;
  if (text === undefined) return undefined;
  try {
    const { revision, publishedAt, late } = JSON.parse(text);
    if (Number.isSafeInteger(revision) && typeof publishedAt === 'string' && Object(late) === late)
      return { revision, publishedAt, late };
  } catch {
    // It is no JSON.
  }
  throw new CommandError(
    `${file} is no state of tenor notify; remove it to begin with the next revision`,
  );
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new CommandError(`cannot read ${file}: ${explainFileError(cause as Error, file)}`);
  }
}

function writeState(file: string, state: NotifierState): void {
  try {
    replacePrivateFile(file, `${JSON.stringify(state)}\n`);
  } catch (cause) {
    throw new CommandError(`cannot write ${file}: ${explainFileError(cause as Error, file)}`);
  }
}
