import fc from 'fast-check';
import { fundAllocation } from '../../../src/catalogue/datasets/fund-allocation.ts';
import { quotes } from '../../../src/catalogue/datasets/quotes.ts';
import { catalogue } from '../../../src/catalogue/index.ts';
import { RESPONSE_FORMATS } from '../../../src/catalogue/model/response-format.ts';
import { DAYS } from './scenarios.ts';

export interface TestRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** What a database has: names of securities and funds, and the instants of its revisions. */
export interface RequestContext {
  readonly names: readonly string[];
  readonly instants: readonly string[];
}

/** Builds a request for what a database has. */
type RequestBuilder = (context: RequestContext) => TestRequest;

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const often = <T>(right: fc.Arbitrary<T>, wrong: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 19, arbitrary: right }, { weight: 1, arbitrary: wrong });

/** One of the names, in any letter case, or one that does not exist. */
const anyName = often(
  fc
    .tuple(fc.nat(99), fc.constantFrom('as is', 'upper', 'lower'))
    .map(([index, letterCase]) => ({ names }: RequestContext) => {
      const name = names[index % names.length] ?? '';
      if (letterCase === 'as is') return name;
      return letterCase === 'upper' ? name.toUpperCase() : name.toLowerCase();
    }),
  fc.constantFrom('nobody', '', '\0', '%', 'a\nb').map((name) => () => name),
);
const anyDay = often(fc.constantFrom<string>(...DAYS), fc.constantFrom('2026-02-30', '2026', ''));
const anyLimit = often(
  fc.integer({ min: 1, max: 4 }).map(String),
  fc.constantFrom('0', '-1', '1e2', '10000', '10001', ''),
);
const anyType = often(fc.constantFrom('tbill', 'bond', 'corporate', 'all'), fc.constant('Bond'));

type OptionalValues = Readonly<Record<string, string | undefined>>;

function formatQuery(parameters: OptionalValues): string {
  const pairs = Object.entries(parameters).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  );
  if (pairs.length === 0) return '';
  const texts = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`);
  return `?${texts.join('&')}`;
}

/** One name, or several, perhaps of the same security. */
const anyNames = fc
  .oneof(
    { weight: 2, arbitrary: anyName.map((name) => [name]) },
    fc.array(anyName, { minLength: 2, maxLength: 5 }),
  )
  .map((names) => (context: RequestContext) => names.map((name) => name(context)).join());

const anyFormat = often(
  fc.constantFrom(...Object.keys(RESPONSE_FORMATS)),
  fc.constantFrom('CSV', ''),
);

/** The number of a revision, a day, an instant of a revision, or none of these. */
const anyAsOf = often(
  fc.oneof(
    fc.integer({ min: 1, max: 9 }).map((revision) => () => String(revision)),
    fc.constantFrom('2026-04-30', '2026-05-01', '2100-01-01').map((day) => () => day),
    fc.nat(99).map(
      (index) =>
        ({ instants }: RequestContext) =>
          instants[index % Math.max(1, instants.length)] ?? '1',
    ),
  ),
  fc.constantFrom('0', 'x', '').map((asOf) => () => asOf),
);

const quoteTarget = fc
  .record({
    path: fc.constantFrom('/2.0/bnb/quote', '/2.0/bnb/quotes'),
    symbol: maybe(anyNames),
    sort: maybe(fc.constantFrom('asc', 'desc')),
    fields: fc.oneof(
      { weight: 4, arbitrary: fc.constant(undefined) },
      fc.constantFrom('symbol', 'ytm,date', 'x'),
    ),
    as_of: fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, anyAsOf),
    format: maybe(anyFormat),
    type: maybe(anyType),
    date: fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, anyDay),
    from: maybe(often(fc.constantFrom(...DAYS.slice(0, 2)), anyDay)),
    to: maybe(often(fc.constantFrom(...DAYS.slice(1)), anyDay)),
    limit: maybe(anyLimit),
  })
  .map(({ path, symbol, date, from, to, as_of, ...rest }) => (context: RequestContext) => {
    const range = date === undefined ? { from, to } : { date };
    const resolved = { symbol: symbol?.(context), as_of: as_of?.(context) };
    return `${path}${formatQuery({ ...resolved, ...range, ...rest })}`;
  });

/** Every state of the same quotes. */
const vintagesTarget = fc
  .tuple(quoteTarget, maybe(fc.constant('first')))
  .map(([target, release]) => (context: RequestContext) => {
    const [, query] = target(context).split('?');
    const own = query === undefined ? [] : [query];
    const pairs = [...own, ...(release ? [`release=${release}`] : [])];
    return ['/vintages/quotes', ...(pairs.length > 0 ? [pairs.join('&')] : [])].join('?');
  });

const fundTarget = fc
  .record({
    name: maybe(anyName),
    as_of: maybe(anyAsOf),
    format: maybe(anyFormat),
    x: fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, fc.constant('1')),
  })
  .map(({ name, as_of, ...rest }) => (context: RequestContext) => {
    const resolved = { fund_id: name?.(context), as_of: as_of?.(context) };
    return `/3.0/funds/allocation${formatQuery({ ...resolved, ...rest })}`;
  });

const ledgerTarget = fc
  .record({
    dataset: maybe(fc.constantFrom(...catalogue.slice(0, 5).map(({ name }) => name), 'nothing')),
    before: maybe(fc.constantFrom('1', '3', '6', '4000000000', '9007199254740991', '0')),
    limit: maybe(anyLimit),
  })
  .map((parameters) => () => `/revisions${formatQuery(parameters)}`);

const revisionTarget = fc
  .tuple(
    fc.oneof(fc.integer({ min: 1, max: 9 }).map(String), fc.constantFrom('0', '4000000000', 'x')),
    maybe(anyLimit),
  )
  .map(
    ([n, limit]) =>
      () =>
        `/revisions/${n}${formatQuery({ limit })}`,
  );

const correctionTarget = fc
  .record({
    dataset: fc.constantFrom(...catalogue.slice(0, 5).map(({ name }) => name), 'nothing'),
    symbol: maybe(anyName),
    from: maybe(anyDay),
    fund_id: maybe(anyName),
    before: maybe(fc.constantFrom('1', '3', '6', '4000000000', '9007199254740991')),
    skip: maybe(fc.constantFrom('1', '2', '1000000000', '0')),
    limit: maybe(anyLimit),
  })
  .map(({ dataset, symbol, from, fund_id, ...rest }) => (context: RequestContext) => {
    const own = {
      [quotes.name]: { symbol: symbol?.(context), from },
      [fundAllocation.name]: { fund_id: fund_id?.(context) },
    }[dataset];
    return `/corrections/${dataset}${formatQuery({ ...own, ...rest })}`;
  });

const exportTarget = fc
  .tuple(
    fc.constantFrom(...catalogue.map(({ name }) => name)),
    fc.constantFrom('csv', 'ndjson', 'parquet', 'xlsx'),
  )
  .map(
    ([name, form]) =>
      () =>
        `/exports/${name}.${form}`,
  );

const anyMarket = maybe(often(fc.constantFrom('government', 'corporate'), fc.constant('other')));

/** What is computed of quotes and their terms. */
const figuresTarget = fc
  .record({
    operation: fc.constantFrom('curve', 'analytics', 'cashflows'),
    symbol: anyName,
    isOfOne: fc.boolean(),
    date: maybe(anyDay),
    market: anyMarket,
    as_of: maybe(anyAsOf),
    format: maybe(anyFormat),
  })
  .map(({ operation, symbol, isOfOne, date, market, ...rest }) => (context: RequestContext) => {
    const resolved = { date, as_of: rest.as_of?.(context), format: rest.format };
    const name = symbol(context);
    const own = {
      curve: { market },
      analytics: isOfOne ? { symbol: name } : { market },
      cashflows: { symbol: name },
    }[operation];
    return `/2.0/bnb/${operation}${formatQuery({ ...own, ...resolved })}`;
  });

const playedSeries = catalogue.filter(({ shape }) => shape === 'series').slice(0, 3);

const seriesTarget = fc
  .record({
    path: fc.constantFrom('/datasets', '/vintages'),
    dataset: fc.constantFrom(...playedSeries.map(({ name }) => name)),
    from: maybe(fc.constantFrom('2015', '2016', 'Q1 2015', 'x')),
    units: maybe(fc.constantFrom('pc1', 'chg', 'x')),
    sort: maybe(fc.constantFrom('asc', 'desc')),
    limit: maybe(anyLimit),
    as_of: maybe(anyAsOf),
    format: maybe(anyFormat),
  })
  .map(({ path, dataset, as_of, ...rest }) => (context: RequestContext) => {
    return `${path}/${dataset}${formatQuery({ ...rest, as_of: as_of?.(context) })}`;
  });

const alignedTarget = fc
  .record({
    symbol: anyName,
    others: fc.subarray([
      'curve.yield(tenor=1Y)',
      ...playedSeries.map(({ name }) => `${name}.total`),
    ]),
    frequency: maybe(fc.constantFrom('month', 'quarter', 'year', 'x')),
    as_of: maybe(anyAsOf),
    format: maybe(anyFormat),
  })
  .map(({ symbol, others, frequency, as_of, format }) => (context: RequestContext) => {
    const value = symbol(context).replace(/[(),:%"]/g, encodeURIComponent);
    const columns = [`quotes.ytm(symbol=${value})`, ...others].join();
    return `/aligned${formatQuery({ columns, frequency, as_of: as_of?.(context), format })}`;
  });

const changesTarget = fc
  .record({
    dataset: fc.constantFrom(...catalogue.slice(0, 5).map(({ name }) => name), 'nothing'),
    since: maybe(fc.constantFrom('0', '1', '3', '4000000000', 'x')),
    until: maybe(fc.constantFrom('1', '4', '9')),
    limit: maybe(anyLimit),
    format: maybe(anyFormat),
  })
  .map(
    ({ dataset, ...parameters }) =>
      () =>
        `/changes/${dataset}${formatQuery(parameters)}`,
  );

const listTarget = fc
  .record({
    path: fc.constantFrom('/2.0/bnb/securities', '/3.0/funds', '/catalogue', '/datapackage.json'),
    q: maybe(fc.constantFrom('a', 'é', '%', '_', 'SS')),
    limit: maybe(anyLimit),
    as_of: maybe(anyAsOf),
    format: maybe(anyFormat),
  })
  .map(({ path, as_of, ...rest }) => (context: RequestContext) => {
    return `${path}${formatQuery({ ...rest, as_of: as_of?.(context) })}`;
  });

const otherTarget = fc
  .constantFrom(
    ...catalogue.flatMap(({ paths }) => paths),
    ...[
      '/catalogue',
      '/2.0/bnb/securities',
      '/3.0/funds',
      '/openapi.json',
      '/3.0/funds?x=1',
      '/nowhere',
    ],
    ...[
      '/2.0/bnb/quote?symbol=a&symbol=a',
      '/2.0/bnb/quote?symbol=%ff',
      '/2.0/bnb/quote?cursor=abc',
    ],
  )
  .map((target) => () => target);

const anyAccept = fc.oneof(
  fc.constantFrom(...Object.values(RESPONSE_FORMATS).map(({ mediaType }) => mediaType)),
  fc.constantFrom('*/*', 'text/html', 'text/csv;q=0.1, application/json;q=0'),
);

/** Just before, at or just after a revision, in any way of writing it. */
const anyInstant = often(
  fc
    .tuple(fc.nat(99), fc.constantFrom(-1_000, -1, 0, 1, 1_000), fc.boolean())
    .map(([index, byMs, asIso]) => ({ instants }: RequestContext) => {
      const near = instants[index % Math.max(1, instants.length)] ?? '2026-01-01T00:00:00Z';
      const date = new Date(Date.parse(near) + byMs);
      return asIso ? date.toISOString() : date.toUTCString();
    }),
  fc
    .constantFrom(
      '0001-01-01T00:00:00Z',
      '9999-12-31T23:59:59.999Z',
      'yesterday',
      '2026-02-30T00:00:00Z',
    )
    .map((instant) => () => instant),
);

const anyHeaders = fc.record({
  accept: maybe(anyAccept),
  'accept-encoding': maybe(fc.constantFrom('gzip', 'zstd', 'br')),
  'accept-datetime': fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, anyInstant),
  prefer: maybe(fc.constantFrom('count=exact', 'count=none')),
  range: maybe(fc.constantFrom('bytes=0-9', 'bytes=5-', 'bytes=-7', 'bytes=99999999-', 'lines=1')),
  'if-none-match': fc.oneof({ weight: 20, arbitrary: fc.constant(undefined) }, fc.constant('*')),
  authorization: fc.oneof(
    { weight: 50, arbitrary: fc.constant(undefined) },
    fc.constant('Bearer no'),
  ),
});

export const anyRequest: fc.Arbitrary<RequestBuilder> = fc
  .tuple(
    fc.oneof(
      { weight: 15, arbitrary: fc.constant('GET') },
      fc.constantFrom('HEAD', 'OPTIONS', 'POST'),
    ),
    fc.oneof(
      { weight: 8, arbitrary: quoteTarget },
      { weight: 3, arbitrary: vintagesTarget },
      { weight: 2, arbitrary: fundTarget },
      { weight: 2, arbitrary: ledgerTarget },
      { weight: 2, arbitrary: revisionTarget },
      { weight: 3, arbitrary: correctionTarget },
      { weight: 3, arbitrary: exportTarget },
      { weight: 4, arbitrary: figuresTarget },
      { weight: 3, arbitrary: seriesTarget },
      { weight: 2, arbitrary: alignedTarget },
      { weight: 3, arbitrary: changesTarget },
      { weight: 3, arbitrary: listTarget },
      { weight: 4, arbitrary: otherTarget },
    ),
    anyHeaders,
  )
  .map(([method, target, { 'accept-datetime': instant, ...headers }]) => (context) => ({
    method,
    target: target(context),
    headers: omitUndefined({ ...headers, 'accept-datetime': instant?.(context) }),
  }));

function omitUndefined(headers: OptionalValues): Record<string, string> {
  const pairs = Object.entries(headers).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  );
  return Object.fromEntries(pairs);
}
