import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { findCodeBlocks, readPage } from './code-blocks.ts';
import { createExampleWorkspace, type ExampleWorkspace } from './example-workspace.ts';

const noCurl = Bun.which('curl') === null;
if (noCurl) console.log('the pages about spreadsheets are not checked: curl is not installed');

let workspace: ExampleWorkspace;
beforeAll(async () => {
  workspace = await createExampleWorkspace();
});
afterAll(() => workspace.close());

/** Sends a request synchronously, as Apps Script does. */
function fetchSync(url: string, headers: Record<string, string>) {
  const options = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const { stdout } = Bun.spawnSync(['curl', '-s', '-i', ...options, url], { env: workspace.env });
  const [head = '', ...rest] = stdout.toString().split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const responseHeaders = lines.map((line) => line.split(/: (.*)/, 2) as [string, string]);
  return { status: Number(first.split(' ')[1]), responseHeaders, body: rest.join('\r\n\r\n') };
}

type Row = readonly (string | number)[];

/** Runs the script of the page with stand-ins for Google's services. */
function runAppsScript() {
  const cache = new Map<string, string>();
  const statuses: number[] = [];
  const sheet: { values: readonly Row[] } = { values: [] };
  const { TENOR_URL = '', TENOR_TOKEN = '' } = workspace.env;
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
        const { status, responseHeaders, body } = fetchSync(url, options.headers);
        statuses.push(status);
        return {
          getResponseCode: () => status,
          getHeaders: () => Object.fromEntries(responseHeaders),
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
  const [block] = findCodeBlocks('how-to/google-sheets.md').filter(
    ({ language }) => language === 'js',
  );
  const script = new Function(
    ...Object.keys(google),
    `${block?.code}\nreturn { TENOR, refreshQuotes };`,
  )(...Object.values(google));
  return { ...(script as Script), statuses, sheet };
}

interface Script {
  TENOR(path: string): readonly Row[];
  refreshQuotes(): void;
}

describe.skipIf(noCurl)('the script for Google Sheets', () => {
  test('returns a table for every formula of the page', () => {
    const { TENOR } = runAppsScript();
    const formulas = [...readPage('how-to/google-sheets.md').matchAll(/^=.*TENOR\("([^"]*)"\)/gm)];
    expect(formulas.length).toBe(7);
    for (const [, path = ''] of formulas) {
      const rows = TENOR(path);
      expect(rows.length).toBeGreaterThan(10);
      expect(new Set(rows.map((row) => row.length)).size).toBe(1);
    }
  });

  test('fetches all pages, and types the cells', () => {
    const { TENOR, statuses } = runAppsScript();
    const paged = TENOR('/2.0/bnb/quote?date=2026-06-30&limit=40');
    expect(statuses).toEqual([200, 200, 200]);
    expect(paged).toEqual(TENOR('/2.0/bnb/quote?date=2026-06-30&limit=10000'));
    expect(paged[1]?.slice(0, 2)).toEqual(['2026-06-30', 'BRKLEATFC2']);
    expect(paged[1]?.[12]).toBeNumber();
  });

  test('takes unchanged data from the cache', () => {
    const { TENOR, statuses } = runAppsScript();
    const rows = TENOR('/3.0/alternate/payments-market-players');
    expect(TENOR('/3.0/alternate/payments-market-players')).toEqual(rows);
    expect(statuses).toEqual([200, 304]);
  });

  test('shows the error message of the service for any status', () => {
    const { TENOR } = runAppsScript();
    expect(() => TENOR('/2.0/bnb/quote?limit=0')).toThrow('limit');
    expect(() => TENOR('/3.0/funds/allocation?fund_id=none')).toThrow('no_record_found');
  });

  test('writes the newest quotes to their sheet', () => {
    const { refreshQuotes, sheet } = runAppsScript();
    refreshQuotes();
    expect(sheet.values[0]?.slice(0, 2)).toEqual(['date', 'symbol']);
    expect(sheet.values.length).toBeGreaterThan(50);
  });
});

describe.skipIf(noCurl)('the queries for Excel', () => {
  const queries = findCodeBlocks('how-to/excel.md').filter(
    ({ language }) => language === 'powerquery',
  );

  /** The request target of a query, with a fixed day for computed ones. */
  function findTarget(code: string): string | undefined {
    const [, path, record = ''] = /Tenor\("([^"]*)"(?:, \[([^\]]*)\])?/.exec(code) ?? [];
    const pairs = record.replace(/Day\([^,]*\)/g, '"2026-06-01"').matchAll(/(\w+) = "([^"]*)"/g);
    const query = new URLSearchParams();
    for (const [, name = '', value = ''] of pairs) query.append(name, value);
    return path && `/${path}?${query}`.replace(/\?$/, '');
  }

  test('request existing paths and name existing columns', () => {
    let count = 0;
    for (const { code } of queries) {
      const target = findTarget(code);
      if (!target) continue;
      count += 1;
      const headers = { Authorization: `Bearer ${workspace.env.TENOR_TOKEN}`, Accept: 'text/csv' };
      const { status, body } = fetchSync(`${workspace.env.TENOR_URL}${target}`, headers);
      expect([target, status]).toEqual([target, 200]);
      const columns = body.split('\r\n')[0]?.split(',') ?? [];
      const expected = [...code.matchAll(/\{"(\w+)"/g)].map(([, name = '']) => name);
      expect(columns).toEqual(expect.arrayContaining(expected));
    }
    expect(count).toBe(4);
  });

  test('have balanced brackets and quotes', () => {
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

describe('the links of the how-tos', () => {
  const pages = ['excel', 'google-sheets', 'libreoffice', 'metabase-and-superset'];
  const targets = pages.flatMap((page) =>
    [...readPage(`how-to/${page}.md`).matchAll(/link create '([^']*)'/g)].map(
      ([, target = '']) => target,
    ),
  );

  test.each(targets)('%s gives records, and leaves none out', async (target) => {
    const { TENOR_URL, TENOR_TOKEN } = workspace.env;
    const headers = { authorization: `Bearer ${TENOR_TOKEN}` };
    const response = await fetch(`${TENOR_URL}${target}`, { headers });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toStartWith('text/csv');
    expect(response.headers.get('link')).not.toContain('rel="next"');
    expect((await response.text()).split('\r\n').length).toBeGreaterThan(2);
  });
});
