import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { readJsonPath } from '../../src/formats/json/read-json-path.ts';
import { CHUNK_SIZES, createInput, resultOrError } from './chunked-input.ts';

const select = (text: string, path: readonly string[], sizes?: readonly number[]) =>
  resultOrError(Array.fromAsync(readJsonPath(createInput(text, sizes), path)));

const TEXT = '{"a": 5, "years": {\n"2023": {"q": [1, 2]},\n"2024": {"r": 0, "q": [3]}},\n"b": []}';

describe('a path in a JSON file', () => {
  test('selects values in any number of levels, with the keys that stand for each *', async () => {
    expect(await select(TEXT, ['years', '*', 'q', '*'])).toEqual([
      { keys: ['2023', '0'], line: 2, value: 1 },
      { keys: ['2023', '1'], line: 2, value: 2 },
      { keys: ['2024', '0'], line: 3, value: 3 },
    ]);
    expect(await select(TEXT, ['years', '2023', 'q', '1'])).toEqual([
      { keys: [], line: 2, value: 2 },
    ]);
    expect(await select('[1, [2]]', [])).toEqual([{ keys: [], line: 1, value: [1, [2]] }]);
  });

  test('selects nothing below values without members, but must be there if it has no *', async () => {
    expect(await select(TEXT, ['*', '*', '*', '*', '*', '*'])).toEqual([]);
    expect(await select(TEXT, ['a', 'b'])).toBe('InvalidFileError: has no a.b in its JSON');
  });

  test.each([
    ['{"a": [1, 2}', 'InvalidFileError: has broken JSON on line 1'],
    ['{"a": [1, 2], "b": [', 'InvalidFileError: is cut short: its JSON has no end'],
    ['{"a": [1]} {}', 'InvalidFileError: has something after the end of its JSON, on line 1'],
    ['{"a": [1],\n "a": [2]}', 'InvalidFileError: has "a" twice, again on line 2'],
  ])('rejects %s, also if the fault is after the values', async (text, message) => {
    expect(await select(text, ['a', '*'])).toBe(message);
  });

  test('selects the same however the file is split into chunks', () =>
    fc.assert(
      fc.asyncProperty(CHUNK_SIZES, async (sizes) => {
        const path = ['years', '*', 'q'];
        expect(await select(TEXT, path, sizes)).toEqual(await select(TEXT, path));
      }),
      { numRuns: 30 },
    ));
});
