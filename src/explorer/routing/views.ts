export const VIEWS = ['market', 'security', 'portfolio', 'funds', 'payments', 'ledger'] as const;
export type ViewName = (typeof VIEWS)[number];
