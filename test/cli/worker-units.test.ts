import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { createRestartBackoff } from '../../src/cli/workers/start-workers.ts';
import { relayLines } from '../../src/cli/workers/worker-process.ts';

describe('relayLines', () => {
  test('relays complete lines in order, and drops an incomplete last line', async () => {
    const chunks = fc.array(fc.stringMatching(/^[a-c\n]{0,8}$/), { maxLength: 12 });
    const property = fc.asyncProperty(chunks, async (texts) => {
      const writes: string[] = [];
      await relayLines(
        encodeTexts(texts),
        (lines) => void writes.push(new TextDecoder().decode(lines)),
      );
      for (const lines of writes) expect(lines).toEndWith('\n');
      const all = texts.join('');
      expect(writes.join('')).toBe(all.slice(0, all.lastIndexOf('\n') + 1));
    });
    await fc.assert(property);
  });

  test('relays a line as soon as it is complete', async () => {
    const writes: string[] = [];
    let writesBeforeEnd = 0;
    async function* source() {
      yield* encodeTexts(['one\ntw']);
      writesBeforeEnd = writes.length;
      yield* encodeTexts(['o\n']);
    }
    await relayLines(source(), (lines) => void writes.push(new TextDecoder().decode(lines)));
    expect([writesBeforeEnd, writes]).toEqual([1, ['one\n', 'two\n']]);
  });
});

describe('createRestartBackoff', () => {
  test('doubles the backoff while a process keeps failing, up to a maximum', () => {
    const getBackoffMs = createRestartBackoff();
    const first = Array.from({ length: 4 }, () => getBackoffMs(0));
    expect(first).toEqual([50, 100, 200, 400]);
    const later = Array.from({ length: 1_500 }, () => getBackoffMs(9_999));
    expect(later.at(-1)).toBe(10_000);
    expect(later.toSorted((a, b) => a - b)).toEqual(later);
  });

  test('starts again after a process has run for a while', () => {
    const getBackoffMs = createRestartBackoff();
    for (let death = 0; death < 20; death++) getBackoffMs(0);
    expect([getBackoffMs(10_000), getBackoffMs(0)]).toEqual([50, 100]);
  });
});

async function* encodeTexts(texts: readonly string[]) {
  for (const text of texts) yield new TextEncoder().encode(text);
}
