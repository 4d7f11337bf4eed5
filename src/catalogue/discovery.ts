import type { Dataset, RecordIn } from './dataset.ts';
import { declaredEntry, declaredSchemas } from './entry.ts';
import type { JsonSchema, RecordOf } from './field.ts';
import { day, objectSchema } from './field.ts';
import { fundAllocation } from './fund-allocation.ts';
import { list, object, orNull, whole, words } from './json-schema.ts';
import type { Operation } from './operation.ts';
import { quotes } from './quotes.ts';
import { revisionFields } from './revisions.ts';

const common = { tag: 'discovery', past: true, segments: {}, parameters: {} } as const;

/** What there is: every dataset with its meaning, how far it reaches and how fresh it is. */
export const catalogueList = (catalogue: readonly Dataset[]) =>
  ({
    ...common,
    name: 'catalogue',
    title: 'Catalogue',
    meaning:
      'Every dataset that the token opens: what it holds, what its fields mean and are measured in, what to know of them, what should add up, how it is drawn and asked for, how far it reaches, and what was published last.',
    path: '/catalogue',
    data: { type: 'array', items: object(entrySchemas) },
    example: exampleIn(catalogue),
  }) satisfies Operation;

/** Every security that there are quotes of. */
export const securityList = {
  ...common,
  name: 'securities',
  title: 'Securities',
  meaning:
    'Every security ever quoted, matured ones included, by symbol. ISIN, type and maturity are those of its newest quote.',
  path: '/2.0/bnb/securities',
  scope: quotes.scope,
  table: true,
  data: { type: 'array', items: objectSchema(securityFields()) },
  example: [
    {
      symbol: quotes.example.symbol,
      isin: quotes.example.isin,
      type: quotes.example.type,
      maturityDate: quotes.example.maturityDate,
      firstDate: '2025-12-04',
      lastDate: quotes.example.date,
    } satisfies Security,
  ],
} as const satisfies Operation;

/** Every fund. */
export const fundList = {
  ...common,
  name: 'funds',
  title: 'Funds',
  meaning: 'Every fund, by identifier, with its first and last reporting period.',
  path: '/3.0/funds',
  scope: fundAllocation.scope,
  table: true,
  data: { type: 'array', items: fundSchema() },
  example: [
    {
      fund_id: fundAllocation.example.fund_id,
      frequency: fundAllocation.example.frequency,
      firstPeriod: { label: 'Jul 2023', date: '2023-07-31' },
      lastPeriod: { label: 'Jun 2026', date: '2026-06-30' },
    } satisfies Fund,
  ],
} as const satisfies Operation;

export type Security = RecordOf<ReturnType<typeof securityFields>>;

/** A fund with its outermost periods; null where it has none. */
export interface Fund extends Pick<RecordIn<typeof fundAllocation>, 'fund_id' | 'frequency'> {
  readonly firstPeriod: FundPeriod | null;
  readonly lastPeriod: FundPeriod | null;
}

type FundPeriod = RecordIn<typeof fundAllocation>['periods'][number];

function securityFields() {
  const { symbol, isin, type, maturityDate } = quotes.fields;
  return {
    symbol,
    isin,
    type,
    maturityDate,
    firstDate: day('First date that it was quoted on'),
    lastDate: day('Last date that it was quoted on'),
  };
}

function fundSchema(): JsonSchema {
  const { fund_id, frequency, periods } = fundAllocation.fields;
  const period = (which: string) =>
    orNull(objectSchema(periods.of ?? {}), `${which} reporting period; null where it has none`);
  const schemas: Record<keyof Fund, JsonSchema> = {
    fund_id: { ...fund_id.schema, description: fund_id.meaning },
    frequency: { ...frequency.schema, description: frequency.meaning },
    firstPeriod: period('First'),
    lastPeriod: period('Last'),
  };
  return object(schemas);
}

const { revision, publishedAt, source, sample } = revisionFields;

const entrySchemas: Readonly<Record<string, JsonSchema>> = {
  ...declaredSchemas,
  key: list('The fields that tell its records apart', words('Name of a field')),
  coverage: object({
    first: orNull(words(''), 'First date or period that it holds; null where it is empty'),
    last: orNull(words(''), 'Last date or period that it holds; null where it is empty'),
    count: whole('How many records it holds; of funds, how many funds'),
  }),
  lastRevision: orNull(
    object({ revision, publishedAt, source, sample }),
    'The last revision that changed it; null where there was none',
  ),
};

/** A series, because it is short. */
function exampleIn(catalogue: readonly Dataset[]): readonly object[] {
  return catalogue
    .flatMap((dataset) => {
      const { period, example } = dataset;
      if (!period) return [];
      const last = String(example[period.field]);
      return {
        ...declaredEntry(dataset),
        key: [period.field],
        coverage: { first: '2016', last, count: 10 },
        lastRevision: {
          revision: 9,
          publishedAt: '2026-07-14T09:00:00.000Z',
          source: 'payments-2026.xlsx',
          sample: false,
        },
      };
    })
    .slice(0, 1);
}
