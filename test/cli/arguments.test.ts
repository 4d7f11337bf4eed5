import { describe, expect, test } from 'bun:test';
import { parseInstantOrDay, parseNumberOption, parseWholeNumber } from '../../src/cli/arguments.ts';
import { type CommandCall, UsageError } from '../../src/cli/command.ts';

describe('parseWholeNumber', () => {
  test.each(['1', '20', '99'])('takes %s between 1 and 99', (text) => {
    expect(parseWholeNumber('--limit', text, 1, 99)).toBe(Number(text));
  });

  test.each(['', '0', '100', '-1', '+5', '05', '1.0', '1e1', ' 7', 'ten'])(
    'rejects "%s" with the range',
    (text) => {
      const message = `--limit must be a whole number from 1 to 99, not "${text}"`;
      expect(() => parseWholeNumber('--limit', text, 1, 99)).toThrow(new UsageError(message));
    },
  );
});

test('an option that is not given has no number', () => {
  const call = { options: { limit: '5' } } as unknown as CommandCall;
  expect(parseNumberOption(call, 'limit', 1, 9)).toBe(5);
  expect(parseNumberOption(call, 'width', 1, 9)).toBeUndefined();
});

test('a day means its last millisecond in UTC, and a second its last one', () => {
  expect(parseInstantOrDay('2026-06-30')?.toISOString()).toBe('2026-06-30T23:59:59.999Z');
  expect(parseInstantOrDay('2026-06-30T12:00:00Z')?.toISOString()).toBe('2026-06-30T12:00:00.999Z');
  expect(parseInstantOrDay('2026-02-30')).toBeUndefined();
});
