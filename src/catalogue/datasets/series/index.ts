/** The series in alphabetical order; a new one is a file and a line here. */
export { atmTransactionsAnnualVolume } from './atm-transactions-annual-volume.ts';
export { atmTransactionsQuarterlyValue } from './atm-transactions-quarterly-value.ts';
export { branchlessBankingAgents } from './branchless-banking-agents.ts';
export { ivrBankingAnnualValue } from './ivr-banking-annual-value.ts';
export { mobileMoneyAccountsMale } from './mobile-money-accounts-male.ts';
export { mobileMoneyMarketShareValue } from './mobile-money-market-share-value.ts';
export { onlineBankingAnnualVolume } from './online-banking-annual-volume.ts';
export { paymentsMarketPlayers } from './payments-market-players.ts';
export { posTransactionsQuarterlyVolume } from './pos-transactions-quarterly-volume.ts';
export { settlementTransactionsValue } from './settlement-transactions-value.ts';
