import type { AnyRecord } from '../../src/catalogue/model/dataset.ts';
import type { Declaration } from '../../src/catalogue/model/declaration.ts';
import { formatDay, parseDay } from '../../src/shared/calendar.ts';
import { generateFundNames } from './generate-funds.ts';
import { toWeekday } from './market/generate-securities.ts';
import { createSampleYieldCurve, LAST_QUOTE_DAY } from './market/yield-curve.ts';
import { createRandom } from './random.ts';
import { roundTo } from './rounding.ts';

/** Datasets that a publisher would declare in addition to the shipped ones. */
export interface DeclaredSample {
  readonly declaration: Declaration;
  readonly records: readonly AnyRecord[];
}

const SCHEDULE = { cadence: 'daily', delayDays: 1, toleranceDays: 3 } as const;
const FUND_CODES = Object.fromEntries(
  generateFundNames()
    .slice(0, 6)
    .map(({ fund_id, name }) => [String(fund_id), String(name)]),
);

export function generateDeclaredDatasets(): DeclaredSample[] {
  return [
    {
      declaration: {
        name: 'interbank-offered-rates',
        title: 'Interbank offered rates',
        description:
          'What banks ask and bid for lending to each other, by tenor, at the fixing of a day.',
        source: 'A made-up bankers’ association',
        period: { kind: 'day', field: 'date' },
        dimensions: [
          {
            field: 'tenor',
            title: 'Tenor',
            codes: {
              '1W': 'one week',
              '1M': 'one month',
              '3M': 'three months',
              '6M': 'six months',
              '1Y': 'one year',
            },
          },
        ],
        measures: ['Bid', 'Offer'].map((title) => ({
          field: title.toLowerCase(),
          title,
          unit: 'percent',
          decimals: 2,
          kind: 'rate',
          required: true,
        })),
        checks: [{ field: 'offer', min: 0, max: 40 }],
        schedule: SCHEDULE,
        chart: ['bid', 'offer'],
      },
      records: generateRates(),
    },
    {
      declaration: {
        name: 'net-asset-values',
        title: 'Net asset values of funds',
        description: 'What a unit of a fund is worth at the end of a day.',
        source: 'A made-up association of funds',
        period: { kind: 'day', field: 'date' },
        dimensions: [{ field: 'fund', title: 'Fund', codes: FUND_CODES }],
        measures: [
          {
            field: 'nav',
            title: 'Net asset value',
            unit: 'PKR per unit',
            currency: 'PKR',
            decimals: 4,
            kind: 'index',
            required: true,
          },
        ],
        schedule: SCHEDULE,
        chart: ['nav'],
      },
      records: generateNetAssetValues(),
    },
  ];
}

const FIRST_DAY = parseDay('2026-01-01');
const TENOR_YEARS = { '1W': 7 / 365, '1M': 1 / 12, '3M': 0.25, '6M': 0.5, '1Y': 1 };

/** Rates are a spread above the yields of bills of the same maturity. */
function generateRates(): AnyRecord[] {
  const getYield = createSampleYieldCurve();
  return listDays().flatMap((day) =>
    Object.entries(TENOR_YEARS).map(([tenor, years]) => {
      const offer = roundTo(getYield(day, years) + 0.2, 2);
      return { date: formatDay(day), tenor, bid: roundTo(offer - 0.25, 2), offer };
    }),
  );
}

/** Each fund earns a rate of its own, a little more on some days than on others. */
function generateNetAssetValues(): AnyRecord[] {
  return Object.keys(FUND_CODES).flatMap((fund) => {
    const random = createRandom(`nav ${fund}`);
    const dailyReturn = (0.1 + 0.03 * random.uniform()) / 365;
    let nav = 95 + 15 * random.uniform();
    return listDays().map((day) => {
      nav *= 1 + dailyReturn * (1 + 0.5 * random.normal());
      return { date: formatDay(day), fund, nav: roundTo(nav, 4) };
    });
  });
}

function listDays(): number[] {
  const days: number[] = [];
  for (let day = toWeekday(FIRST_DAY); day <= LAST_QUOTE_DAY; day = toWeekday(day + 1))
    days.push(day);
  return days;
}
