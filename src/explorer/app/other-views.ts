// Views that are not part of the initial script, which are loaded when one of them is opened.

export { DatasetsView } from '../datasets/datasets-view.tsx';
export { FundsView } from '../funds/funds-view.tsx';
export { LedgerView } from '../ledger/ledger-view.tsx';
export { PortfolioView } from '../portfolio/portfolio-view.tsx';
export { SecurityView } from '../security/security-view.tsx';
