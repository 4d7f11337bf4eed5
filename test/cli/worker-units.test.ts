import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { relayLines } from '../../src/cli/workers/relay-lines.ts';
import { createRestartBackoff } from '../../src/cli/workers/restart-backoff.ts';

describe('the lines of several processes', () => {
  test('are passed on whole, in order, however they come; half a line at the end is left out', async () => {
    const chunks = fc.array(fc.stringMatching(/^[a-c\n]{0,8}$/), { maxLength: 12 });
    const property = fc.asyncProperty(chunks, async (texts) => {
      const writes: string[] = [];
      await relayLines(bytesOf(texts), (lines) => writes.push(new TextDecoder().decode(lines)));
      for (const written of writes) expect(written).toEndWith('\n');
      const all = texts.join('');
      expect(writes.join('')).toBe(all.slice(0, all.lastIndexOf('\n') + 1));
    });
    await fc.assert(property);
  });

  test('are passed on as soon as they are whole', async () => {
    const writes: string[] = [];
    let seen = 0;
    async function* source() {
      yield* bytesOf(['one\ntw']);
      seen = writes.length;
      yield* bytesOf(['o\n']);
    }
    await relayLines(source(), (lines) => writes.push(new TextDecoder().decode(lines)));
    expect([seen, writes]).toEqual([1, ['one\n', 'two\n']]);
  });
});

describe('the pause before a process is started again', () => {
  test('is short at first, doubles while it ends at its start, and has a bound', () => {
    const pauseAfter = createRestartBackoff();
    const first = Array.from({ length: 4 }, () => pauseAfter(0));
    expect(first).toEqual([50, 100, 200, 400]);
    const later = Array.from({ length: 1_500 }, () => pauseAfter(9_999));
    expect(later.at(-1)).toBe(10_000);
    expect(later.toSorted((a, b) => a - b)).toEqual(later);
  });

  test('is short again after it has lived for a while', () => {
    const pauseAfter = createRestartBackoff();
    for (let death = 0; death < 20; death++) pauseAfter(0);
    expect([pauseAfter(10_000), pauseAfter(0)]).toEqual([50, 100]);
  });
});

async function* bytesOf(texts: readonly string[]) {
  for (const text of texts) yield new TextEncoder().encode(text);
}
