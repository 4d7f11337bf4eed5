import { afterAll, beforeAll, describe, expect, setDefaultTimeout, spyOn, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fundAllocation } from '../../src/catalogue/datasets/fund-allocation.ts';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import {
  branchlessBankingAgents,
  mobileMoneyMarketShareValue,
  onlineBankingAnnualVolume,
} from '../../src/catalogue/datasets/series/index.ts';
import { catalogue } from '../../src/catalogue/index.ts';
import { fundsOperation, securitiesOperation } from '../../src/catalogue/operations/discovery.ts';
import { CommandError, parseArguments, UsageError } from '../../src/cli/command.ts';
import { queryCommand as command } from '../../src/cli/commands/query.ts';
import { listOperationNames } from '../../src/cli/query/query-target.ts';
import { displayWidth } from '../../src/cli/terminal/text.ts';
import { createInProcessServer } from '../../src/http/in-process-server.ts';
import { publishRecords } from '../../src/publish/publish-records.ts';
import { parseSettings } from '../../src/settings.ts';
import { readFixture } from '../support/fixtures.ts';
import { createLoadWorkspace } from '../support/load-workspace.ts';
import { quote } from '../support/quote-fixture.ts';
import type { CommandResult } from '../support/run-tenor.ts';
import { runTenor } from '../support/run-tenor.ts';
import type { TestStore } from '../support/store.ts';
import { createFilledStore, createStore, createTempFolder } from '../support/store.ts';
import type { TestServer } from '../support/test-server.ts';
import { startTestServer, TOKEN } from '../support/test-server.ts';

const ROOT = join(import.meta.dirname, '../..');
const ONLINE = onlineBankingAnnualVolume.name;
const FUND = String(readFixture(fundAllocation)[0]?.fund_id);

// Some tests start the command several times, on a machine that may have other things to do.
setDefaultTimeout(60_000);

let store: TestStore;
let service: TestServer;
let folder: string;
beforeAll(async () => {
  folder = createTempFolder();
  store = await createFilledStore();
  service = await startTestServer(store);
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

const query = (...args: string[]) => queryOn(store, ...args);

/** Runs the command within the test, which is faster than starting it, to its end. */
async function queryOn({ url }: TestStore, ...args: string[]): Promise<CommandResult> {
  const written = { out: '', err: '' };
  const into = (name: 'out' | 'err') => (text: unknown) => {
    written[name] += text;
    return true;
  };
  const spies = [
    spyOn(process.stdout, 'write').mockImplementation(into('out')),
    spyOn(process.stderr, 'write').mockImplementation(into('err')),
  ];
  try {
    const settings = () => parseSettings({ DATABASE_URL: url });
    await command.run({ ...parseArguments(command, args), settings });
    return { status: 0, ...written };
  } catch (cause) {
    if (!(cause instanceof UsageError || cause instanceof CommandError)) throw cause;
    written.err += `tenor: ${cause.message}\n`;
    return { status: cause instanceof UsageError ? 2 : 1, ...written };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

/** Runs one call after the other: they share standard output. */
async function each(...calls: string[][]): Promise<CommandResult[]> {
  const ended: CommandResult[] = [];
  for (const args of calls) ended.push(await query(...args));
  return ended;
}

/** What the server answers, as text. */
async function answered(target: string, accept = 'application/json'): Promise<string> {
  return (await service.request(target, { accept })).text();
}

describe('a table', () => {
  test('says what it is of, and ends with the course of each column', async () => {
    const env = { DATABASE_URL: store.url };
    expect(await runTenor(['query', ONLINE, '--width', '80'], env)).toEqual({
      status: 0,
      out: [
        'Real-time online banking transactions, annual volume',
        `million transactions · 3 records · revision ${catalogue.length}`,
        '',
        'year  cash_wtl  cash_deposit  funds_transfer  total',
        '────  ────────  ────────────  ──────────────  ─────',
        '2025      62.3          81.2            50.4  193.9',
        '2024      60.1          81.2            50.4  191.7',
        '2023      58            81.2            50.4  189.6',
        '',
        'trend           2023 → 2025  lowest  highest',
        '──────────────  ───────────  ──────  ───────',
        'cash_wtl        ▁▄█              58     62.3',
        'cash_deposit    ▄▄▄            81.2     81.2',
        'funds_transfer  ▄▄▄            50.4     50.4',
        'total           ▁▄█           189.6    193.9',
        '',
      ].join('\n'),
      err: '',
    });
  });

  test('is there for every operation by its name', async () => {
    const names = [...listOperationNames(), 'revisions/3'];
    expect(names).toEqual(
      expect.arrayContaining(['catalogue', 'securities', 'funds', 'revisions']),
    );
    for (const name of names) {
      const words = name === fundAllocation.name ? [`fund_id=${FUND}`] : [];
      const { status, err, out } = await query(name, ...words);
      expect({ name, status, err }).toEqual({ name, status: 0, err: '' });
      expect(out).toMatch(
        new RegExp(`\\n(.* · )?\\d+ (record|period|row)s? · revision ${catalogue.length}\\n\\n`),
      );
      expect(out).toContain('\n─');
    }
  });

  test('of a fund is one of periods by classes', async () => {
    const { out } = await query(fundAllocation.name, `fund_id=${FUND}`);
    const lines = out.split('\n');
    const body = await answered(`/3.0/funds/allocation?fund_id=${FUND}`);
    const { periods, rows } = JSON.parse(body).data as typeof fundAllocation.example;
    const head = lines.findIndex((line) => line.startsWith('period'));
    for (const { label } of rows) expect(lines[head]).toContain(label);
    const shown = lines.slice(head + 2, head + 2 + periods.length);
    expect(shown.map((line) => line.split(/\s{2,}/))).toEqual(
      periods.map(({ label, date }, index) => [
        label,
        date,
        ...rows.map(({ values }) => String(values[index])),
      ]),
    );
    expect(lines).toContain(`fund_id    ${FUND}`);
    expect(out).toContain(`${periods.at(-1)?.label} → ${periods[0]?.label}`);
  });

  test('leaves a gap in the course where a period is missing', async () => {
    const { out } = await query(mobileMoneyMarketShareValue.name);
    expect(out).toContain('Oct 2023 → Jan 2024');
    expect(out).toMatch(/^operators.lapwingcash +▁·██ +0.1 +0.41$/m);
  });

  test('shows what a list lacks as absent, and as a gap', async () => {
    const own = await createStore();
    const month = (period: string, provinces: readonly (readonly [string, number])[]) => ({
      period,
      total: 9,
      provinces: provinces.map(([key, value]) => ({ key, value })),
    });
    const records = [month('Jan 2024', [['kpk', 4]]), month('Feb 2024', [['sindh', 2]])];
    await own.publish(branchlessBankingAgents, records);
    const { out } = await queryOn(own, branchlessBankingAgents.name);
    expect(out).toMatch(/^Feb 2024 +9 +(2 +–|– +2)$/m);
    expect(out).toMatch(/^provinces.kpk +▄· +4 +4$/m);
    await own.remove();
  });

  test('of quotes has the course of one security over days, and of nothing else', async () => {
    const [one, snapshot, many, none] = await each(
      ['quotes', 'symbol=ZZ12TB140127', 'from=2026-01-01'],
      ['quotes'],
      ['quotes', 'from=2026-01-01'],
      ['quotes', 'symbol=ZZ12TB140127', 'from=2026-01-01', '--no-sparklines'],
    );
    expect(one?.out).toContain('2026-04-07 → 2026-04-08');
    expect(one?.out).toContain('\nsymbol        ZZ12TB140127\n');
    for (const ended of [snapshot, many, none]) expect(ended?.out).not.toContain('trend');
  });

  test('takes a price of 0 for no price, and a volume of 0 for what it is', async () => {
    const own = await createStore();
    const none = { bidPrice: 0, volume: 0 };
    const days = [{ bidPrice: 98, volume: 7 }, none, { bidPrice: 99, volume: 9 }];
    const records = days.map((day, at) => quote({ date: `2026-01-0${at + 1}`, ...day }));
    await own.publish(quotes, records);
    const { out } = await queryOn(own, 'quotes', 'from=2026-01-01');
    expect(out).toMatch(/^bidPrice +▁·█ +98 +99$/m);
    expect(out).toMatch(/^volume +▇▁█ +0 +9$/m);
    await own.remove();
  });

  test('fits the width that it is given, and loses nothing', async () => {
    const [narrow, wide] = await each(['quotes', '--width', '80'], ['quotes']);
    expect(narrow?.out.split('\n').filter((line) => Bun.stringWidth(line) > 80)).toEqual([]);
    expect(narrow?.out.match(/^date /gm)?.length).toBeGreaterThan(1);
    expect(wide?.out.match(/^date /gm)?.length).toBe(1);
    const { data } = JSON.parse(await answered('/2.0/bnb/quote'));
    const cells = data.flatMap((record: object) => Object.values(record).map(String));
    for (const ended of [narrow, wide]) {
      const words = new Set(ended?.out.split(/\s+/));
      expect(cells.filter((cell: string) => !words.has(cell))).toEqual([]);
    }
  });

  test('without records says so', async () => {
    const ended = await query('quotes', 'symbol=NOBODY');
    const out = `Bill and bond quotes\n0 records · revision ${catalogue.length}\n`;
    expect(ended).toEqual({ status: 0, out, err: '' });
  });

  test('has its bounds, and says where it ends and how to get the rest', async () => {
    const own = await createStore();
    const records = Array.from({ length: 10_001 }, (_, at) => quote({ symbol: `S${at}` }));
    await own.publish(quotes, records);
    const table = await queryOn(own, 'quotes', '--all');
    expect(table.out).toContain('10,000 records · revision 1\n');
    const said = 'showing 10,000 of 10,001 records; use --csv --all for all';
    expect(table.err).toBe(`tenor: ${said}\n`);
    const csv = await queryOn(own, 'quotes', '--all', '--csv');
    expect(csv.out.split('\r\n')).toHaveLength(1 + 10_001 + 1);
    expect(csv.err).toBe('');
    await own.remove();
  });

  test('never passes on what a terminal would act on', async () => {
    const own = await createStore();
    const fund = { ...fundAllocation.example, fund_id: 'a', frequency: '\u009b31mred\u202e' };
    await own.publish(fundAllocation, [fund]);
    const { out } = await queryOn(own, 'fund-allocation', 'fund_id=a');
    expect(out).toContain('frequency  \\u009b31mred\\u202e\n');
    await own.remove();
  });
});

describe('programs get', () => {
  const lists = [securitiesOperation, fundsOperation].map(({ name, path }) => ({
    name,
    path,
    words: [],
  }));
  const datasets = catalogue.map(({ name, paths: [path], shape }) => ({
    name,
    path,
    words: shape === 'fund' ? [`fund_id=${FUND}`] : [],
  }));

  test.each([...datasets, ...lists])(
    'the very bytes of the API: $name',
    async ({ name, path, words }) => {
      const target = [path, ...words].join('?');
      const [csv, ndjson, json] = await each(
        [name, ...words, '--csv'],
        [name, ...words, '--ndjson'],
        [name, ...words, '--json'],
      );
      expect(csv).toEqual({ status: 0, err: '', out: await answered(target, 'text/csv') });
      expect(ndjson?.out).toBe(await answered(target, 'application/x-ndjson'));
      expect(json?.out).toBe(`${await answered(target)}\n`);
    },
  );

  test('what a path asks for, with or without parameters', async () => {
    const ended = await query('/2.0/bnb/quotes?type=bond', 'limit=1', '--csv');
    expect(ended.out).toBe(await answered('/2.0/bnb/quote?type=bond&limit=1', 'text/csv'));
    expect(ended.out.split('\r\n')).toHaveLength(3);
  });

  test('all pages as one', async () => {
    const words = ['quotes', 'from=2026-01-01', 'limit=2', '--all'];
    const [csv, ndjson, json, whole] = await each(
      [...words, '--csv'],
      [...words, '--ndjson'],
      [...words, '--json'],
      ['quotes', 'from=2026-01-01', '--all', '--json'],
    );
    const target = '/2.0/bnb/quote?from=2026-01-01';
    expect(csv).toEqual({ status: 0, err: '', out: await answered(target, 'text/csv') });
    expect(ndjson?.out).toBe(await answered(target, 'application/x-ndjson'));
    expect(json?.out).toBe(`${await answered(target)}\n`);
    expect(whole?.out).toBe(`${await answered(target)}\n`);
  });

  test('a page, and people a word on what is missing', async () => {
    const words = ['quotes', 'from=2026-01-01', 'limit=2'];
    for (const form of [[], ['--csv'], ['--json'], ['--ndjson']]) {
      const { status, err } = await query(...words, ...form);
      const said = 'showing 2 of 5 records; use --all for all';
      expect({ status, err }).toEqual({ status: 0, err: `tenor: ${said}\n` });
    }
    const { err } = await query('revisions/1', 'limit=1');
    expect(err).toBe('tenor: showing 1 of 5 changes; use --all for all\n');
  });

  test('a count, of what has pages and of what has none', async () => {
    const [many, series, fund] = await each(
      ['quotes', 'from=2026-01-01', 'limit=2', '--count'],
      [ONLINE, '--count'],
      [fundAllocation.name, `fund_id=${FUND}`, '--count'],
    );
    expect(many).toEqual({ status: 0, err: '', out: '5\n' });
    expect([series?.out, fund?.out]).toEqual(['3\n', '1\n']);
  });
});

describe('a query is refused', () => {
  const FUND_X = '/3.0/funds/allocation?fund_id=x';

  test.each([
    [['quotes', 'limit=0'], 1, 'parameter "limit" must be a whole number from 1 to 10000, in'],
    [['quotes', 'colour=red'], 1, 'unknown parameter "colour"'],
    [['quotes', 'date=2026-04-08', 'from=2026-04-08'], 1, 'parameter "date" cannot be used'],
    [[ONLINE, 'a\u009b31m=b'], 1, 'unknown parameter "a\\u009b31m"'],
    [['fund-allocation'], 1, 'no fund_id provided'],
    [['fund-allocation', 'fund_id=x', '--csv'], 1, `no_record_found for ${FUND_X}`],
    [['/2.0/bnb/quote/'], 1, 'not_found for /2.0/bnb/quote/'],
    [['/2.0/bnb/quote?type=bond#x'], 1, 'parameter "type" must be one of'],
    [['revisions/99'], 1, 'not_found for /revisions/99'],
    [['/openapi.json'], 1, 'this response is not a table; use --json'],
    [['catalogue', '--csv'], 1, '/catalogue: the response is not text/csv'],
    [['revisions', '--as-of', '3'], 1, '/revisions does not support --as-of'],
    [['quotes', '--as-of', '99'], 1, 'there is no revision 99'],
    [[], 2, 'an OPERATION is required; there are quotes, '],
    [['qoutes'], 2, 'there is no operation "qoutes"; there are quotes, '],
    [['revision'], 2, 'there is no operation "revision"; there are quotes, '],
    [['quotes', 'limit'], 2, '"limit" must be NAME=VALUE'],
    [['quotes', '--csv', '--ndjson'], 2, '--csv and --ndjson cannot be combined'],
    [['quotes', '--width', 'wide'], 2, '--width must be a whole number'],
    [['quotes', '--as-of', 'yesterday'], 2, '--as-of must be a revision'],
    [['quotes', '--token-file', 'x'], 2, '--token-file requires --url'],
    [['quotes', '--url', 'localhost'], 2, '--url must be the URL of a server'],
    [['quotes', '--url', 'http://a:b@localhost'], 2, '--url must be the URL of a server'],
    [['quotes', '--url', 'http://localhost'], 2, 'a token is required: set API_TOKEN'],
    [['quotes', '--url', 'http://localhost', '--token-file', '/'], 2, '--token-file /: '],
  ])('as %j, with exit status %d', async (args, status, said) => {
    const ended = await query(...args);
    expect(ended).toMatchObject({ status, out: '' });
    expect(ended.err).toStartWith(`tenor: ${said}`);
    expect(ended.err.split('\n')).toHaveLength(2);
  });

  test('for programs with the body that the API answers', async () => {
    const env = { DATABASE_URL: store.url };
    expect(await runTenor(['query', 'fund-allocation', 'fund_id=x', '--json'], env)).toEqual({
      status: 1,
      out: `${await answered(FUND_X)}\n`,
      err: `tenor: no_record_found for ${FUND_X}\n`,
    });
  });
});

test('the report of a revision stands below it in lines that fit, as tenor revisions tells it', async () => {
  const desk = await createLoadWorkspace();
  const rows = [2020, 2021, 2022, 2023].map((year) => [year, 1, 1, 1, 9]);
  desk.writeFile('a.csv', [
    ['Table 5'],
    ['year', 'cash_wtl', 'cash_deposit', 'funds_transfer', 'total'],
    ...rows,
  ]);
  await desk.load(onlineBankingAnnualVolume, 'a.csv');
  const { out } = await queryOn(desk.store, 'revisions/1', '--width', '70');
  const off = 'total: cash_wtl + cash_deposit + funds_transfer =';
  expect(out).toContain(
    [
      'unchanged    0',
      '',
      'Read 4 records.',
      'Left out: a.csv: line 1 to the header in line 2.',
      'Warning parts-off-total (4): the parts do not add up to the total,',
      '    within 0.05 × (parts + 1) in the unit of the series',
      ...[3, 4, 5].flatMap((line) => [
        `  a.csv line ${line}, ${off}`,
        '      3, total says 9; off by 6, tolerance 0.2',
      ]),
      '  … and 1 more',
      '',
      'change',
    ].join('\n'),
  );
  expect(Math.max(...out.split('\n').map(displayWidth))).toBeLessThanOrEqual(70);
  await desk.close();
});

test('the past is shown by revision, instant and day, and named', async () => {
  const own = await createStore();
  const publisher = own.publisher();
  const [first, second, third] = ['2026-01-01', '2026-01-02', '2026-01-05'].map((date) =>
    quote({ date }),
  );
  const noon = '2026-02-01T12:00:00.250Z';
  for (const [record, at] of [
    [first, '2026-01-01T12:00:00.250Z'],
    [second, noon],
    [third, noon],
  ] as const) {
    const change = { dataset: quotes, source: 'test', author: 'test', at: new Date(at) };
    await publishRecords(publisher, { ...change, records: [record] });
  }
  publisher.close();
  const asOf = (when: string, ...more: string[]) =>
    queryOn(own, 'quotes', '--as-of', when, ...more);
  const cases = [
    ['1', [first]],
    ['2026-01-01T12:00:00.250Z', [first]],
    ['2026-01-31', [first]],
    ['Thu, 01 Jan 2026 12:00:00 GMT', [first]],
    ['3', [third]],
    [noon, [third]],
    ['2026-01-01T12:00:00.249Z', []],
    ['0', []],
  ] as const;
  for (const [when, data] of cases) {
    const out = `${JSON.stringify({ status: 'ok', data })}\n`;
    expect({ when, ...(await asOf(when, '--json')) }).toEqual({ when, status: 0, out, err: '' });
  }
  const named = (await asOf('1')).out.split('\n')[1];
  expect(named).toBe('1 record · revision 1 of 2026-01-01T12:00:00Z');
  expect((await asOf('2001-01-01')).out).toContain('nothing published by 2001-01-01T23:59:59Z');
  // No instant tells apart what was published in the same millisecond.
  expect(await asOf('2')).toEqual({
    status: 1,
    out: '',
    err: 'tenor: revision 3 was published at the same instant as 2\n',
  });
  await own.remove();
});

test('a reader that has seen enough is no failure', () => {
  const env = { ...process.env, DATABASE_URL: store.url };
  for (const words of ['quotes', 'quotes --csv', 'catalogue --json']) {
    const { stdout, stderr } = Bun.spawnSync(
      ['sh', '-c', `{ bin/tenor query ${words}; echo "status $?" >&2; } | head -1`],
      { cwd: ROOT, env },
    );
    expect(stdout.toString().split('\n')).toHaveLength(2);
    expect(stderr.toString()).toBe('status 0\n');
  }
});

test('what breaks is told, not passed off as an answer', async () => {
  const local = await createInProcessServer(store, catalogue);
  local.close();
  await expect(local.get('/2.0/bnb/quote')).rejects.toThrow();
});

describe('a running server', () => {
  const remote = (address: string, token: string, ...args: string[]) =>
    runTenor(['query', ...args, '--url', address], { API_TOKEN: token });

  /** How a query of quotes ends where a server answers like this. */
  async function ended(reply: (request: Request) => Response, ...args: string[]) {
    const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: reply });
    const address = `http://127.0.0.1:${server.port}`;
    try {
      const { err, ...rest } = await remote(address, 't', 'quotes', ...args);
      const asking = `tenor: querying ${address}\n`;
      expect(err).toStartWith(asking);
      return { ...rest, err: err.slice(asking.length) };
    } finally {
      await server.stop(true);
    }
  }

  test('is asked in the same way, page by page, and named', async () => {
    const words = ['quotes', 'from=2026-01-01', 'limit=2', '--all', '--csv'];
    expect(await remote(`${service.address}/`, TOKEN, ...words)).toEqual({
      status: 0,
      out: (await query(...words)).out,
      err: `tenor: querying ${service.address}\n`,
    });
  });

  test('is shown a token from a file, or else from the environment', async () => {
    const file = join(folder, 'token');
    writeFileSync(file, `${TOKEN}\n`);
    const right = await remote(service.address, 'no', 'quotes', '--count', '--token-file', file);
    expect(right).toMatchObject({ status: 0, out: '3\n' });
    const wrong = await remote(service.address, 'no', 'quotes', '--count');
    expect(wrong).toMatchObject({ status: 1, out: '' });
    expect(wrong.err).toEndWith('tenor: unauthorized_request for /2.0/bnb/quote\n');
  });

  test('that is none is told from one that refuses', async () => {
    const none = await remote('http://127.0.0.1:1', 't', 'quotes');
    expect(none).toMatchObject({ status: 1, out: '' });
    expect(none.err).toContain('tenor: cannot reach http://127.0.0.1:1: ');
    expect(await ended(() => new Response('<h1>Bad gateway</h1>', { status: 502 }))).toEqual({
      status: 1,
      out: '',
      err: 'tenor: /2.0/bnb/quote was answered with status 502\n',
    });
  });

  test('that sends elsewhere is not followed with the token', async () => {
    const asked: string[] = [];
    const { err } = await ended(({ url }) => {
      asked.push(new URL(url).pathname);
      return new Response(null, { status: 302, headers: { Location: '/elsewhere' } });
    });
    expect(err).toBe('tenor: /2.0/bnb/quote was answered with status 302\n');
    expect(asked).toEqual(['/2.0/bnb/quote']);
  });

  test('that is busy is asked again when it says so', async () => {
    let asked = 0;
    const busy = { status: 'error', message: 'too_many_requests' };
    const reply = () => {
      if (asked++ > 0) return Response.json({ status: 'ok', data: [] });
      return Response.json(busy, { status: 429, headers: { 'Retry-After': '0' } });
    };
    expect(await ended(reply, '--json')).toEqual({
      status: 0,
      out: '{"status":"ok","data":[]}\n',
      err: 'tenor: rate limited; retrying in 0 s\n',
    });
  });

  test('that publishes between two pages has this told', async () => {
    const links = '</2.0/bnb/quote>; rel="first", </2.0/bnb/quote?cursor=x>; rel="next"';
    const reply = ({ url }: Request) => {
      const isFirst = !url.includes('cursor=x');
      const headers = new Headers({ 'Tenor-Revision': isFirst ? '7' : '8' });
      if (isFirst) headers.set('Link', links);
      return Response.json({ status: 'ok', data: [isFirst ? 1 : 2] }, { headers });
    };
    expect(await ended(reply, '--all', '--json')).toEqual({
      status: 0,
      out: '{"status":"ok","data":[1,2]}\n',
      err: 'tenor: a new revision was published between pages; use --as-of 7 to read one revision\n',
    });
  });
});
