import { quotes } from '../../../src/catalogue/datasets/quotes.ts';
import { each, first, type HonestFile, type Loose, type NonsenseKind, toCsv } from './kind.ts';

const PRICES = ['bidPrice', 'askPrice', 'lastPrice'] as const;
const VOLUMES = ['bidVolume', 'askVolume', 'volume'] as const;

const scale = (names: readonly string[], factor: number) =>
  each((quote) => Object.fromEntries(names.map((name) => [name, quote[name] * factor])));
const addToPrices = (amount: number) =>
  each((quote) => Object.fromEntries(PRICES.map((name) => [name, quote[name] + amount])));
const set = (values: Loose) => each(() => values);
const redate = (date: string) => each(() => ({ date }));
const swapVolumes = (quote: Loose) => ({
  bidVolume: quote.askVolume,
  askVolume: quote.bidVolume,
});

/** The quotes of a day whose book is that of the day before: the sizes of orders stay. */
function withStandingOrders({ records, previous }: HonestFile): Loose[] {
  const books = new Map(previous.map((quote) => [quote.symbol, quote]));
  return records.map((quote) => {
    const { bidVolume, askVolume } = books.get(quote.symbol) ?? quote;
    return { ...quote, bidVolume, askVolume };
  });
}

/** One order in each quote, by turns a bid and an ask. */
const toOneSided = (quote: Loose, index: number): Loose =>
  index % 2 === 0
    ? { ...quote, askPrice: 0, askVolume: 0 }
    : { ...quote, bidPrice: 0, bidVolume: 0 };

const rejects = (name: string, alter: NonsenseKind['alter'], refused: string) => ({
  name,
  alter,
  refused,
});
const warns = (name: string, rule: string, alter: NonsenseKind['alter']) => ({
  name,
  alter,
  warns: rule,
});

const kinds: readonly Omit<NonsenseKind, 'datasets'>[] = [
  // Prices
  warns('all prices × 10', 'price-jump', scale(PRICES, 10)),
  warns('all prices per 1 of face value', 'implausible-figure', scale(PRICES, 0.01)),
  warns('prices in paisas', 'implausible-figure', scale(PRICES, 100)),
  warns(
    'one price × 1.2',
    'price-jump',
    first((quote) => ({ lastPrice: quote.lastPrice * 1.2 })),
  ),
  warns('all prices 5 higher', 'ytm-off-price', addToPrices(5)),
  // Where a yield rose on the same day.
  warns(
    'last prices 5 higher, bid and ask as they are',
    'price-with-ytm',
    each((quote) => ({ lastPrice: quote.lastPrice + 5 })),
  ),
  warns('dirty prices instead of clean ones', 'ytm-off-price', addToPrices(2.5)),
  warns(
    'bid and ask prices swapped',
    'bid-above-ask',
    each((quote) => ({ bidPrice: quote.askPrice, askPrice: quote.bidPrice })),
  ),
  warns(
    'one bid above its ask',
    'bid-above-ask',
    first((quote) => ({ bidPrice: quote.askPrice + 0.1 })),
  ),
  warns(
    'a negative price',
    'negative-figure',
    first(() => ({ bidPrice: -1 })),
  ),
  warns('all prices 0', 'one-value', set({ bidPrice: 0, askPrice: 0, lastPrice: 0 })),
  warns('no last price in any row', 'one-value', set({ lastPrice: 0 })),
  warns('all prices 100', 'one-value', set({ bidPrice: 100, askPrice: 100, lastPrice: 100 })),
  warns(
    'yields in the columns of prices',
    'implausible-figure',
    each((quote) => ({
      bidPrice: quote.ytm / 100,
      askPrice: quote.ytm / 100,
      lastPrice: quote.ytm / 100,
    })),
  ),
  warns('prices of the next row', 'price-jump', ({ records }) =>
    records.map((quote, index) => {
      const { bidPrice, askPrice, lastPrice } = records[(index + 1) % records.length] ?? {};
      return { ...quote, bidPrice, askPrice, lastPrice };
    }),
  ),
  warns('the previous day again under a new date', 'stale-prices', ({ previous, records }) =>
    previous.map((quote) => ({ ...quote, date: records[0]?.date })),
  ),
  warns(
    'the prices of the previous day, with new volumes',
    'stale-prices',
    ({ previous, records }) => {
      const before = new Map(previous.map((quote) => [quote.symbol, quote]));
      return records.map((quote) => {
        const { bidPrice, askPrice, lastPrice, ytm } = before.get(quote.symbol) ?? quote;
        return { ...quote, bidPrice, askPrice, lastPrice, ytm };
      });
    },
  ),
  warns(
    'price and yield up together',
    'price-with-ytm',
    each((quote) => ({
      bidPrice: quote.bidPrice + 3,
      askPrice: quote.askPrice + 3,
      lastPrice: quote.lastPrice + 3,
      ytm: quote.ytm + 0.6,
    })),
  ),
  // Volumes
  warns('all volumes × 1000', 'volume-jump', scale(VOLUMES, 1000)),
  warns('all volumes in thousands', 'volume-jump', scale(VOLUMES, 0.001)),
  warns('the traded volume in lakhs', 'volume-jump', scale(['volume'], 1e-5)),
  warns('the bid volume × 100', 'volume-jump', scale(['bidVolume'], 100)),
  warns(
    'bid and ask volumes swapped, if the sizes of orders stay from day to day',
    'volumes-reversed',
    (file) => withStandingOrders(file).map((quote) => ({ ...quote, ...swapVolumes(quote) })),
  ),
  warns('bid and ask volumes swapped, if quotes have one side', 'volumes-reversed', ({ records }) =>
    records.map(toOneSided).map((quote) => ({ ...quote, ...swapVolumes(quote) })),
  ),
  {
    name: 'bid and ask volumes swapped, if both sides have orders of new sizes every day',
    alter: each(swapVolumes),
    undetected: 'either side may be the larger one',
  },
  warns(
    'a negative volume',
    'negative-figure',
    first(() => ({ volume: -5 })),
  ),
  warns('all volumes 0', 'one-value', set({ bidVolume: 0, askVolume: 0, volume: 0 })),
  warns('one volume for all', 'one-value', set({ volume: 1_000_000 })),
  // Yields
  warns('yields as fractions', 'ytm-off-price', scale(['ytm'], 0.01)),
  warns('yields in basis points', 'implausible-figure', scale(['ytm'], 100)),
  warns('ytm 0 for all', 'one-value', set({ ytm: 0 })),
  warns('one ytm for all', 'one-value', set({ ytm: 11 })),
  warns(
    'yields 0.3 points too high',
    'ytm-off-price',
    each((quote) => ({ ytm: quote.ytm + 0.3 })),
  ),
  warns('yields of the next row', 'ytm-off-price', ({ records }) =>
    records.map((quote, index) => ({ ...quote, ytm: records[(index + 1) % records.length]?.ytm })),
  ),
  warns(
    'a yield 3 points from that of the day before',
    'ytm-jump',
    first((quote) => ({ ytm: quote.ytm + 3 })),
  ),
  warns('negative yields for positive ones', 'implausible-figure', scale(['ytm'], -1)),
  warns('coupons in the column of yields', 'ytm-off-price', set({ ytm: 12.5 })),
  // Years and durations
  warns('durations × 2', 'duration-off', scale(['duration'], 2)),
  warns('durations in months', 'duration-off', scale(['duration'], 12)),
  warns('durations in days', 'implausible-figure', scale(['duration'], 365)),
  warns('durations halved', 'duration-off', scale(['duration'], 0.5)),
  warns(
    'a negative duration',
    'negative-figure',
    first(() => ({ duration: -0.4 })),
  ),
  warns('duration 0 for all', 'one-value', set({ duration: 0 })),
  warns('years to maturity in months', 'maturity-years-off', scale(['maturityYears'], 12)),
  warns('years to maturity in days', 'implausible-figure', scale(['maturityYears'], 365)),
  warns(
    'duration and years to maturity swapped',
    'duration-off',
    each((quote) => ({ duration: quote.maturityYears, maturityYears: quote.duration })),
  ),
  warns(
    'years from issue instead of years to maturity',
    'maturity-years-off',
    each((quote) => ({ maturityYears: quote.maturityYears + 1 })),
  ),
  // Days
  {
    ...warns('a Saturday', 'weekend-date', redate('2026-07-04')),
    options: { today: '2026-07-10' },
  },
  { ...warns('a Sunday', 'weekend-date', redate('2026-07-05')), options: { today: '2026-07-10' } },
  {
    name: 'a holiday, with new prices',
    alter: ({ records }) => records,
    undetected:
      'no calendar of holidays is known; if a source repeats its prices on them, stale-prices warns',
  },
  warns('rows of the day before in the file of a day', 'stray-day', ({ records, previous }) => [
    ...records,
    ...previous.slice(0, 4).map((quote) => ({ ...quote, lastPrice: quote.lastPrice + 0.01 })),
  ]),
  {
    ...warns('rows of the next day in the file of a day', 'stray-day', ({ records }) =>
      records.map((quote, index) => (index < 3 ? { ...quote, date: '2026-07-01' } : quote)),
    ),
    options: { today: '2026-07-10' },
  },
  warns('a date in another year', 'maturity-years-off', redate('2025-06-30')),
  warns('a date in another century', 'maturity-years-off', redate('1926-06-30')),
  warns('day and month exchanged', 'maturity-years-off', redate('2026-03-06')),
  rejects('a date in the future', redate('2026-12-07'), 'a day up to'),
  rejects('a day that is not in the calendar', redate('2026-06-31'), 'calendar day'),
  rejects(
    'a date as 30/06/2026, without saying which is the day',
    redate('30/06/2026'),
    'calendar day',
  ),
  rejects(
    'a date as a number of a spreadsheet',
    each(() => ({ date: 46203 })),
    'calendar day',
  ),
  rejects(
    'no date',
    each(() => ({ date: '' })),
    'blank',
  ),
  // Securities
  warns('60 % of the rows missing', 'securities-gone', ({ records }) =>
    records.filter((_, index) => index % 5 < 2),
  ),
  warns('40 % of the rows missing', 'securities-gone', ({ records }) =>
    records.filter((_, index) => index % 5 < 3),
  ),
  warns('a file that was cut after ten rows', 'thin-day', ({ records }) => records.slice(0, 10)),
  warns('only the bills', 'securities-gone', ({ records }) =>
    records.filter(({ type }) => type === 'tbill'),
  ),
  warns('all types the same', 'type-changed', set({ type: 'bond' })),
  warns(
    'the type of one security changed',
    'type-changed',
    first((quote) => ({ type: quote.type === 'bond' ? 'corporate' : 'bond' })),
  ),
  warns(
    'a symbol renamed under its ISIN',
    'symbol-changed',
    first(() => ({ symbol: 'RENAMED' })),
  ),
  warns(
    'all symbols renamed under their ISINs',
    'symbol-changed',
    each((quote) => ({ symbol: `X-${quote.symbol}` })),
  ),
  warns(
    'ISINs in the column of symbols',
    'symbol-changed',
    each((quote) => ({ symbol: quote.isin })),
  ),
  warns(
    'all symbols in lower case',
    'case-variant',
    each((quote) => ({ symbol: quote.symbol.toLowerCase() })),
  ),
  warns(
    'one symbol in lower case',
    'case-variant',
    first((quote) => ({ symbol: quote.symbol.toLowerCase() })),
  ),
  warns(
    'the ISIN of another security',
    'isin-changed',
    first((_, quotes) => ({ isin: quotes[1]?.isin })),
  ),
  warns(
    'one ISIN for two securities',
    'isin-shared',
    first((_, quotes) => ({ isin: quotes[1]?.isin })),
  ),
  warns('ISINs of the next row', 'isin-changed', ({ records }) =>
    records.map((quote, index) => ({
      ...quote,
      isin: records[(index + 1) % records.length]?.isin,
    })),
  ),
  warns(
    'a wrong digit in an ISIN',
    'isin-check-digit',
    first((quote) => ({
      isin: `${quote.isin.slice(0, -1)}${(Number(quote.isin.slice(-1)) + 1) % 10}`,
    })),
  ),
  warns(
    'symbols in the column of ISINs',
    'isin-check-digit',
    each((quote) => ({ isin: quote.symbol })),
  ),
  warns(
    'another day of maturity',
    'maturity-changed',
    first(() => ({ maturityDate: '2030-01-01' })),
  ),
  warns(
    'a security that has matured',
    'maturity-before-date',
    first(() => ({ maturityDate: '2026-06-01', maturityYears: 0 })),
  ),
  warns(
    'the day of issue in the column of maturity',
    'maturity-before-date',
    set({ maturityDate: '2020-01-01' }),
  ),
  warns('another coupon than the one that is kept', 'terms-changed', ({ records }) =>
    records
      .filter(({ type }) => type === 'bond')
      .map((quote) => ({ ...quote, couponRate: 3, pricing: 'coupon' })),
  ),
  warns('a coupon in basis points', 'implausible-figure', ({ records }) =>
    records.slice(0, 3).map((quote, index) => ({
      ...quote,
      symbol: `NEW${index}`,
      isin: `NEW${index}`,
      type: 'corporate',
      ytm: 0,
      couponRate: 1150,
    })),
  ),
  rejects(
    'a row twice, with two prices',
    ({ records }) => [...records, { ...records[0], lastPrice: 1 }],
    'once',
  ),
  rejects(
    'no symbol',
    first(() => ({ symbol: '' })),
    'blank',
  ),
  rejects(
    'a type that is none',
    first(() => ({ type: 'sukuk' })),
    'one of',
  ),
  rejects(
    'a symbol with an invisible character',
    first((quote) => ({ symbol: `${quote.symbol.slice(0, 3)}\u200b` })),
    'invisible',
  ),
  // Cells and files
  rejects(
    'words in a column of prices',
    first(() => ({ bidPrice: 'no bid' })),
    'number',
  ),
  rejects(
    'a price that is infinite',
    ({ records }) => toCsv(records).replace(/,9\d\.\d+,/, ',Infinity,'),
    'number',
  ),
  rejects(
    'a number beyond the precision of numbers',
    first(() => ({ volume: '123456789012345678901' })),
    'number',
  ),
  rejects(
    'two decimal signs in a price',
    first(() => ({ bidPrice: '95.12.3' })),
    'number',
  ),
  rejects(
    'a column missing',
    ({ records }) => toCsv(records.map(({ isin: _, ...quote }) => quote)),
    'isin',
  ),
  rejects(
    'a column of another name',
    ({ records }) => toCsv(records.map(({ isin, ...quote }) => ({ ...quote, code: isin }))),
    'code',
  ),
  rejects(
    'a row with a cell too few',
    ({ records }) => toCsv(records).replace(/,tbill,/, ',tbill'),
    '14 cells',
  ),
  rejects(
    'a row with a cell too many',
    ({ records }) => toCsv(records).replace(/,tbill,/, ',tbill,,'),
    '14 cells',
  ),
  rejects(
    'a footer with a sum below the rows',
    ({ records }) => `${toCsv(records)}Total,,,,,,,,,,,9999,,\n`,
    'calendar day',
  ),
];

export const QUOTE_KINDS: readonly NonsenseKind[] = kinds.map((kind) => ({
  ...kind,
  datasets: [quotes],
}));
