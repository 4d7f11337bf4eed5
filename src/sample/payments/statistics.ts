import type { AnyRecord, Dataset } from '../../catalogue/dataset.ts';
import * as series from '../../catalogue/series/index.ts';
import { agents, maleAccounts, marketShares } from './branchless.ts';
import * as payments from './payments.ts';
import { licensedPlayers } from './players.ts';
import { provisional } from './provisional.ts';

/** A series as it came to be known: to the spring of 2026, then to June, then put right. */
export interface Statistics {
  readonly dataset: Dataset;
  readonly history: readonly AnyRecord[];
  readonly news: readonly AnyRecord[];
  readonly revised: readonly AnyRecord[];
}

/** The ten series. */
export function sampleStatistics(): Statistics[] {
  const atmValue = payments.atmQuarterlyValue();
  const atmQuarter = atmValue.slice(-1);
  return [
    known(series.atmTransactionsAnnualVolume, payments.atmAnnualVolume()),
    known(series.onlineBankingAnnualVolume, payments.onlineAnnualVolume()),
    known(series.ivrBankingAnnualValue, payments.ivrAnnualValue()),
    known(series.paymentsMarketPlayers, licensedPlayers()),
    {
      ...known(series.atmTransactionsQuarterlyValue, atmValue, 1),
      news: atmQuarter.map(provisional),
      revised: atmQuarter,
    },
    known(series.posTransactionsQuarterlyVolume, payments.posQuarterlyVolume(), 1),
    known(series.settlementTransactionsValue, payments.settlementMonthlyValue(), 2),
    known(series.mobileMoneyAccountsMale, maleAccounts(), 2),
    known(series.branchlessBankingAgents, agents(), 2),
    known(series.mobileMoneyMarketShareValue, marketShares(), 2),
  ];
}

function known(dataset: Dataset, records: readonly AnyRecord[], later = 0): Statistics {
  const split = records.length - later;
  return { dataset, history: records.slice(0, split), news: records.slice(split), revised: [] };
}
