import { expect, test } from 'bun:test';
import { type CommandCall, parseCommandLine, UsageError } from '../../src/cli/command.ts';
import { retireCommand } from '../../src/cli/commands/retire.ts';

test.each([
  [['quotes'], 'a KEY is required'],
  [['quotes', '--from', '2026-01-01'], '--from has no effect without --symbol'],
  [['quotes', '--symbol', 'X', '--to', '2026'], '--to must be a day as YYYY-MM-DD, not "2026"'],
  [['quotes', '--symbol', ''], '--symbol must name a symbol'],
  [['quotes', '2026-01-01/X', '--symbol', 'X'], 'give KEYs or --symbol, not both'],
  [['securities', '--symbol', 'X'], '--symbol is for quotes, not for securities'],
  [
    ['quotes', '--symbol', 'X', '--from', '2026-01-02', '--to', '2026-01-01'],
    '--from must not be after --to',
  ],
])('tenor retire %j is rejected before the database is opened', async (args, message) => {
  const call = parseCommandLine(retireCommand, args) as CommandCall;
  await expect(retireCommand.run(call)).rejects.toThrow(new UsageError(message));
});
