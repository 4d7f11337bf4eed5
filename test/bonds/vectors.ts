import type { Frequency, PricingTerms } from '../../src/bonds/index.ts';

/** A printed figure: yields in percent, prices and interest per 100, durations in years. */
export type Figure = 'yield' | 'clean' | 'dirty' | 'accrued' | 'modified' | 'macaulay';

/**
 * Published figures of coupon bonds. `figures` names the last columns of the rows, each with the
 * difference that its printed precision allows; a row may leave out the last of them.
 */
export type CouponGroup = {
  source: string;
  frequency: Frequency;
  /** Other terms than coupons for the days of their periods. */
  terms?: PricingTerms;
  given: 'clean' | 'dirty' | 'yield';
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

/** Published yields of discount securities at a price, or prices at a yield, in percent. */
export type BillGroup = {
  source: string;
  /** A simple yield by ACT/365 by default. */
  terms?: PricingTerms;
  /** A price by default; of `discount`, the price follows from a bank discount rate. */
  given?: 'price' | 'yield' | 'discount';
  tolerance: number;
  rows: readonly (readonly [
    id: string,
    settlement: string,
    maturity: string,
    given: number,
    expected: number,
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
      ['psx-P03VRR211027-offer', '2026-04-09', '2027-10-21', 10.3115, 100.2, 10.1616],
      ['psx-P05FRR180929-offer', '2026-04-09', '2029-09-18', 13.845, 107.3627, 11.2003],
      ['psx-P03FRR300528-offer', '2026-04-09', '2028-05-30', 10.8498, 99.5039, 11.1005],
      ['psx-P03VRR090128-ldcp', '2026-04-09', '2028-01-09', 9.3867, 99.5, 9.6863],
      ['psx-P05FRR220131-offer', '2026-04-09', '2031-01-22', 9.87, 95.1388, 11.2004],
      ['psx-P05FRR090130-offer', '2026-04-09', '2030-01-09', 11.99, 102.3271, 11.1997],
      ['psx-P05FRR240129-offer', '2026-04-09', '2029-01-24', 15.49, 110.005, 11.1979],
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
      ['sbp-pib51-8', '2021-03-04', '2023-08-20', 7, 94.9853, 9.32],
      ['sbp-pib51-4', '2021-03-04', '2023-08-20', 7, 95.0481, 9.29],
      ['sbp-pib51-6', '2021-03-04', '2023-08-20', 7, 95.0062, 9.31],
      ['sbp-pib51-11', '2021-03-04', '2023-08-20', 7, 94.9436, 9.3399],
      ['sbp-pib51-9', '2021-03-04', '2023-08-20', 7, 94.9644, 9.33],
      ['sbp-pib51-3', '2021-03-04', '2023-08-20', 7, 95.0711, 9.279],
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
      ['sbp-pfl-2', '2020-08-13', '2023-06-18', 8.267, 100.4831, 8.067, 1.2649],
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
  {
    source: '31 CFR 356, appendix B: a 2-year note with a short first coupon, by simple interest',
    frequency: 2,
    terms: {
      issueDate: '1990-04-02',
      firstCouponDate: '1990-09-30',
      endOfMonth: true,
      firstPeriodYield: 'simple',
    },
    given: 'yield',
    figures: { clean: 1e-6 },
    rows: [['cfr356-B', '1990-04-02', '1992-03-31', 8.5, 8.59, 99.838183]],
  },
  {
    source: '31 CFR 356, appendix B: a 5-year note with a long first coupon, by simple interest',
    frequency: 2,
    terms: {
      issueDate: '1990-03-01',
      firstCouponDate: '1990-11-15',
      firstPeriodYield: 'simple',
    },
    given: 'yield',
    figures: { clean: 1e-6 },
    rows: [['cfr356-C', '1990-03-01', '1995-05-15', 8.5, 8.53, 99.805118]],
  },
  {
    source: 'UK Debt Management Office, price formulae, ex dividend (as held in rateslib)',
    frequency: 2,
    terms: { exDividendDays: 8 },
    given: 'yield',
    figures: { dirty: 1e-6 },
    rows: [['dmo-6.75pct2004-1999-05-18', '1999-05-18', '2004-11-26', 6.75, 4.634, 110.058738]],
  },
  {
    source: 'QuantLib, ex-dividend gilt GB0009997999, checked there against Bloomberg',
    frequency: 2,
    terms: { exDividendDays: 8 },
    given: 'clean',
    figures: { yield: 1e-6, modified: 1e-6, accrued: 1e-6 },
    rows: [
      [
        ...(['ql-gilt-ex-2013-05-30', '2013-05-30', '2021-06-07', 8, 103] as const),
        ...[7.496183543, 5.892816328, -0.1758242],
      ],
    ],
  },
  // Its accrued interest is rounded to three decimals, so that the dirty price is given.
  {
    source: 'QuantLib, Australian bond AU300TB01208, checked there against Bloomberg',
    frequency: 2,
    given: 'dirty',
    figures: { yield: 1e-6, modified: 1e-6, accrued: 0.0005 },
    rows: [['ql-agb-cum', '2014-08-07', '2017-02-15', 6, 105.867, 4.723814867, 2.262763296, 2.867]],
  },
  {
    source:
      'QuantLib, US agency bond 3130A0X70 settled on the 31st, checked there against Bloomberg',
    frequency: 2,
    terms: { dayCount: '30/360' },
    given: 'clean',
    figures: { yield: 0.01, macaulay: 0.001, accrued: 1e-6 },
    rows: [['ql-agency-30360', '2017-07-31', '2018-08-13', 1.5, 100, 1.5, 1.022, 0.7]],
  },
  {
    source: 'Bundesbank, federal bond DE0001102366 in its last period (as held in rateslib)',
    frequency: 1,
    terms: { lastPeriodYield: 'simple' },
    given: 'clean',
    figures: { yield: 1.1e-6, accrued: 1.1e-6 },
    rows: [['de-DE0001102366-last', '2024-06-12', '2024-08-15', 1, 99.555, 3.5314195, 0.825137]],
  },
  {
    source: 'rateslib, US corporate bond US06406RAH03',
    frequency: 2,
    terms: { dayCount: '30/360' },
    given: 'clean',
    figures: { yield: 1.1e-6, accrued: 1e-8 },
    rows: [['us-corp-2025-05-06', '2025-05-06', '2028-04-28', 3.85, 101, 3.493237, 0.08555556]],
  },
  {
    source: 'rateslib, Swiss government bond CH0127181169',
    frequency: 1,
    terms: { dayCount: '30/360' },
    given: 'yield',
    figures: { clean: 1e-6, accrued: 1e-6 },
    rows: [['ch-2025-05-23', '2025-05-23', '2042-04-30', 1.5, 2.01111, 92.724231, 0.095833333]],
  },
  {
    source: 'Norges Bank, bills settled on 2026-01-20 (as held in rateslib): compounded by ACT/365',
    frequency: 1,
    terms: { pricing: 'zero', dayCount: 'ACT/365' },
    given: 'clean',
    figures: { yield: 5.1e-5 },
    rows: [
      ['no-bill-2026-03-18', '2026-01-20', '2026-03-18', 0, 99.38775, 4.01095],
      ['no-bill-2026-09-16', '2026-01-20', '2026-09-16', 0, 97.4707, 3.99],
      ['no-bill-2026-12-16', '2026-01-20', '2026-12-16', 0, 96.5409, 3.9705],
    ],
  },
  // The price at the bank discount rate of 7.65 %. The investment rate beyond half a year.
  {
    source: '31 CFR 356, appendix B, VI: a 52-week bill at 7.65 %',
    frequency: 2,
    terms: { pricing: 'zero', firstPeriodYield: 'simple' },
    given: 'clean',
    figures: { yield: 0.001 },
    rows: [['us-bill-52w-investment-rate', '1990-06-07', '1991-06-06', 0, 92.265, 8.237]],
  },
  {
    source: 'Microsoft, example of PRICE, basis 0',
    frequency: 2,
    terms: { dayCount: '30/360' },
    given: 'yield',
    figures: { clean: 1e-7 },
    rows: [['xl-PRICE', '2008-02-15', '2017-11-15', 5.75, 6.5, 94.63436162]],
  },
  {
    source: 'Microsoft, example of YIELD, basis 0',
    frequency: 2,
    terms: { dayCount: '30/360' },
    given: 'clean',
    figures: { yield: 0.0001 },
    rows: [['xl-YIELD', '2008-02-15', '2016-11-15', 5.75, 95.04287, 6.5]],
  },
  {
    source: 'Microsoft, example of DURATION, basis 1',
    frequency: 2,
    given: 'yield',
    figures: { macaulay: 1e-6 },
    rows: [['xl-DURATION-2048', '2018-07-01', '2048-01-01', 8, 9, 10.9191453]],
  },
  {
    source: 'README of bond-calculator 0.1.9, basis 0',
    frequency: 2,
    terms: { dayCount: '30/360' },
    given: 'clean',
    figures: { yield: 1e-8 },
    rows: [['npm-bond-calculator', '2016-12-26', '2023-01-17', 2.625, 98, 2.98817753210426]],
  },
  {
    source: 'README of bond-calculator 0.1.9, basis 0, at a yield',
    frequency: 2,
    terms: { dayCount: '30/360' },
    given: 'yield',
    figures: { clean: 1e-9 },
    rows: [['npm-bond-calculator', '2016-12-26', '2023-01-17', 2.625, 2.5, 100.69785390232649]],
  },
  {
    source: 'Microsoft, example of ODDFPRICE, basis 1: a short first coupon',
    frequency: 2,
    terms: { issueDate: '2008-10-15', firstCouponDate: '2009-03-01' },
    given: 'yield',
    figures: { clean: 1e-4 },
    rows: [['xl-ODDFPRICE', '2008-11-11', '2021-03-01', 7.85, 6.25, 113.5977]],
  },
  {
    source: 'Microsoft, example of ODDFYIELD, basis 0: a short first coupon',
    frequency: 2,
    terms: { dayCount: '30/360', issueDate: '2008-10-15', firstCouponDate: '2009-03-01' },
    given: 'clean',
    figures: { yield: 1e-6 },
    rows: [['xl-ODDFYIELD', '2008-11-11', '2021-03-01', 5.75, 84.5, 7.7245542]],
  },
  {
    source: 'Microsoft, example of ODDLPRICE, basis 0: an odd last period, whose yield is simple',
    frequency: 2,
    terms: {
      dayCount: '30/360',
      accrual: 'equal',
      lastCouponDate: '2007-10-15',
      lastPeriodYield: 'simple',
    },
    given: 'yield',
    figures: { clean: 1e-5 },
    rows: [['xl-ODDLPRICE', '2008-02-07', '2008-06-15', 3.75, 4.05, 99.87829]],
  },
  {
    source: 'Microsoft, example of ODDLYIELD, basis 0: an odd last period, whose yield is simple',
    frequency: 2,
    terms: {
      dayCount: '30/360',
      accrual: 'equal',
      lastCouponDate: '2007-12-24',
      lastPeriodYield: 'simple',
    },
    given: 'clean',
    figures: { yield: 1e-4 },
    rows: [['xl-ODDLYIELD', '2008-04-20', '2008-06-15', 3.75, 99.875, 4.5192]],
  },
  {
    source: 'OpenOffice wiki, example of YIELD, basis 0',
    frequency: 2,
    terms: { dayCount: '30/360' },
    given: 'clean',
    figures: { yield: 0.06 },
    rows: [['ooo-YIELD', '2008-02-15', '2010-11-15', 5, 95, 7]],
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
      ['psx-P01GIS250327-ldcp', '2026-04-09', '2027-03-25', 89.7115, 11.96],
      ['psx-P01GIS290926-bid', '2026-04-09', '2026-09-29', 95.345, 10.3],
      ['psx-P01GIS200826-ldcp', '2026-04-09', '2026-08-20', 96.095, 11.15],
      ['psx-P01GIS080227-bid', '2026-04-09', '2027-02-08', 91.32, 11.37],
      ['psx-P01GIS210127-bid', '2026-04-09', '2027-01-21', 92.085, 10.93],
      ['psx-P01GIS290526-bid', '2026-04-09', '2026-05-29', 98.61, 10.29],
      ['psx-P01GIS080227-ltp', '2026-04-09', '2027-02-08', 91.32, 11.37],
      ['psx-P01GIS290526-ldcp', '2026-04-09', '2026-05-29', 98.585, 10.48],
      ['psx-P01GIS250626-ldcp', '2026-04-09', '2026-06-25', 97.765, 10.84],
      ['psx-P01GIS290926-ldcp', '2026-04-09', '2026-09-29', 95.325, 10.35],
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
      ['sbp-mtb574-1', '2020-09-10', '2020-12-03', 98.3879, 7.1197],
      ['sbp-mtb574-10', '2020-09-10', '2020-12-03', 98.3617, 7.2374],
      ['sbp-mtb574-12', '2020-09-10', '2020-12-03', 98.3968, 7.0798],
      ['sbp-mtb574-14', '2020-09-10', '2020-12-03', 98.3836, 7.139],
      ['sbp-mtb574-16', '2020-09-10', '2020-12-03', 98.3878, 7.1202],
      ['sbp-mtb574-7', '2020-09-10', '2020-12-03', 98.3815, 7.1485],
      ['sbp-mtb574-13', '2020-09-10', '2020-12-03', 98.3923, 7.1],
      ['sbp-mtb574-4', '2020-09-10', '2020-12-03', 98.3837, 7.1386],
      ['sbp-mtb574-3', '2020-09-10', '2020-12-03', 98.3847, 7.1341],
      ['sbp-mtb574-2', '2020-09-10', '2020-12-03', 98.3857, 7.1296],
    ],
  },
  {
    source: 'US Treasury, example of a bill at a discount rate (as held in rateslib)',
    terms: { pricing: 'bank-discount' },
    given: 'yield',
    tolerance: 1e-9,
    rows: [['us-bill-2004', '2004-01-22', '2004-02-19', 0.8, 99.93777777777778]],
  },
  {
    source: 'rateslib, Swedish bill: a simple yield by ACT/360',
    terms: { pricing: 'discount', dayCount: 'ACT/360' },
    given: 'yield',
    tolerance: 1e-6,
    rows: [['se-bill', '2023-03-15', '2024-03-20', 3.498, 96.520547]],
  },
  {
    source: 'Microsoft, example of TBILLEQ',
    given: 'discount',
    tolerance: 0.0001,
    rows: [['xl-TBILLEQ', '2008-03-31', '2008-06-01', 9.14, 9.4151]],
  },
  {
    source: 'Mescius, example of TBILLEQ',
    given: 'discount',
    tolerance: 1e-6,
    rows: [['mescius-TBILLEQ', '2003-03-31', '2003-06-01', 5.32, 5.4437659]],
  },
  {
    source: 'Microsoft, examples of TBILLPRICE and PRICEDISC (basis 2)',
    terms: { pricing: 'bank-discount' },
    given: 'yield',
    tolerance: 1e-5,
    rows: [
      ['xl-TBILLPRICE', '2008-03-31', '2008-06-01', 9, 98.45],
      ['xl-PRICEDISC', '2008-02-16', '2008-03-01', 5.25, 99.79583],
    ],
  },
  {
    source: 'Microsoft, examples of TBILLYIELD and YIELDDISC (basis 2): simple yields by ACT/360',
    terms: { pricing: 'discount', dayCount: 'ACT/360' },
    tolerance: 1e-4,
    rows: [
      ['xl-TBILLYIELD', '2008-03-31', '2008-06-01', 98.45, 9.1417],
      ['xl-YIELDDISC', '2008-02-16', '2008-03-01', 99.795, 5.2823],
    ],
  },
];
