import { describe, expect, test } from 'bun:test';
import { catalogue } from '../../src/catalogue/index.ts';
import { findDataset } from '../../src/cli/arguments.ts';
import { formatHelp, parseCommandLine } from '../../src/cli/command.ts';
import { importCommands } from '../../src/cli/commands/index.ts';
import { EXIT_STATUSES, findCommand, formatHelpFor } from '../../src/cli/find-command.ts';
import { parseQueryTarget } from '../../src/cli/query/query-target.ts';
import { runTenor } from '../support/run-tenor.ts';

const commands = await importCommands();

describe('tenor help', () => {
  test.each(Object.entries(commands))('shows the help of %s', async (name, command) => {
    expect(await formatHelpFor(name.split(' '))).toBe(formatHelp(command));
  });

  test('prints what --help prints, for all commands, a group or one', async () => {
    for (const words of [[], ['token'], ['token', 'create']]) {
      const [help, same] = await Promise.all([
        runTenor(['help', ...words]),
        runTenor([...words, '--help']),
      ]);
      expect(help).toMatchObject({ status: 0, err: '', out: `${await formatHelpFor(words)}\n` });
      expect(same).toEqual(help);
    }
    expect((await runTenor(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test('lists every command', async () => {
    const overview = await formatHelpFor([]);
    for (const [name, { summary }] of Object.entries(commands)) {
      expect(overview).toMatch(new RegExp(`^  ${name} +${summary}$`, 'm'));
      expect(await formatHelpFor(name.split(' '))).toStartWith(`tenor ${name}`);
    }
  });

  test('lists the commands of a group', async () => {
    const help = await formatHelpFor(['token']);
    expect(help).toContain('token rotate');
    expect(help).not.toContain('  load ');
  });

  test('lists every exit status', async () => {
    const help = await formatHelpFor([]);
    for (const [status, description] of Object.entries(EXIT_STATUSES)) {
      expect(help).toMatch(new RegExp(`^  ${status} +${description}$`, 'm'));
    }
  });

  test('explains the status of a command that may be tried again later', async () => {
    expect(await formatHelpFor([])).toMatch(
      /^ {2}5 +Not possible now: another load holds the write lock/m,
    );
  });

  test('rejects an argument after the command', async () => {
    await expect(formatHelpFor(['load', 'quotes'])).rejects.toThrow('unexpected argument "quotes"');
  });

  test.each(['load', 'query', 'export', 'retire'])('lists every dataset for %s', async (name) => {
    const help = await formatHelpFor([name]);
    for (const { name: dataset, title } of catalogue) {
      expect(help).toMatch(new RegExp(`^  ${dataset} +${title}$`, 'm'));
    }
  });
});

describe('a name that does not exist', () => {
  test.each([
    ['lod quotes a.csv', 'no command "lod" (did you mean load?); see tenor --help'],
    ['qurey', 'no command "qurey" (did you mean query?)'],
    ['help lod', 'no command "lod" (did you mean load?)'],
    ['tokn create', 'no command "tokn" (did you mean token?)'],
    ['token craete', 'no command "token craete" (did you mean token create?)'],
    ['fly', 'no command "fly"; see tenor --help'],
    ['x', 'no command "x"; see tenor --help'],
  ])('tenor %s: %s', async (line, message) => {
    const args = line.split(' ');
    const found = args[0] === 'help' ? formatHelpFor(args.slice(1)) : findCommand(args);
    await expect<unknown>(found).rejects.toThrow(message);
  });

  test('is compared with the options of the command', () => {
    const { load } = commands;
    const parse = (option: string) => () => load && parseCommandLine(load, ['quotes', option]);
    expect(parse('--dryrun')).toThrow("'--dryrun' (did you mean --dry-run?); tenor load --help");
    expect(parse('--hlep')).toThrow('(did you mean --help?)');
    expect(parse('--colour')).toThrow("Unknown option '--colour'; tenor load --help");
  });

  test('is compared with the datasets and operations', () => {
    expect(() => findDataset('quote')).toThrow('no dataset "quote" (did you mean quotes?)');
    expect(() => findDataset('Quotes')).toThrow('(did you mean quotes?)');
    expect(() => findDataset('atm')).toThrow(
      '(did you mean atm-transactions-annual-volume or atm-transactions-quarterly-value?)',
    );
    expect(() => findDataset('gold')).toThrow('no dataset "gold"; the datasets are quotes, ');
    expect(() => parseQueryTarget(['securites'], false)).toThrow('(did you mean securities?)');
    expect(() => parseQueryTarget(['gold'], false)).toThrow('no operation "gold"; there are ');
  });
});
