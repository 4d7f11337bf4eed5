import { expect, test } from 'bun:test';
import { runTenor } from '../support/run-tenor.ts';

test('commands publish nothing to a database that follows another one, and say what it follows', async () => {
  const settings = { FOLLOW: 'http://127.0.0.1:9', DATABASE_URL: 'sqlite:none.db' };
  for (const args of [
    ['load', 'quotes', 'x.csv', '--create'],
    ['retire', 'quotes', '--symbol', 'A'],
    ['revert', '1'],
  ]) {
    const { status, err } = await runTenor(args, settings);
    expect([args[0], status, err]).toEqual([
      args[0],
      1,
      expect.stringContaining(`this database follows ${settings.FOLLOW}`),
    ]);
  }
  const { status, err } = await runTenor(
    ['serve', '--accept-restart', 'x'],
    {},
    { isRejected: true },
  );
  expect([status, err]).toEqual([2, expect.stringContaining('set FOLLOW')]);
});
