import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { EventLog } from '../../src/event-log.ts';
import {
  escapeControls,
  findControlCharacter,
  stringifyEscaped,
} from '../../src/shared/control-characters.ts';

/** Nothing that a terminal acts on: no C0, DEL, C1, bidirectional or invisible character. */
const SAFE = /^[^\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]*$/u;

describe('control characters', () => {
  test.each([
    ['a\u0000', 'U+0000'],
    ['\u001b[31m', 'U+001B'],
    ['a\u007f', 'U+007F'],
    ['a\u009b', 'U+009B'],
    ['ab\u061c', 'U+061C'],
    ['\u200eab', 'U+200E'],
    ['a\u202eb', 'U+202E'],
    ['a\u2066b', 'U+2066'],
    ['a\u200bb', 'U+200B'],
    ['a\u2028b', 'U+2028'],
    ['a\ufeffb', 'U+FEFF'],
  ])('%j are found and named', (text, name) => {
    expect(findControlCharacter(text)).toBe(name);
    expect(escapeControls(text)).toMatch(SAFE);
  });

  test.each(['', 'ZZ12TB031226', 'Sukuk – 5 % é', 'اردو', 'می\u200cخواهم', '😀'])(
    'are not in %j',
    (text) => {
      expect(findControlCharacter(text)).toBeUndefined();
      expect(escapeControls(text)).toBe(text);
    },
  );

  test.each([true, false])('are escaped in the log, on a terminal: %p', (isTTY) => {
    let lines = '';
    const log = new EventLog({ isTTY, write: (text: string) => (lines += text) });
    log.emit({ event: 'store.lost', cause: 'a\u001b[31m\u009b\u202e' });
    log.flush();
    expect(lines).toContain('a\\u001b[31m\\u009b\\u202e');
    expect(lines.trimEnd()).toMatch(SAFE);
  });

  test('are escaped in JSON, whose value stays the same', () => {
    const anyValue = fc.anything({ values: [fc.string({ unit: 'binary' })], maxDepth: 2 });
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), anyValue, (texts, value) => {
        const json = JSON.stringify([texts, value]);
        const escaped = stringifyEscaped([texts, value]);
        expect(escaped).toMatch(SAFE);
        expect(JSON.stringify(JSON.parse(escaped))).toBe(json);
      }),
    );
  });
});
