export const VIEWS = ['market', 'security', 'funds', 'payments', 'ledger'] as const;
export type ViewName = (typeof VIEWS)[number];
