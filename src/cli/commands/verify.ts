import { accessSync, constants, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createOpenPath } from '../../client/create-open-path.ts';
import { TenorError } from '../../client/errors.ts';
import { createFileReader } from '../../client/mirror/file-reader.ts';
import { readLatest } from '../../client/mirror/mirror-files.ts';
import { type OpenedMirror, openMirror } from '../../client/mirror/open-mirror.ts';
import { verify } from '../../client/verify.ts';
import type { OpenPath } from '../../ledger/open-path.ts';
import { VerificationError } from '../../ledger/verification-error.ts';
import type { Verification } from '../../ledger/verify-ledger.ts';
import type { VerifierState } from '../../ledger/verify-log.ts';
import { MirrorError, openMirrorTarget } from '../../mirror/mirror-target.ts';
import { InvalidSettingError } from '../../settings.ts';
import { escapeControls } from '../../shared/control-characters.ts';
import { explainReadError } from '../../shared/file-error.ts';
import { StoreUnavailableError, StoreUnusableError } from '../../store/open-store.ts';
import { type Command, CommandError, UsageError } from '../command.ts';
import { formatInteger, pluralize } from '../format.ts';
import { printJson, printLine, printNote } from '../output.ts';
import { TOKEN_FILE_OPTION, withConnection } from '../with-connection.ts';
import { writePrivateFile } from '../write-private-file.ts';

export const verifyCommand: Command = {
  usage: 'verify [URL] [--state FILE] [--dataset NAME…] [--log-only] [options]',
  maxArguments: 1,
  summary: 'Verify that a server has not altered what it published',
  options: {
    state: {
      placeholder: 'FILE',
      help: 'The state of the last verification, compared with and then replaced',
    },
    dataset: {
      placeholder: 'NAME',
      help: 'Compare only the records of this dataset; repeatable (default: all)',
      isRepeatable: true,
    },
    'log-only': { help: 'Verify only the log, not its contents' },
    key: { placeholder: 'KEY', help: 'The verifier key that the publisher has announced' },
    'accept-restart': {
      placeholder: 'ORIGIN',
      help: 'Accept that the log was restarted under this name',
    },
    json: { help: 'As JSON' },
    'token-file': TOKEN_FILE_OPTION,
  },
  details: [
    'Every revision has an entry in an append-only log, whose newest state is signed. This command',
    'verifies the signature, that the log extends the one in FILE from the last time, that revisions',
    'and their changes match the log, and that the records which the server sends are the result',
    'of the changes. Without FILE, nothing can be said about the past.',
    '',
    '  tenor verify https://tenor.example --state tenor-state.json',
    '',
    'The URL may also be that of a mirror, or a folder or s3://bucket/prefix with one, which needs no',
    'token. The same FILE works for a server and its mirrors.',
    'Without a URL, TENOR_URL is the address; without both, the database is read. The log',
    'alone (--log-only) needs no token.',
    'Exit status 0: verified. 1: an alarm. 2: verification is not possible now. 5: the server is behind:',
    'it has only a part of what FILE has seen. FILE is replaced only after a successful verification.',
  ].join('\n'),
  async run(call) {
    const { positionals, options, getAll } = call;
    if (options['log-only'] && options.dataset !== undefined)
      throw new UsageError('--log-only and --dataset cannot be combined');
    const [path] = getAll('state');
    const state = path === undefined ? undefined : readState(path);
    const logOnly = options['log-only'] === true;
    const verifyOptions = {
      state,
      logOnly,
      key: getAll('key')[0],
      acceptRestart: getAll('accept-restart')[0],
      ...(options.dataset !== undefined && { datasets: getAll('dataset') }),
    };
    const [value] = positionals;
    const verifyPaths = (open: OpenPath, firstRevision?: number) =>
      verify(open, verifyOptions, firstRevision);
    const verification = await findMirror(value, state)
      .then((mirror) => {
        if (mirror) return verifyPaths(mirror.open, mirror.since);
        const argument = { name: 'URL', value, isOpen: logOnly };
        return withConnection(
          call,
          ({ connection, baseUrl }) => verifyPaths(createOpenPath(connection, baseUrl)),
          argument,
        );
      })
      .catch((cause) => reportFailure(cause, options.json === true, state));
    if (path !== undefined) writeState(path, verification.state);
    if (options.json) printJson({ status: 'verified', ...verification });
    else
      for (const line of describeVerification(verification, logOnly, state, path)) printLine(line);
  },
};

/** Opens the mirror at a URL or in a folder; undefined if there is none. */
async function findMirror(
  address: string | undefined,
  state: VerifierState | undefined,
): Promise<OpenedMirror | undefined> {
  if (address === undefined) return undefined;
  const createReader = (tries?: number) =>
    /^https?:/i.test(address)
      ? createFileReader(address, { tries })
      : openMirrorTarget(address).read;
  try {
    await readLatest(createReader(1));
  } catch (cause) {
    if (cause instanceof TenorError || cause instanceof TypeError) return undefined;
    throw cause;
  }
  printNote(`reading the mirror ${address}`);
  return openMirror(createReader(), state?.checkpoint);
}

/** Undefined the first time, when there is no file yet. */
function readState(path: string): VerifierState | undefined {
  try {
    // An invalid state is rejected later, with what it lacks.
    return Object(JSON.parse(readFileSync(path, 'utf8'))) as VerifierState;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return assertCreatable(path);
    throw new UsageError(`--state ${path} ${explainReadError(cause)}`);
  }
}

/** Skipped if another command has stored a later state of the same log in the meantime. */
function writeState(path: string, state: VerifierState): void {
  const { origin, size = 0 } = readState(path) ?? {};
  if (origin !== state.origin || size <= state.size)
    writePrivateFile(path, `${JSON.stringify(state)}\n`);
}

/** Checked first, because the result of a long verification would be lost. */
function assertCreatable(path: string): undefined {
  try {
    accessSync(dirname(path), constants.W_OK);
    if (path) return undefined;
  } catch {}
  throw new UsageError(`--state must be a file that can be written, not "${path}"`);
}

const CANNOT_VERIFY_STATUS = 2;
const BEHIND_STATUS = 5;
const MAX_PROBLEMS = 20;

/** An alarm has a different exit status than an unreachable server. */
function reportFailure(cause: unknown, isJson: boolean, state?: VerifierState): never {
  if (cause instanceof VerificationError) {
    const { problems } = cause;
    if (!state && problems[0]?.problem === 'no-log')
      throw new CommandError(cause.message, false, CANNOT_VERIFY_STATUS);
    if (isJson) printJson({ status: 'alarm', problems });
    const lines = problems.map(({ problem, message }) => `${problem}: ${message}`);
    const hidden = lines.splice(MAX_PROBLEMS).length;
    if (hidden > 0) lines.push(`… and ${formatInteger(hidden)} more; --json shows all of them`);
    throw new CommandError(lines.join('\n'), isJson);
  }
  if (cause instanceof TypeError)
    throw new UsageError(cause.message.replace(/^(?=state |key )/, '--'));
  const inner = cause instanceof TenorError && cause.kind === 'network' ? cause.cause : cause;
  const error = inner instanceof CommandError ? inner : cause;
  if (error instanceof UsageError) throw error;
  if (!EXPECTED_ERRORS.some((kind) => error instanceof kind)) throw error;
  const { message, kind, retryAfterMs = 0 } = error as Partial<TenorError> & Error;
  if (kind === 'behind') {
    if (isJson) printJson({ status: kind, message });
    throw new CommandError(`${kind}: ${message}`, isJson, BEHIND_STATUS);
  }
  const seconds = retryAfterMs / 1_000;
  const hint =
    kind === 'too_many_requests'
      ? `; the server responds again in ${seconds} s. --dataset and --log-only need fewer requests`
      : '';
  throw new CommandError(`${escapeControls(message)}${hint}`, false, CANNOT_VERIFY_STATUS);
}

const EXPECTED_ERRORS = [
  ...[TenorError, CommandError, InvalidSettingError],
  ...[StoreUnavailableError, StoreUnusableError, MirrorError],
];

function describeVerification(
  result: Verification,
  logOnly: boolean,
  state: VerifierState | undefined,
  path: string | undefined,
): string[] {
  const { origin, size, root, key, isKeyFirstSeen, rotatedKeys, previousSize } = result;
  const { revisionsChecked, unreadableRevisions, datasets, firstRevision } = result;
  const counts = Object.entries(datasets).map(([name, count]) => `${name} ${formatInteger(count)}`);
  const unread = pluralize(unreadableRevisions.length, 'revision');
  return [
    `Verified: ${pluralize(size, 'revision')} of ${origin}, with the hash ${root}.`,
    previousSize === null
      ? describeFirst(result, state, path)
      : `The log begins with the ${pluralize(previousSize, 'revision')} of ${state?.verifiedAt}.`,
    `Key: ${key}${isKeyFirstSeen ? ' (first seen, not compared with anything)' : ''}`,
    ...rotatedKeys.map((rotated) => `The key was replaced, signed by the previous one: ${rotated}`),
    ...(firstRevision > 1
      ? [
          `The mirror begins with revision ${firstRevision}, whose records were accepted without verification.`,
        ]
      : []),
    ...(logOnly
      ? ['Only the log was verified, not its contents.']
      : [`Revisions that match the log: ${formatInteger(revisionsChecked)}.`]),
    ...(unreadableRevisions.length > 0
      ? [`Not readable with this token, or not in this mirror: ${unread}.`]
      : []),
    ...(counts.length > 0 ? [`Records that match their publication: ${counts.join(', ')}.`] : []),
  ];
}

function describeFirst(
  { restart }: Verification,
  state: VerifierState | undefined,
  path: string | undefined,
): string {
  const next = path === undefined ? 'Use --state FILE' : `${path} is kept`;
  if (!state)
    return `There was no earlier state to compare the log with. ${next} for the next time.`;
  return `The log was restarted after revision ${restart?.commonSize}, which was accepted; later revisions of the earlier log, up to ${state.size}, are gone.`;
}
