import { expect, test } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { createDeclaredDataset } from '../../src/catalogue/model/create-dataset.ts';
import type { Dataset } from '../../src/catalogue/model/dataset.ts';
import type { DataOrigin } from '../../src/store/open-store.ts';
import { buildDataPackage } from '../../src/tabular/data-package.ts';
import { KIBOR } from '../support/declared-rates.ts';

const loaded = (source: string, options: Readonly<Record<string, unknown>> = {}): DataOrigin => ({
  source,
  sample: false,
  options: { options },
});
const SAMPLE: DataOrigin = { source: 'made-up sample', sample: true, options: {} };
const MIT = { name: 'MIT', path: 'https://opensource.org/license/mit', title: 'MIT License' };

/** The only resource of a package, whose data came from there, newest first. */
const describeOrigins = (...origins: readonly DataOrigin[]) => describeDataset(quotes, origins);

function describeDataset(dataset: Dataset, origins: readonly DataOrigin[]) {
  const described = { dataset: dataset.name, lastRevision: null, columns: [], origins };
  const { resources } = buildDataPackage({
    catalogue: [dataset],
    exports: [described],
    revision: 3,
    asOf: undefined,
  });
  const [{ licenses, sources, description } = { description: '' }] = resources;
  return { licenses, titles: sources?.map(({ title }) => title), description };
}

test('sample data has the licence of the project, and is said to be made up', () => {
  const { licenses, titles, description } = describeOrigins(SAMPLE);
  expect(licenses).toEqual([MIT]);
  expect(titles).toEqual(['made-up sample']);
  expect(description).toContain('No security, fund or figure here is real.');
});

test('a licence is named by its identifier or its URL, once, if every load states one', () => {
  const url = 'https://example.com/terms';
  const { licenses, description } = describeOrigins(
    loaded('c.csv', { licence: url }),
    loaded('b.csv', { licence: 'CC-BY-4.0' }),
    loaded('a.csv', { licence: 'CC-BY-4.0' }),
  );
  expect(licenses).toEqual([{ path: url }, { name: 'CC-BY-4.0' }]);
  expect(description).not.toContain('made up');
  const partly = [loaded('b.csv'), loaded('a.csv', { licence: url })];
  expect(describeOrigins(...partly).licenses).toBeUndefined();
});

test('data that was loaded beside the sample is partly made up, but not what replaced it', () => {
  const beside = describeOrigins(loaded('b.csv', { licence: 'CC0-1.0' }), SAMPLE);
  expect(beside.licenses).toEqual([{ name: 'CC0-1.0' }, MIT]);
  expect(beside.description).toContain('Some of this may be made up');
  const replaced = describeOrigins(loaded('c.csv'), loaded('b.csv', { replace: true }), SAMPLE);
  expect(replaced).toMatchObject({ licenses: undefined, titles: ['c.csv', 'b.csv'] });
  expect(replaced.description).not.toContain('made up');
});

test('data that came from many files names the newest ten, after the source of its declaration', () => {
  const origins = Array.from({ length: 30 }, (_, index) => loaded(`${30 - index}.csv`));
  const newest = ['30', '29', '28', '27', '26', '25', '24', '23', '22', '21'].map(
    (name) => `${name}.csv`,
  );
  expect(describeOrigins(...origins).titles).toEqual(newest);
  const declared = createDeclaredDataset({ ...KIBOR, source: 'A bank' });
  expect(describeDataset(declared, origins).titles).toEqual(['A bank', ...newest]);
});
