import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { type FileItem, InvalidFileError } from '../../src/formats/file-contents.ts';
import { assertJsonLimits } from '../../src/formats/json/parse-value.ts';
import { readJson, readNdjson } from '../../src/formats/json/read-json.ts';
import {
  CHUNK_SIZES,
  collectItems,
  createEndlessInput,
  createInput,
  resultOrError,
} from './chunked-input.ts';

describe('a JSON file', () => {
  test('has the values of its list, numbered, each with its first line', async () => {
    const text = '\n[{"a": "[1,{"},\n\n {\n"b":\n[1, 2]}, 7\n, "x\\"]",null,[\n]]\n';
    expect(await json(text)).toEqual([
      { position: 1, line: 2, value: { a: '[1,{' } },
      { position: 2, line: 4, value: { b: [1, 2] } },
      { position: 3, line: 6, value: 7 },
      { position: 4, line: 7, value: 'x"]' },
      { position: 5, line: 7, value: null },
      { position: 6, line: 7, value: [] },
    ]);
  });

  test('numbers its records across batches', async () => {
    const content = JSON.stringify(Array.from({ length: 5_000 }, (_, index) => ({ index })));
    const items = await collectItems(readJson(createInput(content, [1000])));
    expect(items.map(({ position }) => position)).toEqual(items.map((_, index) => index + 1));
    expect(new Set(items.map(({ line }) => line))).toEqual(new Set([1]));
  });

  test('has numbers that a double cannot hold as text, and all others as numbers', async () => {
    const exact = '9007199254740991, 1e3, 0.1000000000000000055511151231257827, -1E-400';
    const inexact = '[9007199254740993], {"a": -1e400}, 1E+20';
    expect((await json(`[${exact}, ${inexact}]`)).map(({ value }) => value)).toEqual([
      9007199254740991,
      1000,
      0.1,
      -0,
      ['9007199254740993'],
      { a: '-1e400' },
      '1E+20',
    ]);
  });

  test.each([
    ['an empty list', '[ ]', []],
    ['an envelope', '{"status":"ok","message":"","data":[{"a":1},{"a":2}]}', [{ a: 1 }, { a: 2 }]],
    ['an envelope without a message', '{"status":"ok","data":[1]}', [1]],
    ['an envelope with its status last', '{"data":[{"a":1}],"status":"ok"}', [{ a: 1 }]],
    ['an envelope of one record', '{"status":"ok","data":{"fund_id":7}}', [{ fund_id: 7 }]],
    ['an envelope of nothing', '{"status":"ok","data":[]}', []],
    ['one record', '{"fund_id":7,"data":[1]}', [{ fund_id: 7, data: [1] }]],
    ['one record with a status', '{"status":"ok","a":1}', [{ status: 'ok', a: 1 }]],
    ['an empty record', '{}', [{}]],
    ['a list behind a byte order mark', '\ufeff[1]', [1]],
    [
      'an object with a name that objects have',
      '[{"__proto__":1}]',
      [JSON.parse('{"__proto__":1}')],
    ],
  ])('may be %s', async (_, text, values) => {
    expect((await json(text)).map(({ value }) => value)).toEqual(values);
  });

  test('may be in UTF-16', async () => {
    const bytes = Buffer.from('\ufeff[{"a":"é😀"}]', 'utf16le');
    expect(await collectItems(readJson(createInput(bytes)))).toEqual([
      { position: 1, line: 1, value: { a: 'é😀' } },
    ]);
  });

  const broken = 'has broken JSON';
  const twice = 'has a name twice in one object, in the value on line';
  const cut = 'is cut short: its JSON has no end';
  const failed = 'is the reply to a request that failed: "no_record_found"';
  test.each([
    ['nothing in it', ' \n', 'is empty'],
    ['text only', '"abc"', 'has neither a list nor an object as its JSON'],
    ['a broken value', '[1,\n{"a":tru}]', `${broken} in the value on line 2`],
    ['a comma too many', '[1,\n]', `${broken} in the value on line 2`],
    ['a comma too few', '[1\n2]', `${broken} on line 2`],
    ['brackets that do not match', '[\n{"a":[1}]]', `${broken} in the value on line 2`],
    ['a name that is no text', '{"status":"ok",\ndata:[]}', `${broken} in the value on line 2`],
    ['a number for a name', '{"status":"ok",\n1:[]}', `${broken} on line 2`],
    ['a name twice', '[1,\n{"a":1,"b":{"c":1,"c":2}}]', `${twice} 2`],
    ['a name twice, once escaped', '[{"a":1,"\\u0061":2}]', `${twice} 1`],
    ['a name twice in its record', '{"a":1,\n"a":2}', `${twice} 1`],
    [
      'its status twice',
      '{"status":"ok","data":[],\n"status":"ok"}',
      'has "status" twice, again on line 2',
    ],
    ['no end', '[1,2', cut],
    ['no end behind a comma', '[1,', cut],
    ['no end in a text', '["abc', cut],
    ['no end in a record', '{"a":1', cut],
    ['no end in its envelope', '{"status":"ok","data":[1]', cut],
    ['something behind it', '[1]\n\n[2]', 'has something after the end of its JSON, on line 3'],
    ['a failure', '{"status":"error","message":"no_record_found"}', failed],
    ['a failure with data', '{"status":"error","data":[],"message":"no_record_found"}', failed],
    [
      'a failure with no data',
      '{"data":null,"status":"error","message":"no_record_found"}',
      failed,
    ],
    ['another status', '{"status":"busy","data":[]}', 'has a status other than "ok"'],
    [
      'data that is none',
      '{"status":"ok","data":7}',
      'has neither a list nor an object as its data',
    ],
    ['values in values', `[\n${'['.repeat(65)}`, 'is more than 64 deep in the value on line 2'],
    [
      'bytes that are no text',
      Buffer.from('[1,\n"\x02é\x02"]', 'latin1'),
      'is neither UTF-8 nor surely Windows-1252 on line 2; name its encoding with --encoding: utf-8, utf-16le, utf-16be, latin1, windows-1250, windows-1251, windows-1252, windows-1254, shift_jis, euc-jp, gb18030, big5, euc-kr',
    ],
    ['a NUL', '["a",\n"\0"]', 'has a NUL character on line 2; save it as text in UTF-8'],
  ])('is rejected with %s', async (_, content, message) => {
    await expect(collectItems(readJson(createInput(content)))).rejects.toThrow(
      new InvalidFileError(message),
    );
  });

  test('is rejected at 256 MB, with the format that has no such limit', async () => {
    await expect(collectItems(readJson(createEndlessInput('[1', ',1')))).rejects.toThrow(
      new InvalidFileError(
        'has more than 256 MB of JSON; save it as NDJSON, with a record on each line',
      ),
    );
  });

  test('can have values of the maximum depth', async () => {
    expect(await json(`[${'['.repeat(64)}${']'.repeat(64)}]`)).toHaveLength(1);
  });
});

test('a value of JSON may have 100,000 different names, and any number of the same', async () => {
  const members = (count: number) =>
    Array.from({ length: count }, (_, index) => `"\\"k${index}": ":"`).join(',');
  const problem = 'has more than 100,000 different names in the value on line 1';
  expect(await json(`[{${members(100_000)}}]`)).toHaveLength(1);
  expect(await json(`[[${'{"a": 1},'.repeat(100_001)}1]]`)).toHaveLength(1);
  await expect(json(`{${members(100_001)}}`)).rejects.toThrow(problem);
  await expect(json(`[{"a":[{${members(100_001)}}]}]`)).rejects.toThrow(problem);
  await expect(json(`{"status":"ok","data":[],${members(100_001)}}`)).rejects.toThrow(
    'has more than 100,000 names at its top',
  );
});

describe('an NDJSON file', () => {
  test('has a value on each line, and skips blank lines', async () => {
    expect(await ndjson('\n{"a":1}\r\n\n \t\r\n [2] \n"x\\n"\n{"b":{"c":"}"}}')).toEqual([
      { position: 2, value: { a: 1 } },
      { position: 5, value: [2] },
      { position: 6, value: 'x\n' },
      { position: 7, value: { b: { c: '}' } } },
    ]);
    expect(await ndjson('')).toEqual([]);
  });

  test.each([
    ['two values on a line', '1\n{"a":1} {"a":2}\n', 'has broken JSON in the value on line 2'],
    ['a value on two lines', '1\n{"a":\n1}\n', 'has broken JSON in the value on line 2'],
    ['a line cut short', '1\n{"a":1,"b"', 'has broken JSON in the value on line 2'],
    ['a name twice', '1\n{"a":1,"a":1}', 'has a name twice in one object, in the value on line 2'],
    ['a deep value', `1\n${'['.repeat(65)}`, 'is more than 64 deep in the value on line 2'],
    [
      'bytes that are no text',
      Buffer.from('1\n"é\x02"', 'latin1'),
      'is neither UTF-8 nor surely Windows-1252 on line 2; name its encoding with --encoding: utf-8, utf-16le, utf-16be, latin1, windows-1250, windows-1251, windows-1252, windows-1254, shift_jis, euc-jp, gb18030, big5, euc-kr',
    ],
  ])('is rejected with %s', async (_, content, message) => {
    await expect(collectItems(readNdjson(createInput(content)))).rejects.toThrow(
      new InvalidFileError(message),
    );
  });

  test('is rejected as soon as an endless line is too long', async () => {
    await expect(collectItems(readNdjson(createEndlessInput('1\n', ' ')))).rejects.toThrow(
      new InvalidFileError('has more than 16 Mi characters in the value on line 2'),
    );
  });
});

const values = fc.array(fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' }), { maxLength: 8 });
const indent = fc.constantFrom('', ' ', '\n', '\t');

describe('JSON in chunks of any size', () => {
  test('has the same values as the list it was written from', async () => {
    await fc.assert(
      fc.asyncProperty(values, indent, CHUNK_SIZES, async (list, space, sizes) => {
        const items = await collectItems(
          readJson(createInput(JSON.stringify(list, null, space), sizes)),
        );
        expect(normalizeNumbers(items.map(({ value }) => value))).toEqual(
          normalizeNumbers(JSON.parse(JSON.stringify(list))),
        );
      }),
      { numRuns: 250 },
    );
  });

  test('has the same values as the lines it was written from', async () => {
    await fc.assert(
      fc.asyncProperty(values, CHUNK_SIZES, async (list, sizes) => {
        const text = list.map((value) => `${JSON.stringify(value)}\n`).join('');
        const items = await collectItems(readNdjson(createInput(text, sizes)));
        expect(items.map(({ position }) => position)).toEqual(list.map((_, index) => index + 1));
        expect(normalizeNumbers(items.map(({ value }) => value))).toEqual(
          normalizeNumbers(JSON.parse(JSON.stringify(list))),
        );
      }),
      { numRuns: 250 },
    );
  });

  test('with one changed character is read as JSON.parse reads it, or rejected', async () => {
    const change = fc.constantFrom(
      '',
      '"',
      ',',
      '[',
      ']',
      '{',
      '}',
      ':',
      '\\',
      '1',
      ' ',
      '\n',
      'e',
    );
    await fc.assert(
      fc.asyncProperty(
        values,
        fc.nat(),
        change,
        CHUNK_SIZES,
        async (list, position, replacement, sizes) => {
          const valid = `[${list.map((value) => JSON.stringify(value)).join()}]`;
          const index = 1 + (position % valid.length);
          const text = (
            valid.slice(0, index) +
            replacement +
            valid.slice(index + 1)
          ).toWellFormed();
          const read = await resultOrError(collectItems(readJson(createInput(text, sizes))));
          expect(await resultOrError(json(text))).toEqual(read);
          if (typeof read === 'string') {
            expect(read).toStartWith('InvalidFileError: ');
            if (!read.includes('twice')) expect(() => JSON.parse(text)).toThrow();
          } else
            expect(normalizeNumbers(read.map(({ value }) => value))).toEqual(
              normalizeNumbers(JSON.parse(text)),
            );
        },
      ),
      { numRuns: 400 },
    );
  });
});

/** Maps a number that no double holds and the double that JSON.parse reads to the same text. */
function normalizeNumbers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(normalizeNumbers);
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).map(([name, inner]) => [name, normalizeNumbers(inner)]);
  }
  const number =
    typeof value === 'string' && /^-?\d[\d.eE+-]*$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && !Number.isSafeInteger(number) ? String(number) : value;
}

function json(text: string): Promise<FileItem[]> {
  return collectItems(readJson(createInput(text)));
}

function ndjson(text: string): Promise<FileItem[]> {
  return collectItems(readNdjson(createInput(text)));
}

test.each([64, 65])('a text of %d levels that is not loaded is rejected beyond 64', (depth) => {
  const check = () => assertJsonLimits(` ${'['.repeat(depth)}${']'.repeat(depth)}`);
  if (depth <= 64) expect(check).not.toThrow();
  else expect(check).toThrow('is more than 64 deep in the value on line 1');
});
