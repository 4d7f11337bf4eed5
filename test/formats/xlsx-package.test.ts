import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { XmlScanner } from '../../src/formats/xml/xml-scanner.ts';
import {
  buildParts,
  createSingleFileZip,
  createZip,
  readWorkbookError,
  readWorkbookRows,
} from './support/workbook.ts';

const cell = (content: string) => `<c t="inlineStr"><is><t>${content}</t></is></c>`;
const filled = `<row>${cell('x')}</row>`;

describe('the sheet of a workbook', () => {
  const sheets = {
    Notes: `<row>${cell('note')}</row>`,
    Data: `<row>${cell('data')}</row>`,
    Empty: `<row>${cell(' ')}</row>`,
    Old: `<row>${cell('old')}</row>`,
  };
  const states = { Old: 'state="veryHidden"' };
  const readFirstCell = async (sheet: string) =>
    (await readWorkbookRows({ sheets, states }, sheet))[0]?.cells[0];

  test('is found by its name in any letter case, or by its number', async () => {
    expect(await readFirstCell('data')).toBe('data');
    expect(await readFirstCell('1')).toBe('note');
    expect(await readFirstCell('OLD')).toBe('old');
    expect(await readWorkbookRows({ sheets }, 'Empty')).toEqual([]);
  });

  test('is found by its name first if the name is a number', async () => {
    const numbered = { a: filled, '1': `<row>${cell('named')}</row>` };
    // A name that looks like an index comes first in an object, so the sheets are turned around.
    const workbook =
      '<workbook><sheets><sheet name="a" r:id="s1"/><sheet name="1" r:id="s0"/></sheets></workbook>';
    const parts = { 'xl/workbook.xml': workbook };
    expect((await readWorkbookRows({ sheets: numbered, parts }, '1'))[0]?.cells).toEqual(['named']);
  });

  test('is by default the only visible one with cells', async () => {
    const { Notes: _, ...others } = sheets;
    expect(await readWorkbookRows({ sheets: others, states })).toEqual([
      { position: 1, cells: ['data'] },
    ]);
  });

  test('is by default not the sheet About, unless that is the only one', async () => {
    const { Notes: _, ...others } = sheets;
    expect(await readWorkbookRows({ sheets: { about: filled, ...others }, states })).toEqual([
      { position: 1, cells: ['data'] },
    ]);
    expect(await readWorkbookRows({ sheets: { About: filled } })).toHaveLength(1);
  });

  test('must be chosen if several have cells', async () => {
    expect(await readWorkbookError({ sheets, states })).toBe(
      'has several sheets: Notes, Data; choose one with --sheet NAME',
    );
  });

  test('is rejected if none has cells', async () => {
    expect(await readWorkbookError({ sheets: { Empty: '', Old: filled }, states })).toBe(
      'has no cells in any visible sheet; it has Empty, Old (hidden)',
    );
  });

  test.each(['Datum', '0', '5'])('is rejected as %p if there is none', async (name) => {
    expect(await readWorkbookError({ sheets, states }, name)).toBe(
      `has no sheet ${name}; it has Notes, Data, Empty, Old (hidden)`,
    );
  });

  test('is listed in one line, whatever the names and number of sheets', async () => {
    const many = Array.from({ length: 60 }, (_, index) => [`a_x000A_${index}`, filled]);
    const line = await readWorkbookError({ sheets: Object.fromEntries(many) });
    expect(line).toStartWith('has several sheets: a 0, a 1, ');
    expect(line).toEndWith(', a 49 and 10 more; choose one with --sheet NAME');
  });

  test('is never a chart', async () => {
    const workbook =
      '<workbook><sheets><sheet name="Chart" r:id="c"/><sheet name="Data" r:id="s0"/></sheets></workbook>';
    const parts = { 'xl/workbook.xml': workbook };
    expect(await readWorkbookRows({ sheets: { Data: filled }, parts })).toHaveLength(1);
    expect(await readWorkbookError({ sheets: { Data: filled }, parts }, 'chart')).toBe(
      'has no cells in Chart: it is a chart',
    );
  });
});

describe('a file that is no workbook', () => {
  const document =
    '<Relationships><Relationship Type="x/officeDocument" Target="a"/></Relationships>';

  test.each([
    ['any ZIP file', { 'a.txt': 'a' }],
    ['a text document', { '_rels/.rels': document, a: '<w:document/>', '_rels/a.rels': '<r/>' }],
    ['a package of something', { '_rels/.rels': '<Relationships/>' }],
  ])('is rejected: %s', async (_, parts: Record<string, string>) => {
    expect(await readWorkbookError(await createZip(parts))).toBe(
      'is a ZIP file but not an Excel workbook',
    );
  });

  test('is rejected as .xlsb if it is one', async () => {
    const target = document.replace('"a"', '"xl/workbook.bin"');
    expect(await readWorkbookError(await createZip({ '_rels/.rels': target }))).toBe(
      'is a binary Excel workbook (.xlsb); save it as .xlsx',
    );
  });

  test('is rejected if it is not a ZIP file at all', async () => {
    expect(await readWorkbookError(Buffer.from('a,b\n1,2\n'))).toBe(
      'is not an Excel workbook (.xlsx)',
    );
    expect(await readWorkbookError(Buffer.alloc(0))).toBe('is not an Excel workbook (.xlsx)');
  });

  test('is rejected if it is the container of old or protected workbooks', async () => {
    const bytes = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]);
    expect(await readWorkbookError(bytes)).toStartWith(
      'is protected by a password, or is an old .xls',
    );
  });
});

describe('a ZIP file', () => {
  test.each([
    ['ZIP64', '_rels/.rels', { wide: true }],
    ['stored without compression', '_rels/.rels', { method: 0 }],
    ['written with backslashes in names', '_RELS\\.rels', {}],
  ])('can be %s', async (_, name, header) => {
    // The part is read before the missing relations are noticed.
    expect(await readWorkbookError(createSingleFileZip(name, '<R/>', header))).toBe(
      'is a ZIP file but not an Excel workbook',
    );
    expect(await readWorkbookError(createSingleFileZip(name, '<R>', header))).toStartWith(
      'is damaged: in ',
    );
  });

  test.each([
    [{ flags: 1 }, 'is protected by a password; save it without'],
    [{ method: 9 }, 'is packed in a way that is not supported (ZIP method 9)'],
    [{ size: 3 }, 'is a zip bomb: _rels/.rels is larger than it says'],
    [{ size: 5 }, 'is damaged: _rels/.rels is cut short'],
    [{ crc: 1 }, 'is damaged: _rels/.rels does not have its checksum (CRC-32)'],
    [{ size: 2 ** 26 + 1 }, 'is too large: _rels/.rels is over 64 MiB'],
  ])('is rejected if it declares %p', async (header, line) => {
    expect(await readWorkbookError(createSingleFileZip('_rels/.rels', '<R/>', header))).toBe(line);
  });

  test('is rejected if a figure was changed, although it can be unpacked', async () => {
    const sheet = (figure: number) => `<row><c><v>${figure}</v></c></row>`;
    const [bytes, changed] = await Promise.all(
      [98.5, 89.5].map((figure) => createZip(buildParts({ sheets: { Data: sheet(figure) } }))),
    );
    // Both are equally long, so that only the checksum in the directory differs from the data.
    const directory = (zip: Buffer | undefined) => zip?.indexOf('PK\x01\x02') ?? -1;
    expect(changed?.length).toBe(bytes?.length);
    const damaged = Buffer.concat([
      changed?.subarray(0, directory(changed)) ?? Buffer.alloc(0),
      bytes?.subarray(directory(bytes)) ?? Buffer.alloc(0),
    ]);
    expect(await readWorkbookError(damaged)).toBe(
      'is damaged: xl/worksheets/0.xml does not have its checksum (CRC-32)',
    );
  });

  test('is rejected when truncated anywhere', async () => {
    const bytes = await createZip(buildParts({ sheets: { Data: filled } }));
    for (let length = 2; length < bytes.length; length += 7) {
      expect(await readWorkbookError(bytes.subarray(0, length))).toBe(
        'is a ZIP file that is cut short or damaged',
      );
    }
  });

  test('is read or rejected with any wrong bytes, and never throws another error', async () => {
    const original = await createZip(
      buildParts({ sheets: { Data: filled }, strings: '<si><t>a</t></si>' }),
    );
    const change = fc.tuple(fc.nat({ max: original.length - 1 }), fc.integer({ min: 1, max: 255 }));
    const property = fc.asyncProperty(
      fc.array(change, { minLength: 1, maxLength: 4 }),
      async (changes) => {
        const bytes = Buffer.from(original);
        for (const [index, mask] of changes) bytes[index] = (bytes[index] ?? 0) ^ mask;
        // Any other error than an InvalidFileError does not match.
        const error = await readWorkbookError(bytes).catch((error: Error) => error.message);
        expect(error).toMatch(/^(is |has |cell |the workbook was not rejected)/);
      },
    );
    await fc.assert(property, { numRuns: 200 });
  });
});

describe('the XML of a workbook', () => {
  const scan = (chunks: readonly string[]) => {
    const events: string[] = [];
    const scanner = new XmlScanner('part', {
      open: (name, attributes, parent) => events.push(`<${name}${attributes}|${parent}`),
      text: (chunk) => events.push(chunk),
      close: (name, parent) => events.push(`>${name}|${parent}`),
    });
    for (const chunk of chunks) scanner.write(chunk);
    scanner.end();
    return events.join('');
  };

  test('is read the same in chunks of any size', () => {
    const xml = `<?xml version="1.0"?>\r\n<!-- <a> --><a:b c="1>2" d='"'>t&amp;&#x41;\r\nu\r<![CDATA[<x>]\r\n]]]>
      <e/><!--- --><f >é😀</f ></a:b>\r`;
    const events = scan([xml]);
    expect(events).toContain('t&A\nu\n<x>]\n]\n');
    for (let index = 0; index <= xml.length; index += 1) {
      expect(scan([xml.slice(0, index), xml.slice(index)])).toBe(events);
    }
    expect(scan([...xml])).toBe(events);
  });

  test.each([
    '<a>&b;</a>',
    '<a>&</a>',
    '<a>&#0;</a>',
    '<a>&#xD800;</a>',
    '<a><b></a></b>',
    '<a/><a/>',
    '<a>',
    '<a b="',
    '',
    '< a/>',
    '<a>'.repeat(200) + '</a>'.repeat(200),
  ])('is rejected: %s', (xml) => {
    expect(() => scan([xml])).toThrow(/^is (damaged: in part, |not an Excel workbook: part )/);
  });

  test('is rejected if it declares a document type, whose entities could grow without end', () => {
    expect(() => scan(['<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'])).toThrow(
      'is rejected: part declares a document type',
    );
  });

  test('is rejected if it is not UTF-8', async () => {
    const parts = { ...buildParts({ sheets: { Data: filled } }) };
    const latin = Buffer.from('<workbook a="é"/>', 'latin1');
    expect(await readWorkbookError(await createZip({ ...parts, 'xl/workbook.xml': latin }))).toBe(
      'is damaged: xl/workbook.xml is not UTF-8',
    );
  });
});
