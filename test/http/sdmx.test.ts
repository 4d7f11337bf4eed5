import { beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  branchlessBankingAgents,
  ivrBankingAnnualValue,
} from '../../src/catalogue/datasets/series/index.ts';
import { createDeclaredDataset } from '../../src/catalogue/model/create-dataset.ts';
import type { Declaration } from '../../src/catalogue/model/declaration.ts';
import { annual } from '../../src/catalogue/model/period.ts';
import {
  declareIn,
  KIBOR,
  KIBOR_RECORDS,
  kibor,
  startDeclaringServer,
} from '../support/declared-rates.ts';
import { readFixture } from '../support/fixtures.ts';
import { findLink } from '../support/follow-links.ts';
import { findElements, readXml, type XmlElement } from '../support/read-xml.ts';
import { createStore } from '../support/store.ts';
import { errorMessage, TOKEN } from '../support/test-server.ts';
import { issueSecret, useTestServer } from '../support/use-test-server.ts';

const GROWTH: Declaration = {
  name: 'fiscal-growth',
  title: 'Growth <by> "country" & year',
  period: { kind: 'year', field: 'year', yearStart: 7 },
  dimensions: [{ field: 'country', title: 'Country' }],
  measures: [
    { field: 'gdp', title: 'GDP', unit: 'PKR billion', currency: 'PKR', scale: 1e9, kind: 'flow' },
    { field: 'growth', title: 'Growth', unit: 'percent', kind: 'rate', decimals: 1 },
  ],
  status: true,
  scope: 'national',
};
const growth = createDeclaredDataset(GROWTH);
const GROWTH_RECORDS = [
  { year: 'FY2026', country: 'Korea Rep.', gdp: 11, growth: null, status: 'P' },
  { year: 'FY2025', country: 'Korea Rep.', gdp: 10.5, growth: 1e-7, status: 'A' },
  { year: 'FY2026', country: 'Korea_Rep_', gdp: 7, growth: -3, status: 'E' },
];

const secrets = { kibor: '' };
const service = useTestServer(async () => {
  const store = await createStore();
  await declareIn(store, KIBOR); // 1
  await declareIn(store, GROWTH); // 2
  await store.publish(kibor, KIBOR_RECORDS); // 3
  await store.publish(growth, GROWTH_RECORDS); // 4
  await store.publish(ivrBankingAnnualValue, readFixture(ivrBankingAnnualValue)); // 5
  await store.publish(branchlessBankingAgents, readFixture(branchlessBankingAgents)); // 6
  const [newest = {}] = KIBOR_RECORDS;
  await store.publish(kibor, [{ ...newest, bid: 99 }]); // 7
  secrets.kibor = await issueSecret(store, ['datasets']);
  return store;
});

const DATA = '/sdmx/2.1/data/KIBOR';

async function getText(target: string, headers: Record<string, string> = {}): Promise<string> {
  const response = await service.request(target, headers);
  expect([target, response.status]).toEqual([target, 200]);
  return response.text();
}

/** Observations as `key period value status`, in the order of the message. */
function listObservations(message: XmlElement): string[] {
  return findElements(message, 'Series').flatMap(({ attributes, children }) => {
    const {
      FREQ,
      MEASURE,
      UNIT_MEASURE,
      UNIT_MULT,
      DECIMALS,
      REPORTING_YEAR_START_DAY,
      ...others
    } = attributes;
    const key = [FREQ, ...Object.values(others), MEASURE].join('.');
    return children.map(({ attributes: { TIME_PERIOD, OBS_VALUE = 'null', OBS_STATUS } }) =>
      [key, TIME_PERIOD, OBS_VALUE, OBS_STATUS].join(' '),
    );
  });
}

const read = async (target: string) => listObservations(readXml(await getText(target)));

const expected = (
  records: readonly (typeof KIBOR_RECORDS)[number][],
  measures = ['bid', 'offer'],
) =>
  ['1M', '6M'].flatMap((tenor) =>
    measures.flatMap((measure) =>
      records
        .filter((record) => record.tenor === tenor)
        .toReversed()
        .map((record) => {
          const value = measure === 'bid' ? record.bid : record.offer;
          return `D.${tenor}.${measure} ${record.date} ${value} A`;
        }),
    ),
  );

const [FIRST = { date: '', tenor: '', bid: 0, offer: null }, ...OTHERS] = KIBOR_RECORDS;
const CURRENT = [{ ...FIRST, bid: 99 }, ...OTHERS];

test('/catalogue and /datapackage.json give the address of the data of each series', async () => {
  type Described = { readonly name: string; readonly sdmx?: string | null };
  const { data: entries } = (await service.getJson('/catalogue')) as { data: readonly Described[] };
  const getResources = async (query: string) =>
    (JSON.parse(await getText(`/datapackage.json${query}`)) as { resources: Described[] })
      .resources;
  const current = await getResources('');
  const earlier = await getResources('?as_of=6');
  expect(entries.filter(({ sdmx }) => sdmx === null).map(({ name }) => name)).toContain('quotes');
  for (const name of ['kibor', 'fiscal-growth', 'ivr-banking-annual-value']) {
    const entry = entries.find((each) => each.name === name);
    const find = (list: readonly Described[]) => list.find((each) => each.name === name)?.sdmx;
    expect(`/${find(current)}`).toBe(entry?.sdmx ?? '');
    expect(await getText(`/${find(current)}`)).toContain('Series');
    const asOf = entry?.sdmx?.replace('/data/', '/as-of/6/data/') ?? '';
    expect(`/${find(earlier)}`).toBe(asOf);
    expect(await getText(asOf)).toContain('Series');
  }
  expect(current.find(({ name }) => name === 'quotes')).not.toHaveProperty('sdmx');
});

describe('data of SDMX', () => {
  test.each([
    ['all', DATA, expected(CURRENT)],
    ['slashes at the end', `${DATA}/all/all/`, expected(CURRENT)],
    ['agency and version', '/sdmx/2.1/data/TENOR,KIBOR,1.0', expected(CURRENT)],
    ['REST 2', '/sdmx/2/data/dataflow/TENOR/KIBOR/1.0/*', expected(CURRENT)],
    ['a key', `${DATA}/D.6M.bid`, expected(CURRENT, ['bid']).filter((text) => text.includes('6M'))],
    ['alternatives and wildcards', `${DATA}/.6M+1M+unknown.bid`, expected(CURRENT, ['bid'])],
    [
      'several keys of REST 2',
      '/sdmx/2/data/dataflow/TENOR/KIBOR/~/D.1M.bid,*.6M.offer',
      expected(CURRENT).filter((text) => /1M.bid|6M.offer/.test(text)),
    ],
    ...['D.6M', '*.6M', '.6M.', 'D.6M.*', 'D.6M,*.6M.bid'].map(
      (key): [string, string, string[]] => [
        `what a key of REST 2 leaves out at its end: ${key}`,
        `/sdmx/2/data/dataflow/TENOR/KIBOR/1.0/${key}`,
        expected(CURRENT).filter((text) => text.includes('6M')),
      ],
    ),
    ['a frequency alone, by REST 2', '/sdmx/2/data/dataflow/TENOR/KIBOR/*/D', expected(CURRENT)],
    [
      'components of REST 2',
      '/sdmx/2/data/*/*/KIBOR?c[TENOR]=eq:1M,2M&c[TIME_PERIOD]=ge:2026-06-02+le:2026-06-02',
      ['D.1M.bid 2026-06-02 12 A', 'D.1M.offer 2026-06-02 null A'],
    ],
    [
      'exclusive bounds',
      '/sdmx/2/data/*/*/KIBOR/*/*.1M.bid?c[TIME_PERIOD]=gt:2026-06-01+lt:2026-06-03T00:00:00',
      ['D.1M.bid 2026-06-02 12 A'],
    ],
    ...Object.entries({
      'eq:2026-06-02': ['02'],
      '2026-06-02': ['02'],
      'ge:2026-06-02': ['02', '03'],
      'gt:2026-06-02': ['03'],
      'le:2026-06-02': ['01', '02'],
      'lt:2026-06-02': ['01'],
    }).map(([condition, days]): [string, string, string[]] => [
      condition,
      `/sdmx/2/data/*/*/KIBOR/*/*.1M.offer?c[TIME_PERIOD]=${condition}`,
      days.map((day) => `D.1M.offer 2026-06-${day} null A`),
    ]),
    [
      'periods',
      `${DATA}/..bid?startPeriod=2026-06-02&endPeriod=2026-06`,
      expected(CURRENT, ['bid']).filter((text) => !text.includes('06-01')),
    ],
    [
      'the last ones of each series',
      `${DATA}/..bid?lastNObservations=1`,
      ['D.1M.bid 2026-06-03 99 A', 'D.6M.bid 2026-06-03 11.1 A'],
    ],
    [
      'the first and the last',
      `${DATA}/.1M.bid?firstNObservations=1&lastNObservations=1`,
      ['D.1M.bid 2026-06-01 13 A', 'D.1M.bid 2026-06-03 99 A'],
    ],
    ['a revision in the path', '/sdmx/2.1/as-of/6/data/KIBOR', expected(KIBOR_RECORDS)],
    ['a revision as a parameter', `${DATA}?asOf=6`, expected(KIBOR_RECORDS)],
    ['changes', `${DATA}?updatedAfter=6`, expected([{ ...FIRST, bid: 99 }])],
    [
      'the last changes of each series',
      `${DATA}/..bid?updatedAfter=2&lastNObservations=1`,
      ['D.1M.bid 2026-06-03 99 A', 'D.6M.bid 2026-06-03 11.1 A'],
    ],
    [
      'the first changes of each series',
      `${DATA}/..bid?updatedAfter=2&firstNObservations=1`,
      ['D.1M.bid 2026-06-01 13 A', 'D.6M.bid 2026-06-01 13.1 A'],
    ],
    [
      'fiscal years by the year in which they begin, ids of values, statuses',
      '/sdmx/2.1/data/FISCAL_GROWTH',
      [
        'A.Korea_Rep_.gdp 2024-A1 10.5 A',
        'A.Korea_Rep_.gdp 2025-A1 11 P',
        'A.Korea_Rep_.growth 2024-A1 1e-7 A',
        'A.Korea_Rep_.growth 2025-A1 null P',
        'A.Korea_Rep__2.gdp 2025-A1 7 E',
        'A.Korea_Rep__2.growth 2025-A1 -3 E',
      ],
    ],
    [
      'a fiscal year by its begin',
      '/sdmx/2.1/data/FISCAL_GROWTH/.Korea_Rep_.gdp?startPeriod=2025&endPeriod=2025',
      ['A.Korea_Rep_.gdp 2025-A1 11 P'],
    ],
  ])('selects %s', async (_, target, observations) => {
    expect((await read(target)).toSorted()).toEqual(observations.toSorted());
  });

  test('has the figures of shipped series, members of lists included', async () => {
    const values = await read('/sdmx/2.1/data/BRANCHLESS_BANKING_AGENTS');
    const records = readFixture(branchlessBankingAgents) as unknown as readonly {
      readonly total: number;
      readonly provinces: readonly { readonly key: string; readonly value: number }[];
    }[];
    const figures = records.flatMap(({ total, provinces }) => [
      ['total', total],
      ...provinces.map(({ key, value }) => [`provinces_${key}`, value]),
    ]);
    const [found, wanted] = [
      values.map((text) => /^M\.(\S+) \S+ (\S+)/.exec(text)?.slice(1).join(' ')),
      figures.map((figure) => figure.join(' ')),
    ];
    expect(found.toSorted()).toEqual(wanted.toSorted());
  });

  test('says units, their multiplier, decimals and the first day of fiscal years', async () => {
    const [gdp, rate] = findElements(
      readXml(await getText('/sdmx/2.1/data/FISCAL_GROWTH')),
      'Series',
    );
    expect(gdp?.attributes).toMatchObject({
      UNIT_MEASURE: 'PKR',
      UNIT_MULT: '9',
      REPORTING_YEAR_START_DAY: '--07-01',
    });
    expect(gdp?.attributes.DECIMALS).toBeUndefined();
    expect(rate?.attributes).toMatchObject({ UNIT_MEASURE: 'percent', DECIMALS: '1' });
    const years = findElements(
      readXml(await getText('/sdmx/2.1/data/IVR_BANKING_ANNUAL_VALUE')),
      'Obs',
    );
    const isFiscal = (label: string) => annual.pattern.exec(label)?.[1] === undefined;
    const labels = readFixture(ivrBankingAnnualValue).map(({ year }) => String(year));
    const fiscal = years.filter(({ attributes }) => attributes.REPORTING_YEAR_START_DAY);
    expect(fiscal).toHaveLength(labels.filter(isFiscal).length * 5);
  });

  test('is CSV of both versions by the type of either', async () => {
    const row = '"TENOR:KIBOR(1.0)",D,1M,bid,2026-06-01,13,A,percent,0,'.replaceAll('"', '');
    for (const accept of ['text/csv', 'application/vnd.sdmx.data+csv;version=1.0.0'])
      expect(await getText(`${DATA}/D.1M.bid?endPeriod=2026-06-01`, { accept })).toBe(
        `DATAFLOW,FREQ,TENOR,MEASURE,TIME_PERIOD,OBS_VALUE,OBS_STATUS,UNIT_MEASURE,UNIT_MULT,DECIMALS\n${row}\n`,
      );
    const second = await getText(`${DATA}/D.1M.bid?endPeriod=2026-06-01&detail=dataonly`, {
      accept: 'application/vnd.sdmx.data+csv;version=2.0.0, text/html',
    });
    expect(second).toBe(
      'STRUCTURE,STRUCTURE_ID,ACTION,FREQ,TENOR,MEASURE,TIME_PERIOD,OBS_VALUE\ndataflow,TENOR:KIBOR(1.0),I,D,1M,bid,2026-06-01,13\n',
    );
    const ofRest2 = await getText('/sdmx/2/data/dataflow/TENOR/KIBOR', { accept: 'text/csv' });
    expect(ofRest2).toStartWith('STRUCTURE,');
  });

  test('leaves out observations or attributes as detail says', async () => {
    const keys = readXml(await getText(`${DATA}?detail=serieskeysonly`));
    expect(findElements(keys, 'Series').map(({ attributes }) => Object.values(attributes))).toEqual(
      [
        ...[
          ['D', '1M', 'bid'],
          ['D', '1M', 'offer'],
          ['D', '6M', 'bid'],
          ['D', '6M', 'offer'],
        ],
      ],
    );
    expect(findElements(keys, 'Obs')).toEqual([]);
    const nodata = await getText(`${DATA}/.1M.bid?detail=nodata&format=csv`);
    expect(nodata).toBe(
      'DATAFLOW,FREQ,TENOR,MEASURE,UNIT_MEASURE,UNIT_MULT,DECIMALS\nTENOR:KIBOR(1.0),D,1M,bid,percent,0,\n',
    );
    const values = readXml(await getText(`${DATA}/.1M.bid?detail=dataonly`));
    expect(findElements(values, 'Obs')[0]?.attributes).toEqual({
      TIME_PERIOD: '2026-06-01',
      OBS_VALUE: '13',
    });
  });

  test('has observations by themselves, or in series without another dimension', async () => {
    const target = `${DATA}/D.1M.bid?lastNObservations=1&dimensionAtObservation=`;
    const flat = readXml(await getText(`${target}AllDimensions`));
    const observation = {
      FREQ: 'D',
      TENOR: '1M',
      MEASURE: 'bid',
      TIME_PERIOD: '2026-06-03',
      OBS_VALUE: '99',
      OBS_STATUS: 'A',
      UNIT_MEASURE: 'percent',
      UNIT_MULT: '0',
    };
    expect(findElements(flat, 'Obs').map(({ attributes }) => attributes)).toEqual([observation]);
    const [series] = findElements(readXml(await getText(`${target}TENOR`)), 'Series');
    const { TENOR, FREQ, MEASURE, TIME_PERIOD, ...others } = observation;
    expect(series?.attributes).toEqual({ FREQ, MEASURE, TIME_PERIOD });
    expect(series?.children[0]?.attributes).toEqual({ TENOR, ...others });
  });

  test.each([
    `/sdmx/2.1/as-of/AS_OF/data/KIBOR/..bid?format=csv&lastNObservations=1`,
    `${DATA}/..bid?format=csv&asOf=AS_OF&lastNObservations=1`,
    `${DATA}/..bid?as_of=AS_OF&format=csv&lastNObservations=1`,
  ])('links the rest of the address as of an instant to the current one: %s', async (target) => {
    const { headers } = await service.request(target.replace('AS_OF', '2100-01-01'));
    expect(findLink(headers, 'original timegate')).toBe(
      `${DATA}/..bid?format=csv&lastNObservations=1`,
    );
  });

  test.each([
    ['/sdmx/2.1/data/NONE', 404, 'there is no dataflow "NONE"; /sdmx/2.1/dataflow lists all'],
    ['/sdmx/2.1/data/ECB,KIBOR', 404, 'there is no dataflow "ECB,KIBOR"'],
    ['/sdmx/2.1/data/QUOTES', 404, 'there is no dataflow'],
    [`${DATA}/D.2M.bid`, 404, 'nothing matches'],
    [`${DATA}/M.1M.bid`, 404, 'nothing matches'],
    [`${DATA}?startPeriod=2030`, 404, 'nothing matches'],
    [`${DATA}?updatedAfter=7`, 404, 'nothing matches'],
    [`${DATA}/D.1M`, 400, 'the key must have 3 parts separated by dots: FREQ.TENOR.MEASURE'],
    ['/sdmx/2/data/*/*/KIBOR/*/D.1M.bid.x', 400, 'the key must have at most 3 parts'],
    ['/sdmx/2/data/*/*/KIBOR/*/D.2M', 404, 'nothing matches'],
    ...[
      `${DATA}?updatedAfter=6&asOf=5`,
      `${DATA}?updatedAfter=2100-01-01&asOf=6`,
      `${DATA}?updatedAfter=2100-01-02&asOf=2100-01-01&format=csv`,
      '/sdmx/2.1/as-of/6/data/KIBOR?updatedAfter=7',
      '/sdmx/2/data/*/*/KIBOR?updatedAfter=99&asOf=7',
    ].map((target): [string, number, string] => [
      target,
      400,
      'parameter "updatedAfter" must not be later than the revision or instant of the message',
    ]),
    [`${DATA}?updatedAfter=7&asOf=7`, 404, 'nothing matches'],
    [`${DATA}?updatedAfter=2100-01-01&asOf=2100-01-01`, 404, 'nothing matches'],
    [`${DATA}/${'.'.repeat(9_999)}`, 400, 'the key must have 3 parts'],
    [`${DATA}/.${'x+'.repeat(4_000)}.`, 404, 'nothing matches'],
    [`${DATA}?startPeriod=soon`, 400, 'parameter "startPeriod" must be a period such as 2024'],
    [`${DATA}?lastNObservations=0`, 400, 'parameter "lastNObservations" must be a whole number'],
    [`${DATA}?detail=some`, 400, 'parameter "detail" must be one of full, dataonly'],
    [`${DATA}?constructor=1`, 400, 'unknown parameter "constructor"'],
    [`${DATA}?asOf=99`, 400, 'the newest is 7'],
    ['/sdmx/2.1/as-of/soon/data/KIBOR', 400, 'parameter "as-of" must be the number of a revision'],
    [`${DATA}?dimensionAtObservation=BANK`, 400, 'one of FREQ, TENOR, MEASURE, TIME_PERIOD'],
    ['/sdmx/2/data/*/*/KIBOR?c[BANK]=1', 400, '"BANK" is no dimension here'],
    ['/sdmx/2/data/*/*/KIBOR?c[TENOR]=ne:1M', 400, 'codes separated by commas'],
    ['/sdmx/2/data/*/*/KIBOR?c[TIME_PERIOD]=ge:x', 400, 'eq:, ge:, gt:, le: or lt:'],
    ['/sdmx/2.1/metadata/KIBOR', 404, 'not_found'],
    ['/sdmx/3/data/KIBOR', 404, 'not_found'],
    ['/sdmx/2.1/data/%FF', 404, 'not_found'],
    ['/sdmx/2.1/codelist/TENOR/CL_FREQ/2.0', 404, 'not_found'],
    ['/sdmx/2.1/codelist/TENOR/CL_NONE', 404, 'nothing matches'],
  ])('answers %.60s with %d', async (target, status, message) => {
    const response = await service.request(target);
    expect([response.status, await errorMessage(response)]).toEqual([
      status,
      expect.stringContaining(message),
    ]);
  });

  test('answers other formats with 406, which names what there is', async () => {
    for (const accept of ['application/vnd.sdmx.data+json', 'application/json', 'text/csv;q=0']) {
      const response = await service.request(DATA, { accept });
      expect(response.status).toBe(406);
      expect(await errorMessage(response)).toContain(
        'application/vnd.sdmx.structurespecificdata+xml;version=2.1, application/vnd.sdmx.data+csv;version=1.0.0',
      );
    }
    for (const accept of ['*/*', 'application/*;q=0.5', 'text/html, application/xml;q=0.9'])
      expect(await getText(DATA, { accept })).toStartWith('<?xml');
  });

  test('is validated by its tag, which differs between formats and selections', async () => {
    const { headers } = await service.request(DATA);
    expect(headers.get('tenor-revision')).toBe('7');
    const etag = headers.get('etag') ?? '';
    const again = await service.request(DATA, { 'if-none-match': etag });
    expect([again.status, await again.text()]).toEqual([304, '']);
    for (const other of [`${DATA}?format=csv`, `${DATA}/D.1M.`, '/sdmx/2.1/data/FISCAL_GROWTH'])
      expect((await service.request(other, { 'if-none-match': etag })).status).toBe(200);
    const { status, headers: ofHead } = await service.request(DATA, {}, 'HEAD');
    expect([status, ofHead.get('etag')?.split('-')[0]]).toEqual([200, etag.split('-')[0]]);
  });
});

describe.each([
  DATA,
  `${DATA}?format=csv&updatedAfter=6`,
  '/sdmx/2/data/dataflow/TENOR/KIBOR/1.0/*?asOf=7',
  '/sdmx/2.1/as-of/7/data/KIBOR',
  '/sdmx/2.1/dataflow',
  '/sdmx/2/structure/dataflow/TENOR/KIBOR?references=all',
])('%s, which is of SDMX and was published a while ago,', (target) => {
  const ask = async (headers: Record<string, string>) =>
    (await service.request(target, headers)).status;

  test('is dated, and is 304 for a client that has it since then', async () => {
    const { headers } = await service.request(target);
    const modified = headers.get('last-modified') ?? '';
    const later = new Date(Date.parse(modified) + 1_000).toUTCString();
    const earlier = new Date(Date.parse(modified) - 1_000).toUTCString();
    expect(await ask({ 'if-modified-since': later })).toBe(304);
    expect(await ask({ 'if-modified-since': earlier })).toBe(200);
    expect(await ask({ 'if-unmodified-since': earlier })).toBe(412);
    // A tag says more than a date.
    expect(await ask({ 'if-modified-since': later, 'if-none-match': '"other"' })).toBe(200);
    const known = await service.request(target, { 'if-modified-since': later });
    expect(known.headers.get('last-modified')).toBe(modified);
  });
});

describe('a message that is sent while it is created', () => {
  const large = useTestServer(async () => {
    const store = await createStore();
    await declareIn(store, KIBOR);
    const days = Array.from({ length: 3_000 }, (_, index) => new Date(index * 86_400_000));
    await store.publish(
      kibor,
      days.flatMap((day) =>
        ['1M', '6M'].map((tenor) => ({
          ...{ date: day.toISOString().slice(0, 10), tenor, bid: 1, offer: 0 },
        })),
      ),
    );
    return store;
  });

  test('and meets no condition leaves room for those that do, however many there were', async () => {
    const failing = [
      { 'if-match': '"other"' },
      { 'if-unmodified-since': new Date(0).toUTCString() },
    ];
    for (let sent = 0; sent < 20; sent++) {
      const { status } = await large.request(DATA, failing[sent % 2] ?? {});
      expect([sent, status]).toEqual([sent, 412]);
    }
    const { status, headers, body } = await large.request(DATA);
    expect([status, headers.has('content-length')]).toEqual([200, false]);
    await body?.cancel();
  });
});

test('data is dated by its records, and by a declaration that came after them', async () => {
  const server = await startDeclaringServer(async () => {});
  await server.declare();
  const readDates = async () => {
    const { headers } = await server.get(DATA);
    const { data } = (await (await server.get('/revisions?limit=1')).json()) as {
      data: readonly [{ readonly publishedAt: string }];
    };
    return [headers.get('last-modified'), new Date(data[0].publishedAt).toUTCString()];
  };
  const [modified, published] = await readDates();
  expect(modified).toBe(published as string);
  // Dates of HTTP have seconds.
  await Bun.sleep(1_050);
  await declareIn(server.store, { ...KIBOR, title: 'Rates' });
  await server.get('/revisions', undefined, { 'Tenor-Revision': '4' });
  const [modifiedLater, publishedLater] = await readDates();
  expect(publishedLater).not.toBe(published);
  expect(modifiedLater).toBe(publishedLater as string);
  await server.stop();
});

test('a list of dataflows is dated by the retirement of one that it had', async () => {
  const server = await startDeclaringServer(async () => {});
  await server.declare();
  await server.retire();
  const { headers } = await server.get('/sdmx/2.1/dataflow');
  const { data } = (await (await server.get('/revisions?limit=1')).json()) as {
    data: readonly [{ readonly publishedAt: string }];
  };
  const published = new Date(data[0].publishedAt);
  expect(headers.get('last-modified')).toBe(published.toUTCString());
  await server.stop();
});

describe('structures of SDMX', () => {
  let structures: XmlElement;
  beforeAll(async () => {
    structures = readXml(await getText('/sdmx/2.1/dataflow/TENOR/FISCAL_GROWTH?references=all'));
  });

  const getIds = (element: XmlElement, name: string) =>
    findElements(element, name).map(({ attributes }) => attributes.id);

  test('have a dataflow for each series, declared ones included', async () => {
    const flows = getIds(readXml(await getText('/sdmx/2.1/dataflow')), 'Dataflow');
    expect(flows).toHaveLength(12);
    expect(flows).toContain('IVR_BANKING_ANNUAL_VALUE');
    expect(getIds(readXml(await getText('/sdmx/2.1/dataflow/TENOR/latest')), 'Dataflow')).toEqual(
      flows,
    );
    const past = getIds(readXml(await getText('/sdmx/2.1/as-of/1/dataflow/all/all')), 'Dataflow');
    expect(past).not.toContain('FISCAL_GROWTH');
  });

  test('name the dimensions, their codes, and attributes', () => {
    expect(getIds(structures, 'Dimension').filter(Boolean)).toEqual(['FREQ', 'COUNTRY', 'MEASURE']);
    expect(getIds(structures, 'TimeDimension')).toEqual(['TIME_PERIOD']);
    expect(getIds(structures, 'Attribute')).toEqual([
      ...['OBS_STATUS', 'UNIT_MEASURE', 'UNIT_MULT', 'DECIMALS', 'REPORTING_YEAR_START_DAY'],
    ]);
    const countries = findElements(structures, 'Codelist').find(
      ({ attributes }) => attributes.id === 'CL_FISCAL_GROWTH-COUNTRY',
    );
    const codes = countries?.children.filter(({ name }) => name === 'Code') ?? [];
    expect(codes.map(({ attributes, children }) => [attributes.id, children[0]?.text])).toEqual([
      ['Korea_Rep_', 'Korea Rep.'],
      ['Korea_Rep__2', 'Korea_Rep_'],
    ]);
    const [flow] = findElements(structures, 'Dataflow');
    expect(flow?.children[0]?.text).toBe(GROWTH.title);
  });

  test('have what references and detail say', async () => {
    const count = async (target: string) => {
      const message = readXml(await getText(`/sdmx/2.1/${target}`));
      const kinds = ['Dataflow', 'DataStructure', 'Codelist', 'ConceptScheme', 'AgencyScheme'];
      return kinds.map((kind) => findElements(message, kind).length).join('');
    };
    expect(await count('dataflow/TENOR/KIBOR/1.0')).toBe('10000');
    expect(await count('dataflow/TENOR/KIBOR/1.0?references=children')).toBe('11000');
    expect(await count('dataflow/TENOR/KIBOR/1.0?references=descendants')).toBe('11410');
    expect(await count('datastructure/all/KIBOR/latest/?references=children')).toBe('01410');
    expect(await count('datastructure/all/KIBOR/latest/?references=parents')).toBe('11000');
    expect(await count('codelist/TENOR/CL_KIBOR-TENOR?references=parents')).toBe('01100');
    expect(await count('datastructure/TENOR/KIBOR?references=codelist')).toBe('01400');
    expect(await count('conceptscheme/TENOR/KIBOR')).toBe('00010');
    expect(await count('agencyscheme')).toBe('00001');
    expect(await count('structure/TENOR/KIBOR')).toBe('11010');
    const stubs = readXml(
      await getText(
        '/sdmx/2.1/datastructure/TENOR/KIBOR?detail=referencestubs&references=codelist',
      ),
    );
    expect(findElements(stubs, 'Code')).toEqual([]);
    expect(findElements(stubs, 'Dimension')).not.toEqual([]);
    const item = readXml(await getText('/sdmx/2.1/codelist/TENOR/CL_FREQ/1.0/D'));
    expect(getIds(item, 'Code')).toEqual(['D']);
  });

  test('are JSON by their type', async () => {
    const accept = 'application/vnd.sdmx.structure+json;version=2.0.0';
    const text = await getText('/sdmx/2/structure/dataflow/TENOR/KIBOR/~?references=all', {
      accept,
    });
    const { data } = JSON.parse(text);
    expect(Object.keys(data)).toEqual([
      'dataflows',
      'codelists',
      'conceptSchemes',
      'dataStructures',
    ]);
    const [{ dataStructureComponents }] = data.dataStructures;
    const { dimensions } = dataStructureComponents.dimensionList;
    expect(dimensions.map(({ id }: { id: string }) => id)).toEqual(['FREQ', 'TENOR', 'MEASURE']);
  });
});

describe('a token', () => {
  test('may be the password of Basic authentication here alone, which is never challenged for', async () => {
    const authorization = `Basic ${btoa(`anybody:${TOKEN}`)}`;
    expect((await service.request(DATA, { authorization })).status).toBe(200);
    expect((await service.request('/catalogue', { authorization })).status).toBe(401);
    for (const password of ['wrong-password', '', 'a,b', 'é\0\n']) {
      const credentials = Buffer.from(`x:${password}`).toString('base64');
      const response = await service.request(DATA, { authorization: `Basic ${credentials}` });
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toStartWith('Bearer realm="tenor"');
    }
  });

  test('reads records of its scopes alone, and of others what their declarations say', async () => {
    const headers = { authorization: `Bearer ${secrets.kibor}` };
    expect((await service.request(DATA, headers)).status).toBe(200);
    expect((await service.request('/sdmx/2.1/data/FISCAL_GROWTH', headers)).status).toBe(403);
    const target = '/sdmx/2.1/dataflow/TENOR/FISCAL_GROWTH?references=all';
    const text = await getText(target, headers);
    expect(text).toContain('id="COUNTRY"');
    expect(text).not.toContain('Korea');
    const members = await getText(
      '/sdmx/2.1/codelist/all/CL_BRANCHLESS_BANKING_AGENTS-MEASURE',
      headers,
    );
    expect(members).not.toContain('punjab');
    const { headers: own } = await service.request(target);
    expect(
      (await service.request(target, { ...headers, 'if-none-match': own.get('etag') ?? '' }))
        .status,
    ).toBe(200);
  });
});

test('no address of /sdmx is answered with a 5xx', async () => {
  const segment = fc.oneof(
    fc.constantFrom(
      ...['2.1', '2', 'data', 'structure', 'dataflow', 'codelist', 'as-of', 'all', '*', 'KIBOR'],
      ...[
        'TENOR',
        'TENOR,KIBOR',
        'D.1M.bid',
        '..',
        '%2e%2e',
        '6',
        '+',
        '1.0',
        '%FF',
        'CL_FREQ',
        '',
      ],
    ),
    fc.webSegment(),
  );
  const parameter = fc.tuple(
    fc.constantFrom(
      ...['startPeriod', 'endPeriod', 'updatedAfter', 'lastNObservations', 'detail', 'references'],
      ...['c[TENOR]', 'c[TIME_PERIOD]', 'asOf', 'format', 'dimensionAtObservation', '__proto__'],
    ),
    fc.oneof(
      fc.constantFrom(
        ...['2024', '2024-Q1', '0', '7', 'xml', 'csv2', 'all', 'full', 'MEASURE', ''],
      ),
      fc.webQueryParameters(),
    ),
  );
  const path = fc.oneof(
    fc.array(segment, { maxLength: 7 }).map((segments) => segments.join('/')),
    fc.constantFrom('2.1/data/KIBOR', '2/data/dataflow/TENOR/KIBOR', '2.1/codelist/all/all'),
  );
  await fc.assert(
    fc.asyncProperty(path, fc.array(parameter, { maxLength: 3 }), async (target, parameters) => {
      const query = parameters.map((pair) => pair.join('=')).join('&');
      const { status } = await service.request(`/sdmx/${target}?${query}`);
      expect(status).toBeLessThan(500);
    }),
    { numRuns: Number(process.env.TENOR_SDMX_ADDRESSES ?? 50) },
  );
}, 3_600_000);
