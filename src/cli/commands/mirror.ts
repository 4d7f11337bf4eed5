import { catalogue } from '../../catalogue/index.ts';
import { TenorError } from '../../client/errors.ts';
import { checkMirror } from '../../mirror/check-mirror.ts';
import { MirrorError, openMirrorTarget } from '../../mirror/mirror-target.ts';
import { writeMirror } from '../../mirror/write-mirror.ts';
import { createAbortOnSignal } from '../abort-on-signal.ts';
import { type Command, type CommandCall, CommandError, UsageError } from '../command.ts';
import { formatInteger, pluralize } from '../format.ts';
import { formatJson, printJson, printOutcome } from '../output.ts';
import { drawLine } from '../progress-bar.ts';
import { withReader } from '../with-store.ts';
import { parseScopes } from './token.ts';

export const mirrorCommand: Command = {
  usage: 'mirror TARGET [--scopes LIST] [--since N] [--check] [--json]',
  maxArguments: 1,
  summary: 'Write everything published as files that any web server can serve',
  options: {
    scopes: { placeholder: 'LIST', help: 'Only datasets of these scopes (default: all)' },
    since: { placeholder: 'N', help: 'The first revision of a new mirror (default: 1)' },
    check: { help: 'Check all files of the mirror, and write nothing' },
    json: { help: 'As JSON' },
  },
  details: [
    'TARGET is a folder, or s3://bucket/prefix with AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY,',
    'AWS_REGION and AWS_ENDPOINT_URL as usual. Each run adds the missing revisions,',
    'one after the other: latest.json names the last one, and no other file ever changes.',
  ].join('\n'),
  async run(call) {
    const [address = ''] = call.positionals;
    if (address === '') throw new UsageError('TARGET is required: a folder, or s3://bucket/prefix');
    const { text, ...result } = await (call.options.check ? check : write)(call, address)
      .catch((cause) => {
        const isExpected = cause instanceof MirrorError || cause instanceof TenorError;
        throw isExpected ? new CommandError(`${address}: ${cause.message}`) : cause;
      })
      .finally(() => drawLine(''));
    const outcome = { target: address, ...result };
    if ('faults' in result && result.faults.length > 0) {
      if (call.options.json) printJson(outcome);
      throw new CommandError(result.faults.join('\n'), call.options.json === true);
    }
    await printOutcome(call.options.json ? formatJson(outcome) : `${address} ${text}.`, text);
  },
};

async function write(call: CommandCall, address: string) {
  const { since, scopes } = call.options;
  if (since !== undefined && !/^[1-9]\d{0,8}$/.test(String(since)))
    throw new UsageError(`--since must be the number of a revision, not "${since}"`);
  const started = performance.now();
  const options = {
    target: openMirrorTarget(address),
    catalogue,
    scopes: parseScopes(scopes),
    ...(since !== undefined && { since: Number(since) }),
    signal: createAbortOnSignal('the mirror has the revisions that were complete'),
  };
  const run = await withReader(call, (reader) =>
    writeMirror({ ...options, reader, onProgress: drawLine }),
  );
  const seconds = Math.round(performance.now() - started) / 1_000;
  const { revision, added, files, bytes } = run;
  const size = `${pluralize(files, 'file')}, ${formatInteger(bytes)} bytes, in ${seconds.toFixed(1)} s`;
  const news = `has ${pluralize(added, 'new revision')}, up to ${revision}: ${size}`;
  return { ...run, seconds, text: added === 0 ? `already has revision ${revision}` : news };
}

async function check({ options }: CommandCall, address: string) {
  const other = ['scopes', 'since'].find((name) => options[name] !== undefined);
  if (other) throw new UsageError(`--check and --${other} cannot be combined`);
  const result = await checkMirror(openMirrorTarget(address), drawLine);
  const { revision, files } = result;
  const text = `is complete up to revision ${revision}: ${pluralize(files, 'file')} of data, the log and its changes were verified`;
  return { ...result, text };
}
