import * as series from '../../catalogue/datasets/series/index.ts';
import type { AnyRecord, Dataset } from '../../catalogue/model/dataset.ts';
import { generateAgents, generateMaleAccounts, generateMarketShares } from './branchless-series.ts';
import { generateLicensedPlayers } from './licensed-players.ts';
import { toProvisional } from './provisional.ts';
import * as payments from './transaction-series.ts';

/** A series as it came to be known: to the spring of 2026, then to June, then put right. */
export interface SeriesReleases {
  readonly dataset: Dataset;
  readonly history: readonly AnyRecord[];
  readonly update: readonly AnyRecord[];
  readonly correction: readonly AnyRecord[];
}

/** The ten series. */
export function generateSeriesReleases(): SeriesReleases[] {
  const atmValue = payments.generateAtmQuarterlyValue();
  const atmQuarter = atmValue.slice(-1);
  return [
    splitReleases(series.atmTransactionsAnnualVolume, payments.generateAtmAnnualVolume()),
    splitReleases(series.onlineBankingAnnualVolume, payments.generateOnlineAnnualVolume()),
    splitReleases(series.ivrBankingAnnualValue, payments.generateIvrAnnualValue()),
    splitReleases(series.paymentsMarketPlayers, generateLicensedPlayers()),
    {
      ...splitReleases(series.atmTransactionsQuarterlyValue, atmValue, 1),
      update: atmQuarter.map(toProvisional),
      correction: atmQuarter,
    },
    splitReleases(series.posTransactionsQuarterlyVolume, payments.generatePosQuarterlyVolume(), 1),
    splitReleases(series.settlementTransactionsValue, payments.generateSettlementMonthlyValue(), 2),
    splitReleases(series.mobileMoneyAccountsMale, generateMaleAccounts(), 2),
    splitReleases(series.branchlessBankingAgents, generateAgents(), 2),
    splitReleases(series.mobileMoneyMarketShareValue, generateMarketShares(), 2),
  ];
}

function splitReleases(dataset: Dataset, records: readonly AnyRecord[], later = 0): SeriesReleases {
  const split = records.length - later;
  return {
    dataset,
    history: records.slice(0, split),
    update: records.slice(split),
    correction: [],
  };
}
