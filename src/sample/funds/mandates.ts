import type { Part } from '../drift.ts';

/** What a fund may hold, by the labels of its rows. */
export type Mandate = Readonly<Record<string, Part>>;

const OTHERS = 'Others including receivables';

/** The kinds of fund in the sample. Rates fall over its years: money leaves the banks. */
export const mandates = {
  moneyMarket: {
    Cash: part(34, 16, 0.3),
    'Treasury Bills': part(58, 72, 0.12),
    'Placements with Banks': part(6, 9, 0.4),
    [OTHERS]: part(2, 3, 0.35),
  },
  income: {
    Cash: part(38, 21, 0.25),
    'Treasury Bills': part(24, 17, 0.35),
    'Government Bonds': part(14, 38, 0.2),
    'Corporate Bonds': part(16, 19, 0.08),
    'Margin Trading': part(5, 2, 0.4),
    [OTHERS]: part(3, 3, 0.35),
  },
  government: {
    Cash: part(12, 7, 0.35),
    'Treasury Bills': part(66, 31, 0.2),
    'Government Bonds': part(20, 60, 0.15),
    [OTHERS]: part(2, 2, 0.4),
  },
  // Bills pay interest: Islamic funds hold sukuk in their place.
  islamicIncome: {
    Cash: part(46, 27, 0.2),
    'Government Sukuk': part(27, 48, 0.15),
    'Corporate Sukuk': part(17, 15, 0.08),
    'Placements with Islamic Banks': part(7, 7, 0.45),
    [OTHERS]: part(3, 3, 0.35),
  },
  equity: {
    Equities: part(91, 96, 0.03),
    Cash: part(5.5, 2.5, 0.4),
    'Treasury Bills': part(2, 0.3, 0.5),
    [OTHERS]: part(1.5, 1.2, 0.4),
  },
  balanced: {
    Equities: part(43, 58, 0.1),
    'Government Bonds': part(9, 16, 0.2),
    'Treasury Bills': part(22, 8, 0.3),
    'Corporate Bonds': part(8, 7, 0.1),
    Cash: part(16, 9, 0.3),
    [OTHERS]: part(2, 2, 0.35),
  },
  pensionDebt: {
    Cash: part(14, 6, 0.35),
    'Treasury Bills': part(52, 28, 0.2),
    'Government Bonds': part(24, 54, 0.15),
    'Government Sukuk': part(2, 6, 0.25),
    'Corporate Bonds': part(4, 3, 0.12),
    'Commercial Paper': part(2, 1, 0.5),
    [OTHERS]: part(2, 2, 0.35),
  },
} satisfies Record<string, Mandate>;

function part(from: number, to: number, unrest: number): Part {
  return { from, to, unrest };
}
