import { describe, expect, test } from 'bun:test';
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createGzip } from 'node:zlib';
import { onlineBankingAnnualVolume as online } from '../../src/catalogue/datasets/series/index.ts';
import { HEADER, useFileLoader } from './file-loader.ts';

const { workspace, loadInvalid } = useFileLoader();

describe('a huge file', () => {
  const MEBIBYTE = 1024 ** 2;

  /** Writes a line of so many mebibytes behind the start of a file. */
  function longLine(name: string, start: string, mebibytes: number): void {
    const file = openSync(join(workspace.folder, name), 'w');
    const chunk = Buffer.alloc(MEBIBYTE, '7');
    writeSync(file, start);
    for (let count = 0; count < mebibytes; count++) writeSync(file, chunk);
    closeSync(file);
  }

  test.each([
    ['csv', `${HEADER}\n2024,`, 'has more than 4 Mi characters on line 2'],
    ['csv', `${HEADER}\n2024,"`, 'has more than 4 Mi characters on line 2'],
    [
      'ndjson',
      `{"year":"2024"}\n{"year":"`,
      'has more than 16 Mi characters in the value on line 2',
    ],
    ['json', '[{"year":"', 'has more than 16 Mi characters in the value on line 1'],
  ] as const)('with an endless line is rejected early: %s %j', async (format, start, message) => {
    longLine('long', start, 96);
    let read = 0;
    const options = {
      mapping: { format },
      onRead: (bytes: number) => {
        read += bytes;
      },
    };
    expect(await workspace.loadProblems(online, 'long', options)).toEqual([`long ${message}`]);
    expect(read).toBeLessThan(48 * MEBIBYTE);
  });

  test('as gzip that decompresses to an endless line is rejected early', async () => {
    const zip = createGzip({ level: 1 });
    const compressed: Buffer[] = [];
    zip.on('data', (piece: Buffer) => compressed.push(piece));
    zip.write(`${HEADER}\n2024,`);
    for (let count = 0; count < 64; count++) zip.write(Buffer.alloc(MEBIBYTE, '7'));
    await new Promise((resolve) => zip.end(resolve));
    expect(await loadInvalid('a.csv.gz', Buffer.concat(compressed))).toEqual([
      'a.csv.gz has more than 4 Mi characters on line 2',
    ]);
  });

  test('with a huge cell has it truncated in the message', async () => {
    const cell = 'x'.repeat(3 * MEBIBYTE);
    const [line] = await loadInvalid('a.csv', `${HEADER}\n${cell},1,1,1,3\n`);
    expect(line).toBe(
      `a.csv line 2, year: "${'x'.repeat(59)}… must be a year such as 2024, FY24 or 2023-24`,
    );
  });
});
