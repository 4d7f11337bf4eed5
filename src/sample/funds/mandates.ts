import type { DriftingShare } from '../drifting-shares.ts';

/** The asset classes of a fund, by the labels of its rows. */
export type Mandate = Readonly<Record<string, DriftingShare>>;

const OTHERS_LABEL = 'Others including receivables';

/** The kinds of funds. Rates fall over the sample's years, so money leaves the banks. */
export const MANDATES = {
  moneyMarket: {
    Cash: defineShare(34, 16, 0.3),
    'Treasury Bills': defineShare(58, 72, 0.12),
    'Placements with Banks': defineShare(6, 9, 0.4),
    [OTHERS_LABEL]: defineShare(2, 3, 0.35),
  },
  income: {
    Cash: defineShare(38, 21, 0.25),
    'Treasury Bills': defineShare(24, 17, 0.35),
    'Government Bonds': defineShare(14, 38, 0.2),
    'Corporate Bonds': defineShare(16, 19, 0.08),
    'Margin Trading': defineShare(5, 2, 0.4),
    [OTHERS_LABEL]: defineShare(3, 3, 0.35),
  },
  government: {
    Cash: defineShare(12, 7, 0.35),
    'Treasury Bills': defineShare(66, 31, 0.2),
    'Government Bonds': defineShare(20, 60, 0.15),
    [OTHERS_LABEL]: defineShare(2, 2, 0.4),
  },
  // Bills pay interest: Islamic funds hold sukuk instead.
  islamicIncome: {
    Cash: defineShare(46, 27, 0.2),
    'Government Sukuk': defineShare(27, 48, 0.15),
    'Corporate Sukuk': defineShare(17, 15, 0.08),
    'Placements with Islamic Banks': defineShare(7, 7, 0.45),
    [OTHERS_LABEL]: defineShare(3, 3, 0.35),
  },
  equity: {
    Equities: defineShare(91, 96, 0.03),
    Cash: defineShare(5.5, 2.5, 0.4),
    'Treasury Bills': defineShare(2, 0.3, 0.5),
    [OTHERS_LABEL]: defineShare(1.5, 1.2, 0.4),
  },
  balanced: {
    Equities: defineShare(43, 58, 0.1),
    'Government Bonds': defineShare(9, 16, 0.2),
    'Treasury Bills': defineShare(22, 8, 0.3),
    'Corporate Bonds': defineShare(8, 7, 0.1),
    Cash: defineShare(16, 9, 0.3),
    [OTHERS_LABEL]: defineShare(2, 2, 0.35),
  },
  pensionDebt: {
    Cash: defineShare(14, 6, 0.35),
    'Treasury Bills': defineShare(52, 28, 0.2),
    'Government Bonds': defineShare(24, 54, 0.15),
    'Government Sukuk': defineShare(2, 6, 0.25),
    'Corporate Bonds': defineShare(4, 3, 0.12),
    'Commercial Paper': defineShare(2, 1, 0.5),
    [OTHERS_LABEL]: defineShare(2, 2, 0.35),
  },
} satisfies Record<string, Mandate>;

function defineShare(from: number, to: number, volatility: number): DriftingShare {
  return { from, to, volatility };
}
