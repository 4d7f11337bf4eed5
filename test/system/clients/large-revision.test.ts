import { expect, test } from 'bun:test';
import { digestLines } from '../../../src/ledger/log-entry.ts';

test('a revision may have more changes than a function takes as arguments', async () => {
  const lines = Array.from({ length: 700_000 }, (_, index) => String(index));
  const digests = lines.map((line) => new Bun.CryptoHasher('sha256').update(line).digest('hex'));
  const bytes = Buffer.from(digests.sort().join(''), 'hex');
  const expected = new Bun.CryptoHasher('sha256').update(bytes).digest('hex');
  expect(await digestLines(lines)).toBe(expected);
});
