import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { blocksIn, pageText } from './code-blocks.ts';
import { type Desk, desk } from './example-workspace.ts';

const noCurl = Bun.which('curl') === null;
if (noCurl) console.log('the pages about spreadsheets are not checked: curl is not here');

let table: Desk;
beforeAll(async () => {
  table = await desk();
});
afterAll(() => table.clear());

/** Asks the service without a pause, as Apps Script does. */
function fetchNow(url: string, headers: Record<string, string>) {
  const given = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const { stdout } = Bun.spawnSync(['curl', '-s', '-i', ...given, url], { env: table.env });
  const [head = '', ...rest] = stdout.toString().split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const told = lines.map((line) => line.split(/: (.*)/, 2) as [string, string]);
  return { status: Number(first.split(' ')[1]), told, body: rest.join('\r\n\r\n') };
}

type Row = readonly (string | number)[];

/** What Google gives a script, and what the script then has to offer. */
function appsScript() {
  const cache = new Map<string, string>();
  const statuses: number[] = [];
  const sheet: { values: readonly Row[] } = { values: [] };
  const { TENOR_URL = '', TENOR_TOKEN = '' } = table.env;
  const google = {
    PropertiesService: {
      getScriptProperties: () => ({
        getProperty: (name: string) => ({ TENOR_URL, TENOR_TOKEN })[name],
      }),
    },
    CacheService: {
      getScriptCache: () => ({
        get: (key: string) => cache.get(key) ?? null,
        put(key: string, value: string) {
          if (key.length > 250 || value.length > 100_000) throw new Error('Argument too large');
          cache.set(key, value);
        },
      }),
    },
    Utilities: {
      DigestAlgorithm: { SHA_256: 'sha256' },
      computeDigest: (name: string, text: string) => createHash(name).update(text).digest(),
      base64Encode: (bytes: Buffer) => bytes.toString('base64'),
      parseCsv: (text: string) =>
        text
          .trim()
          .split('\r\n')
          .map((line) => line.split(',')),
      sleep() {},
    },
    UrlFetchApp: {
      fetch(url: string, options: { headers: Record<string, string> }) {
        const { status, told, body } = fetchNow(url, options.headers);
        statuses.push(status);
        return {
          getResponseCode: () => status,
          getHeaders: () => Object.fromEntries(told),
          getContentText: () => body,
        };
      },
    },
    SpreadsheetApp: {
      getActive: () => ({
        getSheetByName: () => null,
        insertSheet: () => ({
          clearContents() {},
          getRange: (_row: number, _column: number, rows: number, columns: number) => ({
            setValues(values: readonly Row[]) {
              expect([values.length, ...new Set(values.map((row) => row.length))]).toEqual([
                rows,
                columns,
              ]);
              sheet.values = values;
            },
          }),
        }),
      }),
    },
  };
  const [script] = blocksIn('how-to/google-sheets.md').filter(({ language }) => language === 'js');
  const made = new Function(
    ...Object.keys(google),
    `${script?.code}\nreturn { TENOR, refreshQuotes };`,
  )(...Object.values(google));
  return { ...(made as Script), statuses, sheet };
}

interface Script {
  TENOR(path: string): readonly Row[];
  refreshQuotes(): void;
}

describe.skipIf(noCurl)('the script for Google Sheets', () => {
  test('every formula of the page gives a table', () => {
    const { TENOR } = appsScript();
    const formulas = [...pageText('how-to/google-sheets.md').matchAll(/^=.*TENOR\("([^"]*)"\)/gm)];
    expect(formulas.length).toBe(5);
    for (const [, path = ''] of formulas) {
      const rows = TENOR(path);
      expect(rows.length).toBeGreaterThan(10);
      expect(new Set(rows.map((row) => row.length)).size).toBe(1);
    }
  });

  test('follows every page, and types its cells', () => {
    const { TENOR, statuses } = appsScript();
    const paged = TENOR('/2.0/bnb/quote?date=2026-06-30&limit=40');
    expect(statuses).toEqual([200, 200, 200]);
    expect(paged).toEqual(TENOR('/2.0/bnb/quote?date=2026-06-30&limit=10000'));
    expect(paged[1]?.slice(0, 2)).toEqual(['2026-06-30', 'CEDARTFC2']);
    expect(paged[1]?.[12]).toBeNumber();
  });

  test('takes what has not changed from the cache', () => {
    const { TENOR, statuses } = appsScript();
    const rows = TENOR('/3.0/alternate/payments-market-players');
    expect(TENOR('/3.0/alternate/payments-market-players')).toEqual(rows);
    expect(statuses).toEqual([200, 304]);
  });

  test('shows what the service says of a mistake, whatever the status', () => {
    const { TENOR } = appsScript();
    expect(() => TENOR('/2.0/bnb/quote?limit=0')).toThrow('limit');
    expect(() => TENOR('/3.0/funds/allocation?fund_id=none')).toThrow('no_record_found');
  });

  test('writes the newest quotes to their sheet', () => {
    const { refreshQuotes, sheet } = appsScript();
    refreshQuotes();
    expect(sheet.values[0]?.slice(0, 2)).toEqual(['date', 'symbol']);
    expect(sheet.values.length).toBeGreaterThan(50);
  });
});

describe.skipIf(noCurl)('the queries for Excel', () => {
  const queries = blocksIn('how-to/excel.md').filter(({ language }) => language === 'powerquery');

  /** What a query asks for; what it works out by itself is filled in. */
  function targetOf(code: string): string | undefined {
    const [, path, record = ''] = /Tenor\("([^"]*)"(?:, \[([^\]]*)\])?/.exec(code) ?? [];
    const given = record.replace(/Day\([^,]*\)/g, '"2026-06-01"').matchAll(/(\w+) = "([^"]*)"/g);
    const query = new URLSearchParams();
    for (const [, name = '', value = ''] of given) query.append(name, value);
    return path && `/${path}?${query}`.replace(/\?$/, '');
  }

  test('ask for what the service has, and name the columns that it sends', () => {
    let asked = 0;
    for (const { code } of queries) {
      const target = targetOf(code);
      if (!target) continue;
      asked += 1;
      const headers = { Authorization: `Bearer ${table.env.TENOR_TOKEN}`, Accept: 'text/csv' };
      const { status, body } = fetchNow(`${table.env.TENOR_URL}${target}`, headers);
      expect([target, status]).toEqual([target, 200]);
      const sent = body.split('\r\n')[0]?.split(',') ?? [];
      const named = [...code.matchAll(/\{"(\w+)"/g)].map(([, name = '']) => name);
      expect(sent).toEqual(expect.arrayContaining(named));
    }
    expect(asked).toBe(4);
  });

  test('open and close their brackets and texts', () => {
    for (const { code } of queries) {
      const bare = code.replace(/"(?:[^"]|"")*"/g, '').replace(/\/\/.*/g, '');
      expect(bare).not.toContain('"');
      const open: string[] = [];
      for (const [bracket] of bare.matchAll(/[([{}\])]/g)) {
        if ('([{'.includes(bracket)) open.push(bracket);
        else expect(`${open.pop()}${bracket}`).toBeOneOf(['()', '[]', '{}']);
      }
      expect(open).toEqual([]);
      expect(bare.match(/\blet\b/g)?.length).toBe(bare.match(/^\s*in$/gm)?.length);
    }
  });
});
