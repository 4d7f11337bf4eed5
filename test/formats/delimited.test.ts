import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { readDelimited } from '../../src/formats/delimited/read-delimited.ts';
import { createDelimitedWriter } from '../../src/formats/delimited/write-delimited.ts';
import {
  type CellRow,
  type FileCell,
  InvalidFileError,
  type TableToWrite,
} from '../../src/formats/file-contents.ts';
import type { DetectedEncoding } from '../../src/formats/text-encoding.ts';
import { formatFileCell, formatSpreadsheetCell } from '../../src/shared/delimited-cell.ts';
import {
  CHUNK_SIZES,
  collectRows,
  createEndlessInput,
  createInput,
  resultOrError,
} from './chunked-input.ts';

describe('a delimited file', () => {
  test.each([
    ['with LF', 'a,b\n1,2\n'],
    ['with CRLF', 'a,b\r\n1,2\r\n'],
    ['with CR alone', 'a,b\r1,2\r'],
    ['without a last line end', 'a,b\n1,2'],
    ['with a byte order mark', '\ufeffa,b\n1,2\n'],
    ['in quotes', '"a","b"\r\n"1","2"'],
    ['with semicolons', 'a;b\n1;2\n'],
    ['with tabs', 'a\tb\n1\t2\n'],
    ['with bars', 'a|b\n1|2\n'],
  ])('%s is read line by line', async (_, text) => {
    expect(await readCells(text)).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ]);
  });

  test.each([
    [';', 'csv', 'a;b\n1,5;2,5\n'],
    [',', 'csv', 'a,b\n1,2\n'],
    ['@', 'csv', 'Zed prices\nA@B@C\nx@1,5@2,25\ny@1,5@3\n'],
    ['^', 'csv', 'A^B^C\nx^1,5^2\ny^2^2,5\n'],
    [',', 'csv', 'a!b!c\n'],
    [',', 'csv', 'mail,name,more\na@b@c,x,1\nd@e@f,y,2\n'],
    ['\t', 'tsv', 'a\tb\n'],
    [';', 'tsv', 'sep=;\na;b\n'],
  ] as const)('has the delimiter %j', async (delimiter, format, text) => {
    expect((await readDelimited(createInput(text), format)).delimiter).toBe(delimiter);
  });

  test('has cells exactly as they are written', async () => {
    expect(await readCells('a , b,"c "\n1.50,-0,"1,000"\né,😀,\u2028\n')).toEqual([
      ['a ', ' b', 'c '],
      ['1.50', '-0', '1,000'],
      ['é', '😀', '\u2028'],
    ]);
  });

  test('can have line ends, delimiters and doubled quotes in quoted cells', async () => {
    const text = 'a,b\n"x\r\ny\rz\n","1,5 ""net"""\n"""",""\n';
    expect(await readCells(text)).toEqual([
      ['a', 'b'],
      ['x\r\ny\rz\n', '1,5 "net"'],
      ['"', ''],
    ]);
  });

  test('keeps a quote inside a cell that is not quoted', async () => {
    expect(await readCells('pipe 5",x\na"b"c,y\n')).toEqual([
      ['pipe 5"', 'x'],
      ['a"b"c', 'y'],
    ]);
  });

  test('skips blank lines, but counts them and those within quotes', async () => {
    const rows = await read('\n \r\na,b\n,,\n"x\n\ny",1\r\n\n , \nlast,2\n"",\n');
    expect(rows).toEqual([
      { position: 3, cells: ['a', 'b'] },
      { position: 5, cells: ['x\n\ny', '1'] },
      { position: 10, cells: ['last', '2'] },
      { position: 11, cells: ['', ''] },
    ]);
  });

  test('can have rows of different lengths, or none', async () => {
    expect(await readCells('Prices\n\na,b,c\n1,2\n1,2,3,\n')).toEqual([
      ['Prices'],
      ['a', 'b', 'c'],
      ['1', '2'],
      ['1', '2', '3', ''],
    ]);
    expect(await readCells('')).toEqual([]);
    expect(await readCells('\n\n')).toEqual([]);
  });

  test.each(['utf-16le', 'utf-16be'] as const)('is read with %s', async (encoding) => {
    const rows = [{ position: 1, cells: ['é😀', 'b'] }];
    expect(
      await collectRows(readDelimited(createInput(encode('\ufeffé😀,b\n', encoding)), 'csv')),
    ).toEqual(rows);
    const unmarked = encode('day,é😀\n', encoding);
    expect(await collectRows(readDelimited(createInput(unmarked), 'csv'))).toEqual([
      { position: 1, cells: ['day', 'é😀'] },
    ]);
  });
});

describe('the encoding of a delimited file', () => {
  const text = 'day,name\n1,Ação\n2,“5 €”\n';
  const windows1252 = Buffer.from(
    text.replace('“', '\x93').replace('”', '\x94').replace('€', '\x80'),
    'latin1',
  );
  const rows = [
    { position: 1, cells: ['day', 'name'] },
    { position: 2, cells: ['1', 'Ação'] },
    { position: 3, cells: ['2', '“5 €”'] },
  ];

  test.each([[[1]], [[3, 7]], [[1000]]])(
    'is found to be Windows-1252, with a sample, in chunks of %p',
    async (sizes) => {
      const detected: DetectedEncoding[] = [];
      const input = { ...createInput(windows1252, sizes), text: { onDetected } };
      function onDetected(encoding: DetectedEncoding) {
        detected.push(encoding);
      }
      expect(await collectRows(readDelimited(input, 'csv'))).toEqual(rows);
      expect(detected[0]).toEqual({ encoding: 'windows-1252', sample: expect.stringMatching('ç') });
    },
  );

  test.each([
    ['utf-16le', 'é\n', Buffer.from('é\n', 'utf16le')],
    ['latin1', 'é€\n', Buffer.from('\u00e9\x80\n', 'latin1')],
    ['windows-1250', 'ěł\n', Buffer.from('\u00ec\u00b3\n', 'latin1')],
    ['windows-1251', 'Цена\n', Buffer.from('\u00d6\u00e5\u00ed\u00e0\n', 'latin1')],
    ['windows-1254', 'ş\n', Buffer.from('\u00fe\n', 'latin1')],
    ['utf-8', 'é\n', Buffer.from('\ufeffé\n')],
    ['shift_jis', '国債金利\n', Buffer.from('8d918dc28be097980a', 'hex')],
    ['gb18030', '国债\n', Buffer.from('b9fad5ae0a', 'hex')],
    ['euc-kr', '국채\n', Buffer.from('b1b9c3a40a', 'hex')],
  ] as const)('can be given as %s', async (encoding, expected, bytes) => {
    for (const sizes of [undefined, [1], [3]]) {
      const input = { ...createInput(bytes, sizes), text: { encoding } };
      expect(await collectRows(readDelimited(input, 'csv'))).toEqual([
        { position: 1, cells: [expected.trim()] },
      ]);
    }
  });

  test.each([
    ['latin1', Buffer.from('\ufeffé\n'), 'has the byte order mark of UTF-8'],
    ['utf-8', Buffer.from('é\n', 'latin1'), 'is not UTF-8'],
    ['shift_jis', Buffer.from('ff0a', 'hex'), 'has broken shift_jis'],
  ] as const)('is rejected if it is given as %s and is not', async (encoding, bytes, problem) => {
    const input = { ...createInput(bytes), text: { encoding } };
    await expect(collectRows(readDelimited(input, 'csv'))).rejects.toThrow(
      new RegExp(`^${problem} on line 1; `),
    );
  });
});

describe('the delimiter', () => {
  test.each([
    ['a semicolon if commas are decimal', 'day;bid;ask\n1;1,5;2,5\n2;1,25;2', ['2', '1,25', '2']],
    ['a semicolon where every line has decimal commas', '1,5;2,5\n1,6;2,6', ['1,6', '2,6']],
    ['a semicolon where headers have commas', 'day;price, PKR\n1;1,5\n2;2,5', ['2', '2,5']],
    ['a semicolon between quoted cells', '"a";"b, c"\n"1";"2, 3"', ['1', '2, 3']],
    ['a tab where commas part thousands', '1,000\t2,000\n3,000\t4,000', ['3,000', '4,000']],
    ['a comma where cells hold lists', 'a,b,c\n1,x;y,2\n2,z;w,3', ['2', 'z;w', '3']],
    ['a comma where quoted cells hold others', 'x,"a;b"\ny,"c;d"\nz,"e;\nf"', ['z', 'e;\nf']],
    ['a comma between whole numbers', '1,2,3\n4,5,6', ['4', '5', '6']],
    ['a comma below title lines', 'SBP; rates\nin PKR\n\na,b\n1,2\n3,4', ['3', '4']],
    ['a comma where nothing parts anything', 'price\n100\n101', ['101']],
    ['what the first line names', 'sep=|\na|b,c,d\n1|2,3,4', ['1', '2,3,4']],
    ['what the first line names, be it unusual', 'SEP=:\r\na:b,c\r\n', ['a', 'b,c']],
  ])('is %s', async (_, text, last) => {
    expect((await readCells(text)).at(-1)).toEqual(last);
  });

  test('can be named on a first line, which is no row', async () => {
    expect(await read('sep=;\na;b\n')).toEqual([{ position: 2, cells: ['a', 'b'] }]);
  });

  test('is the tab in the format tsv', async () => {
    const rows = await collectRows(readDelimited(createInput('a,b\tc\n1,2\t3\n4,5\n'), 'tsv'));
    expect(rows.map(({ cells }) => cells)).toEqual([['a,b', 'c'], ['1,2', '3'], ['4,5']]);
  });
});

describe('a delimited file is rejected with the line', () => {
  const mixed = Buffer.concat([Buffer.from('é,b\nx,y\n'), Buffer.from('café,1\n', 'latin1')]);
  const cyrillic = Buffer.from('a,b\nx,y\n\u00d6\u00e5\u00ed\u00e0,1\n', 'latin1');
  const utf8Below = Buffer.concat([Buffer.from('é\n', 'latin1'), Buffer.from('x\né\n')]);
  const control = Buffer.from('é\nx\n\x02\n', 'latin1');
  const notUtf8 =
    'save it as UTF-8, or name its encoding with --encoding: utf-8, utf-16le, utf-16be, latin1, windows-1250, windows-1251, windows-1252, windows-1254, shift_jis, euc-jp, gb18030, big5, euc-kr';
  const unsure = (line: number) =>
    `is neither UTF-8 nor surely Windows-1252 on line ${line}; name its encoding with --encoding: utf-8, utf-16le, utf-16be, latin1, windows-1250, windows-1251, windows-1252, windows-1254, shift_jis, euc-jp, gb18030, big5, euc-kr`;
  const half = Buffer.from('\ufeffa\n\ud800x', 'utf16le');
  const quoted = 'has text behind a closing quote on line';
  const wide = 'has more than 16,384 cells on line 2';
  test.each([
    ['in UTF-8 and then Latin-1', mixed, `is not UTF-8 on line 3; ${notUtf8}`],
    ['in Latin-1 and then UTF-8', utf8Below, unsure(3)],
    ['in an alphabet of another encoding', cyrillic, unsure(3)],
    ['with control characters and no UTF-8', control, unsure(3)],
    ['cut in a letter', Buffer.from('a\né').subarray(0, 3), `is not UTF-8 on line 2; ${notUtf8}`],
    ['with half a letter', half, 'has broken UTF-16 on line 2; save it as text in UTF-8'],
    ['with a NUL', 'a\n"b\nc\0"\n', 'has a NUL character on line 3; save it as text in UTF-8'],
    ['with an open quote', 'a,b\n1,"x\ny\n2,z\n', 'has a quote on line 2 that is never closed'],
    ['with text behind a quoted cell', 'a,b\n"x\n"y,2\n', `${quoted} 3`],
    ['with a space behind a quoted cell', 'a,b\n"x" ,2\n', `${quoted} 2`],
    ['with too many cells', `a\n${','.repeat(16_384)}x\n`, wide],
    ['with too many quoted cells', `a\n"x"${','.repeat(16_384)}\n`, wide],
    [
      'with a long line',
      `a\n${'x'.repeat(2 ** 22 + 1)}\n`,
      'has more than 4 Mi characters on line 2',
    ],
  ])('%s', async (_, content, message) => {
    const reading = collectRows(readDelimited(createInput(content), 'csv'));
    await expect(reading).rejects.toThrow(new InvalidFileError(message));
  });

  test.each([
    ['cell', 'a\n', 'x', 'characters'],
    ['quoted cell', 'a\n"', 'x\n', 'characters'],
    ['run of quotes', 'a\n"', '""', 'characters'],
    ['run of cells', 'a\n"",', ',', 'cells'],
  ])('as soon as an endless %s is too long', async (_, first, repeated, what) => {
    const reading = collectRows(readDelimited(createEndlessInput(first, repeated), 'csv'));
    await expect(reading).rejects.toThrow(new RegExp(`^has more than .* ${what} on line 2$`));
  });

  test('but not at the maximum of cells and characters', async () => {
    const longest = `"${'x'.repeat(2 ** 22 - 2)}"`;
    expect((await read(`a\n${longest}\n`)).length).toBe(2);
    expect((await read(`${longest}\n`.repeat(2))).length).toBe(2);
    expect((await read(`x${','.repeat(16_383)}\n`))[0]?.cells.length).toBe(16_384);
  });
});

const nasty = fc
  .array(fc.constantFrom('a', 'é', '😀', '"', '""', ',', ';', '\t', '\r', '\n', '\r\n', ' ', '1,5'))
  .map((parts) => parts.join(''));

describe('delimited text in chunks of any size', () => {
  test('has the same rows and errors', async () => {
    const encoding = fc.constantFrom(...(['utf-8', 'utf-16le', 'utf-16be'] as const));
    const flaw = fc.constantFrom('', '', '', '\0', '"x"y');
    await fc.assert(
      fc.asyncProperty(nasty, flaw, nasty, encoding, CHUNK_SIZES, async (a, b, c, name, sizes) => {
        const bytes = encode(`\ufeff${a}${b}${c}`, name);
        const expected = resultOrError(collectRows(readDelimited(createInput(bytes), 'csv')));
        const chunked = resultOrError(collectRows(readDelimited(createInput(bytes, sizes), 'csv')));
        expect(await chunked).toEqual(await expected);
      }),
      { numRuns: 400 },
    );
  });

  test('rejects invalid bytes on the same line', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 40 }), CHUNK_SIZES, async (bytes, sizes) => {
        const expected = resultOrError(collectRows(readDelimited(createInput(bytes), 'csv')));
        const chunked = resultOrError(collectRows(readDelimited(createInput(bytes, sizes), 'csv')));
        expect(await chunked).toEqual(await expected);
      }),
      { numRuns: 400, examples: [[OTHER_ALPHABET, [1]]] },
    );
  });
});

/** Four different bytes beyond ASCII in a row: too long for one chunk of a byte, hardly Windows-1252. */
const OTHER_ALPHABET = Uint8Array.from([0x61, 0x61, 0x80, 0x82, 0x9e, 0x82]);

describe('a table that is written as delimited text', () => {
  test('is CSV with CRLF, or TSV with LF, with quotes only if needed', async () => {
    const rows: FileCell[][] = [
      ['PIB', 99.5, null],
      ['', -1e-7, 'say "no"'],
      [' x', 12345678901, 'a,b'],
      [null, null, null],
      ['a;b', 1, 'c|d'],
      ['a\tb', 1, 'c\nd'],
      ["a'b", 1, 'c d'],
    ];
    expect(await write(',', ['name', 'price', 'note'], rows)).toBe(
      [
        'name,price,note\r\n',
        'PIB,99.5,\r\n',
        '"",-1e-7,"say ""no"""\r\n',
        '" x",12345678901,"a,b"\r\n',
        '"",,\r\n',
        // What a reader could take for the delimiter, too.
        '"a;b",1,"c|d"\r\n',
        '"a\tb",1,"c\nd"\r\n',
        "a'b,1,c d\r\n",
      ].join(''),
    );
    expect(await write('\t', ['a'], [['x'], [null], ['y\tz']])).toBe('a\nx\n""\n"y\tz"\n');
  });

  test('is read back as the same cells for any table, formulas escaped or not', async () => {
    const odd = fc.constantFrom('sep=x', '\ufeff', '\u00a0', 'SEP=,');
    const formula = fc
      .tuple(fc.nat(3), fc.constantFrom(...'=+-@\t\r\n＝＋－＠'), fc.string())
      .map(([count, sign, tail]) => "'".repeat(count) + sign + tail);
    const anyText = fc.oneof(nasty, odd, formula, fc.string({ unit: 'grapheme' }));
    // A line of nothing but one mark is taken for empty cells between that mark; a rare mark that is twice in each line, for the delimiter.
    const isRead = (value: string) => !/\0|^(\W)\1+$|([\^@~#!]).*\2/s.test(value);
    const text = anyText.filter(isRead);
    const number = fc.double({ noNaN: true, noDefaultInfinity: true });
    const cell = fc.oneof(text, number, fc.constant(null));
    const table = fc.integer({ min: 1, max: 4 }).chain((width) => {
      const exactly = { minLength: width, maxLength: width };
      return fc.tuple(fc.array(text, exactly), fc.array(fc.array(cell, exactly)));
    });
    const writers = fc.constantFrom(
      ...([',', '\t'] as const).flatMap((delimiter) =>
        [formatFileCell, formatSpreadsheetCell].map((format) => [delimiter, format] as const),
      ),
    );
    await fc.assert(
      fc.asyncProperty(table, writers, CHUNK_SIZES, async ([header, rows], writer, sizes) => {
        const [delimiter, formatCell] = writer;
        const input = createInput(await write(delimiter, header, rows, formatCell), sizes);
        const back = await collectRows(readDelimited(input, delimiter === ',' ? 'csv' : 'tsv'));
        const expected = [header, ...rows].map((cells) => cells.map((value) => `${value ?? ''}`));
        expect(back.map(({ cells }) => cells)).toEqual(expected);
      }),
      { numRuns: 400 },
    );
  });
});

function read(text: string): Promise<CellRow[]> {
  return collectRows(readDelimited(createInput(text), 'csv'));
}

async function readCells(text: string): Promise<CellRow['cells'][]> {
  return (await read(text)).map(({ cells }) => cells);
}

function encode(text: string, encoding: 'utf-8' | 'utf-16le' | 'utf-16be'): Buffer {
  if (encoding === 'utf-8') return Buffer.from(text);
  const bytes = Buffer.from(text, 'utf16le');
  return encoding === 'utf-16be' ? bytes.swap16() : bytes;
}

async function write(
  delimiter: ',' | '\t',
  names: readonly string[],
  rows: FileCell[][],
  formatCell = formatFileCell,
): Promise<string> {
  async function* batches() {
    yield rows.slice(0, 1);
    yield rows.slice(1);
  }
  const columns = names.map((name) => ({ name, type: 'text' as const }));
  const table: TableToWrite = { title: 'a table', columns, rows: batches() };
  const chunks: Uint8Array[] = [];
  for await (const chunk of createDelimitedWriter(delimiter, formatCell)(table)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
