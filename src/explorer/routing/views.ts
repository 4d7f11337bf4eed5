export const VIEWS = ['market', 'security', 'funds', 'payments', 'ledger'] as const;
export type View = (typeof VIEWS)[number];
