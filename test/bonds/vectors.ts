import type { Frequency } from '../../src/bonds/index.ts';

/** A printed figure: yields in percent, prices and interest per 100, durations in years. */
export type Figure = 'yield' | 'clean' | 'dirty' | 'accrued' | 'modified';

/**
 * Published figures of coupon bonds. `figures` names the last columns of the rows, each with the
 * difference that its printed precision allows; a row may leave out the last of them.
 */
export type CouponGroup = {
  source: string;
  frequency: Frequency;
  given: 'clean' | 'yield';
  figures: Partial<Record<Figure, number>>;
  rows: readonly (readonly [
    id: string,
    settlement: string,
    maturity: string,
    couponRate: number,
    given: number,
    ...expected: number[],
  ])[];
};

/** Published simple yields of discount securities, in percent. */
export type BillGroup = {
  source: string;
  tolerance: number;
  rows: readonly (readonly [
    id: string,
    settlement: string,
    maturity: string,
    price: number,
    yieldPercent: number,
  ])[];
};

export const couponGroups: readonly CouponGroup[] = [
  {
    source: 'Pakistan Stock Exchange, board of 2026-04-08: sukuk with fixed or variable rent',
    frequency: 2,
    given: 'clean',
    figures: { yield: 5.1e-5 },
    rows: [
      ['psx-P03FRR211027-ldcp', '2026-04-09', '2027-10-21', 12, 100.71, 11.4742],
      ['psx-P03FRR300528-ldcp', '2026-04-09', '2028-05-30', 10.8498, 97.51, 12.1883],
      ['psx-P03VRR090128-bid', '2026-04-09', '2028-01-09', 9.3867, 98.9, 10.0691],
      ['psx-P03VRR211027-bid', '2026-04-09', '2027-10-21', 10.3115, 99.5, 10.6676],
      ['psx-P03VRR280627-offer', '2026-04-09', '2027-06-28', 10.1639, 100.3, 9.87],
      ['psx-P05FRR090130-ltp', '2026-04-09', '2030-01-09', 11.99, 102.41, 11.1724],
      ['psx-P05FRR180929-ltp', '2026-04-09', '2029-09-18', 13.845, 103.58, 12.5243],
      ['psx-P05FRR211029-ldcp', '2026-04-09', '2029-10-21', 12.53, 101.7644, 11.8998],
      ['psx-P05FRR220131-ldcp', '2026-04-09', '2031-01-22', 9.87, 92.7, 11.9045],
      ['psx-P05FRR240129-ldcp', '2026-04-09', '2029-01-24', 15.49, 108.0399, 11.9939],
      ['psx-P05FRR300530-ltp', '2026-04-09', '2030-05-30', 10.8711, 97.15, 11.7501],
      ['psx-P05FRR300930-offer', '2026-04-09', '2030-09-30', 11.14, 98.79, 11.4912],
    ],
  },
  {
    source: 'State Bank of Pakistan, auction of 3-year bonds on 2021-03-03',
    frequency: 2,
    given: 'clean',
    figures: { yield: 6e-5, accrued: 5e-5 },
    rows: [
      ['sbp-pib51-2', '2021-03-04', '2023-08-20', 7, 95.6574, 9, 0.23205],
      ['sbp-pib51-12', '2021-03-04', '2023-08-20', 7, 94.9435, 9.34],
    ],
  },
  // The page prints a maturity of 2023-06-19; its accrued interest is that of 2023-06-18.
  {
    source: 'State Bank of Pakistan, auction of 3-year floaters on 2020-08-12',
    frequency: 2,
    given: 'clean',
    figures: { yield: 0.0005, accrued: 0.0001 },
    rows: [
      ['sbp-pfl-1', '2020-08-13', '2023-06-18', 8.267, 100.5082, 8.057, 1.2649],
      ['sbp-pfl-3', '2020-08-13', '2023-06-18', 8.267, 100.4354, 8.086, 1.2649],
    ],
  },
  // Maturities follow from an inferred issue day, 2012-07-19. The accrued interest printed beside
  // these yields is ACT/365, which this code does not claim.
  {
    source: 'State Bank of Pakistan, auction of bonds on 2012-09-26: cut-off yields',
    frequency: 2,
    given: 'clean',
    figures: { yield: 5.1e-5 },
    rows: [
      ['sbp-pib2012-3y', '2012-09-27', '2015-07-19', 11.25, 101.45, 10.6252],
      ['sbp-pib2012-5y', '2012-09-27', '2017-07-19', 11.5, 101.15, 11.1744],
      ['sbp-pib2012-10y', '2012-09-27', '2022-07-19', 12, 102.27, 11.5996],
    ],
  },
  {
    source: '31 CFR 356, appendix B: a 30-year bond with a regular first coupon',
    frequency: 2,
    given: 'yield',
    figures: { clean: 1e-6 },
    rows: [['cfr356-A', '1990-05-15', '2020-05-15', 8.75, 8.84, 99.057893]],
  },
  {
    source: 'rateslib, street price of the US 3.875% of August 2033',
    frequency: 2,
    given: 'yield',
    figures: { clean: 1.1e-5, accrued: 1e-6 },
    rows: [
      ['ust-street-2025-02-14', '2025-02-14', '2033-08-15', 3.875, 4, 99.106414, 1.92697],
      ['ust-street-2025-02-18', '2025-02-18', '2033-08-15', 3.875, 4, 99.107179, 0.032113],
      ['ust-street-2025-08-15', '2025-08-15', '2033-08-15', 3.875, 4, 99.151393, 0],
    ],
  },
  {
    source: 'UK Debt Management Office, price formulae, cum dividend (as held in rateslib)',
    frequency: 2,
    given: 'yield',
    figures: { dirty: 1e-6 },
    rows: [
      ['dmo-6.75pct2004-1999-05-10', '1999-05-10', '2004-11-26', 6.75, 4.634, 113.315543],
      ['dmo-6.75pct2004-1999-05-17', '1999-05-17', '2004-11-26', 6.75, 4.634, 113.415969],
      ['dmo-6.75pct2004-1999-05-26', '1999-05-26', '2004-11-26', 6.75, 4.634, 110.170218],
      ['dmo-8pct2015-1999-05-26', '1999-05-26', '2015-12-07', 8, 4.445, 145.047301],
      ['dmo-8pct2015-1999-06-07', '1999-06-07', '2015-12-07', 8, 4.445, 141.257676],
    ],
  },
  {
    source: 'QuantLib, cum-dividend gilt GB0009997999, checked there against Bloomberg',
    frequency: 2,
    given: 'clean',
    figures: { yield: 1e-6, modified: 1e-6, accrued: 1e-6 },
    rows: [
      ['ql-gilt-cum', '2013-05-29', '2021-06-07', 8, 103, 7.495180593, 5.676044458, 3.8021978],
    ],
  },
  {
    source: 'QuantLib, US market price and yield of 2004-11-22',
    frequency: 2,
    given: 'clean',
    figures: { yield: 0.001 },
    rows: [['ql-cached-2006-10-31', '2004-11-23', '2006-10-31', 2.5, 99.203125, 2.925]],
  },
  {
    source: 'rateslib, New Zealand government bonds',
    frequency: 2,
    given: 'yield',
    figures: { clean: 1e-6, accrued: 1e-6 },
    rows: [
      ['nz-2021-02-10', '2021-02-10', '2026-05-15', 0.5, 0.745, 98.7384877998, 0.1201657459],
      ['nz-2022-11-22', '2022-11-22', '2034-05-15', 4.25, 4.355, 99.0583817412, 0.0821823204],
    ],
  },
  {
    source: 'Bundesbank, federal bond DE0001102622 (as held in rateslib)',
    frequency: 1,
    given: 'clean',
    figures: { yield: 1.1e-6, accrued: 1.1e-6 },
    rows: [
      ['de-DE0001102622-2024-01-10', '2024-01-10', '2029-11-15', 2.1, 105, 1.208836, 0.321311],
      ['de-DE0001102622-2028-11-15', '2028-11-15', '2029-11-15', 2.1, 97.5, 4.717949, 0],
    ],
  },
  {
    source: 'rateslib, French government bond FR001400QMF9, the last period compounded',
    frequency: 1,
    given: 'clean',
    figures: { yield: 1.1e-6, accrued: 1.1e-6 },
    rows: [
      ['fr-2024-06-14', '2024-06-14', '2034-11-25', 3, 101, 2.886581, 1.655738],
      ['fr-2033-11-25', '2033-11-25', '2034-11-25', 3, 99.75, 3.258145, 0],
      ['fr-2034-06-13', '2034-06-13', '2034-11-25', 3, 101, 0.7692, 1.643836],
    ],
  },
  {
    source: 'Microsoft, example of MDURATION, basis 1: 2008 to 2016',
    frequency: 2,
    given: 'yield',
    figures: { modified: 1e-5 },
    rows: [['xl-MDURATION', '2008-01-01', '2016-01-01', 8, 9, 5.73567]],
  },
];

export const billGroups: readonly BillGroup[] = [
  {
    source: 'Pakistan Stock Exchange, board of 2026-04-08: one-year discount sukuk',
    tolerance: 0.0051,
    rows: [
      ['psx-P01GIS080227-ldcp', '2026-04-09', '2027-02-08', 90.912, 11.96],
      ['psx-P01GIS131126-ltp', '2026-04-09', '2026-11-13', 93.7824, 11.1],
      ['psx-P01GIS141026-ltp', '2026-04-09', '2026-10-14', 94, 12.39],
      ['psx-P01GIS200826-offer', '2026-04-09', '2026-08-20', 96.14, 11.02],
      ['psx-P01GIS210127-ldcp', '2026-04-09', '2027-01-21', 92.045, 10.99],
      ['psx-P01GIS250327-offer', '2026-04-09', '2027-03-25', 89.6, 12.1],
      ['psx-P01GIS250626-offer', '2026-04-09', '2026-06-25', 97.8739, 10.3],
      ['psx-P01GIS290526-offer', '2026-04-09', '2026-05-29', 98.6171, 10.24],
      ['psx-P01GIS290926-offer', '2026-04-09', '2026-09-29', 95.35, 10.29],
    ],
  },
  {
    source: 'Pakistan Stock Exchange, cut-off of one-year sukuk in February 2025',
    tolerance: 0.0001,
    rows: [['psx-gis-cutoff-2025-02', '2025-02-06', '2026-02-04', 90.7493, 10.2499]],
  },
  {
    source: 'State Bank of Pakistan, 574th auction of treasury bills on 2020-09-09',
    tolerance: 5.1e-5,
    rows: [
      ['sbp-mtb574-10', '2020-09-10', '2020-12-03', 98.3617, 7.2374],
      ['sbp-mtb574-12', '2020-09-10', '2020-12-03', 98.3968, 7.0798],
    ],
  },
];
