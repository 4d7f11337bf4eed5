export type Figures = Record<string, number> & { period: string; year: string };

export const POS = 'pos-transactions-quarterly-volume';
export const POS_PARTS = [
  'atm',
  'debit_cards',
  'credit_cards',
  'prepaid_cards',
  'socialwelfare_card',
];

/** The query string of a series in the explorer. */
export function toQuery(series: string, rest = ''): string {
  return `view=payments&series=${series}${rest}`;
}

/** A figure as the page writes changes, without its unit. */
export function formatSigned(value: number): string {
  const text = Math.abs(value).toFixed(1);
  return Number(text) === 0 ? text : `${value < 0 ? '−' : '+'}${text}`;
}

/** The change of one figure on another, as the page writes it. */
export function formatChange(later = Number.NaN, earlier = Number.NaN): string {
  return `${formatSigned((later / earlier - 1) * 100)} %`;
}

/** A series that nobody has declared, with a chart that nobody has thought of. */
export function buildChequesDataset(path: string) {
  const field = (name: string, meaning: string, kind: string, unit: string | null) => {
    return { name, kind, meaning, unit, decimals: null, values: null, fields: null, codes: null };
  };
  return {
    name: 'cheques',
    title: 'Cheques',
    meaning: 'Cheques that were cleared.',
    notes: ['Cheques may bounce.'],
    path,
    aliases: [],
    scope: 'alternate',
    shape: 'series',
    period: { field: 'month', kind: 'monthly' },
    key: ['month'],
    parameters: [],
    fields: [
      field('month', 'Month', 'period', null),
      field('cleared', 'Cleared', 'amount', 'million'),
      field('fee', 'Fee', 'amount', 'PKR'),
    ],
    chart: { kind: 'fireworks', fields: ['cleared'], total: null },
    checks: [],
    exports: [],
    coverage: { first: null, last: null, count: 4 },
    lastRevision: null,
    nextDue: null,
  };
}
