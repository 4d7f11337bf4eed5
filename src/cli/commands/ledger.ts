import { parseCheckpoint } from '../../ledger/note.ts';
import { SETTINGS } from '../../settings.ts';
import type { KeyReplacement } from '../../store/open-store.ts';
import { createLedgerName } from '../../store/sql/ledger-log.ts';
import { parseNumberOption } from '../arguments.ts';
import { type Command, type CommandCall, CommandError, UsageError } from '../command.ts';
import { formatJson, printJson, printLine, printOutcome } from '../output.ts';
import { withPublisher, withReader } from '../with-store.ts';

const JSON_OPTION = { json: { help: 'As JSON' } };

export const ledgerKeyCommand: Command = {
  usage: 'ledger key [--json]',
  summary: 'Print the public key that verifies the ledger, for its readers',
  options: JSON_OPTION,
  details: [
    'The key is public and in the format of signed notes: name, id and key. Give it to readers by',
    'a channel other than the service itself, such as a website or a letter, for tenor verify --key.',
  ].join('\n'),
  async run(call) {
    const { keys, checkpoint } = await readLog(call);
    const key = keys.at(-1)?.key ?? '';
    const { origin = '', size = 0 } = parseCheckpoint(checkpoint) ?? {};
    if (call.options.json) printJson({ key, origin, size, keys });
    else printLine(key);
  },
};

export const ledgerRotateKeyCommand: Command = {
  usage: 'ledger rotate-key [--json]',
  summary: 'Sign the ledger with a new key from now on; the old key signs the new one',
  options: JSON_OPTION,
  details:
    'Verifiers that know the old key accept the new one automatically. The old private key is removed, but copies of it, such as those in backups, can still sign.',
  async run(call) {
    await replaceKey(call, {}, 'The ledger is now signed with a new key:');
  },
};

export const ledgerRestartCommand: Command = {
  usage: 'ledger restart [--name NAME] [--size N] [--lost-key] [--json]',
  summary: 'Begin a new transparency log, after a restored backup or an accepted loss',
  options: {
    name: {
      placeholder: 'NAME',
      help: 'Name of the new log (default: tenor/ and 16 random digits)',
    },
    size: {
      placeholder: 'N',
      help: 'The last revision that both logs share (default: that of a restored backup, else all)',
    },
    'lost-key': { help: 'The private key was lost, so it cannot sign the new log' },
    ...JSON_OPTION,
  },
  details: [
    'Verifiers have seen revisions that are gone or different: they raise an alarm until they are',
    'run with --accept-restart NAME. The old key signs the name of the new log and the last common size.',
    'Nothing is published, and revisions do not change.',
  ].join('\n'),
  async run(call) {
    const { keys, checkpoint } = await readLog(call);
    const size = parseNumberOption(call, 'size', 0, parseCheckpoint(checkpoint)?.size ?? 0);
    const { name = createLedgerName() } = call.options as { name?: string };
    if (!name || SETTINGS.ledgerName.parse(name) === undefined)
      throw new UsageError(`--name must be ${SETTINGS.ledgerName.requirement}`);
    if (keys.some(({ key }) => key.startsWith(`${name}+`)))
      throw new UsageError(`--name must be new: ${name} is the name of an earlier log`);
    const isLost = call.options['lost-key'] === true;
    const replacement = { name, isLost, ...(size !== undefined && { size }) };
    await replaceKey(call, replacement, `The new transparency log ${name} begins, with the key`);
  },
};

async function replaceKey(call: CommandCall, replacement: KeyReplacement, effect: string) {
  await readLog(call);
  const { key, size } = await withPublisher(call, (publisher) =>
    publisher.replaceLedgerKey(replacement),
  );
  const lines = [effect, key, `It begins after revision ${size}.`];
  await printOutcome(call.options.json ? formatJson({ key, size }) : lines.join('\n'), effect);
}

async function readLog(call: CommandCall) {
  const { keys, checkpoint } = await withReader(call, async (reader) => ({
    keys: await reader.ledgerKeys(),
    checkpoint: await reader.checkpoint(),
  }));
  if (checkpoint === undefined)
    throw new CommandError('the ledger has no log yet; the next publication creates it');
  return { keys, checkpoint };
}
