import { createDeclaredDataset } from '../../src/catalogue/model/create-dataset.ts';
import type { Declaration } from '../../src/catalogue/model/declaration.ts';
import { createPeriodKind } from '../../src/catalogue/model/period.ts';
import { declareIn } from './declared-rates.ts';
import { createFilledStore, type TestStore } from './store.ts';

/** Datasets of the publisher whose years begin in each month: `quarters-7`, `years-7`. */
const DECLARATIONS = Array.from({ length: 12 }, (_, index) => index + 1).flatMap((yearStart) =>
  (['quarter', 'year'] as const).map(
    (kind): Declaration => ({
      name: `${kind}s-${yearStart}`,
      title: `By ${kind} from month ${yearStart}`,
      period: { kind, field: kind, yearStart },
      measures: [{ field: 'total', title: 'Total', unit: 'tonnes', kind: 'flow' }],
    }),
  ),
);

/** A store that has them, each with a last quarter or year of 2024 that was corrected, and the one after it. */
export async function createFiscalStore(): Promise<TestStore> {
  const store = await createFilledStore();
  await declareIn(store, ...DECLARATIONS);
  for (const declaration of DECLARATIONS) {
    const { kind, field, yearStart = 1 } = declaration.period;
    const { findOrdinal, formatLabel, getFirstDay } = createPeriodKind(kind, yearStart);
    const year = createPeriodKind('year', yearStart);
    const first = findOrdinal(getFirstDay(findOrdinal(year.getFirstDay(2025))) - 1);
    const label = formatLabel(first);
    const dataset = createDeclaredDataset(declaration);
    await store.publish(dataset, [
      { [field]: label, total: 1 },
      { [field]: formatLabel(first + 1), total: 0 },
    ]);
    await store.publish(dataset, [{ [field]: label, total: -2 }]);
  }
  return store;
}
