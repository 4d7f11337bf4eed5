import { describe, expect, test } from 'bun:test';
import { catalogue } from '../../src/catalogue/index.ts';
import type { AnyRecord, Dataset } from '../../src/catalogue/model/dataset.ts';
import { revertRevision } from '../../src/publish/revert-revision.ts';
import { useLoadWorkspace } from '../support/load-workspace.ts';
import { createStore } from '../support/store.ts';

const annualSeries = catalogue.filter(({ period }) => period?.kind.name === 'annual');

describe('labels of years', () => {
  const workspace = useLoadWorkspace(createStore);
  const write = ({ example, period }: Dataset, ...labels: string[]) => {
    const records = labels.map((label) => ({ ...example, [period?.field ?? '']: label }));
    return workspace.writeFile('a.json', JSON.stringify(records));
  };
  const load = (dataset: Dataset, ...labels: string[]) => {
    write(dataset, ...labels);
    return workspace.load(dataset, 'a.json');
  };
  const readLabels = async (dataset: Dataset) => {
    const records = await workspace.readRecords(dataset);
    return records.map((record: AnyRecord) => record[dataset.period?.field ?? '']);
  };

  test.each(annualSeries.map((dataset) => [dataset.name, dataset] as const))(
    '%s rejects a label of another kind in the place of a record, naming both, unless relabelled',
    async (_, dataset) => {
      const field = dataset.period?.field;
      await load(dataset, '2023', '2024');
      for (const label of ['FY24', 'FY2024', '2023-24', '2023-2024']) {
        write(dataset, '2023', label);
        for (const replace of [false, true])
          expect(await workspace.loadProblems(dataset, 'a.json', { replace })).toEqual([
            `a.json record 2 (line 1), ${field}: "${label}" must be a label of the same kind as "2024", the record that it would replace; --relabel replaces it`,
          ]);
      }
      const { counts } = await workspace.load(dataset, 'a.json', { canRelabel: true });
      expect(counts).toEqual({ added: 0, corrected: 1, retired: 0, unchanged: 1 });
      expect(await readLabels(dataset)).toEqual(['2023-2024', '2023']);
    },
  );

  const [series] = annualSeries as [Dataset];

  test('a label of the same kind corrects another, and an empty place takes any', async () => {
    await load(series, 'FY24');
    expect((await load(series, 'FY2024')).counts).toMatchObject({ corrected: 1 });
    await load(series, '2023', '2024-25');
    expect(await readLabels(series)).toEqual(['2024-25', 'FY2024', '2023']);
  });

  test('one file cannot hold two labels of a place, of the same kind or not, even relabelled', async () => {
    write(series, '2024', 'FY24', '2024');
    expect(await workspace.loadProblems(series, 'a.json', { canRelabel: true })).toEqual([
      'a.json record 2 (line 1), year: "FY24" must be given once; a.json record 1 (line 1) has "2024" in its place',
      'a.json record 3 (line 1), year: "2024" must be given once; a.json record 1 (line 1) has the same',
    ]);
  });

  test('a dry run rejects as well, and a revert takes a relabelling back', async () => {
    await load(series, '2024');
    write(series, 'FY24');
    expect(await workspace.loadProblems(series, 'a.json', { isDryRun: true })).toHaveLength(1);
    const { revision } = await workspace.load(series, 'a.json', { canRelabel: true });
    const publisher = workspace.store.publisher();
    await revertRevision(publisher, catalogue, {
      revision: revision?.revision ?? 0,
      author: 'test',
    });
    publisher.close();
    expect(await readLabels(series)).toEqual(['2024']);
  });
});
