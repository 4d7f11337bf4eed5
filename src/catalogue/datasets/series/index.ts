/**
 * The series in alphabetical order; a new one needs a file and a line here. Their schedules: the State Bank's
 * Payment Systems Reviews came 59 (Q3 FY23), 73 (Q2 FY24), 81 (Q1 FY25) and 87 days (Q2 FY25) after the end
 * of the quarter, and that of FY25 after 126 days, on 3 November 2025. For months no calendar was found: like
 * central banks' bulletins, they are due in the middle of the second month after.
 */
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
