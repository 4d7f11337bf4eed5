import { expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { createDeclaredDataset } from '../../../../src/catalogue/model/create-dataset.ts';
import type { Declaration } from '../../../../src/catalogue/model/declaration.ts';
import { describeInBrowser } from '../../../support/browser.ts';
import { declareIn } from '../../../support/declared-rates.ts';
import { openExplorer, useSampleServer, waitUntilLoaded } from '../../../support/explorer.ts';
import { downloadFile, findPanel } from './page-helpers.ts';

const OUTPUT: Declaration = {
  name: 'output',
  title: 'Output <b>of</b> all',
  period: { kind: 'year', field: 'year' },
  measures: [{ field: 'total', title: 'Total', unit: 'tonnes', kind: 'flow' }],
};
const AGENTS = 'branchless-banking-agents';

describeInBrowser('figures of one dataset beside others of the sample', () => {
  const service = useSampleServer(async (store) => {
    await declareIn(store, OUTPUT);
    const output = createDeclaredDataset(OUTPUT);
    await store.publish(output, [{ year: '2024', total: 10 }]);
    await store.publish(output, [{ year: '2025', total: 0 }]);
  });

  const readNotice = (page: Page) => page.locator('.notice.sample').allInnerTexts();
  const cite = async (page: Page, title: string) => {
    const panel = findPanel(page, title);
    await panel.getByRole('button', { name: 'Share', exact: true }).click();
    await panel.getByRole('button', { name: 'Copy citation' }).click();
    await panel.getByText('Copied the citation').waitFor();
    return page.evaluate<string>('navigator.clipboard.readText()');
  };

  test.each([
    ['output', 31, false],
    [AGENTS, 23, true],
  ])(
    'of %s are cited by their revision %d, and are said to be made up: %p',
    async (series, revision, isSample) => {
      const page = await openExplorer(service, `view=payments&series=${series}`, {
        permissions: ['clipboard-read', 'clipboard-write'],
      });
      await waitUntilLoaded(page);
      expect(await readNotice(page)).toEqual(
        isSample ? ['Sample data. Everything here is made up.'] : [],
      );
      const { host } = new URL(service.address);
      const source = `Tenor, ${host}, revision ${revision}${isSample ? '; sample data, made up' : ''}`;
      const printed = await page.locator('.print-source').textContent();
      expect(printed).toStartWith(`${source}http`);
      const [title = ''] = await page
        .locator('section.panel:has(svg) h2')
        .evaluateAll((all) => all.map((each) => each.textContent ?? ''));
      const { lastRevision } = (await service.getJson('/catalogue?limit=100')).data.find(
        ({ name }: { name: string }) => name === series,
      );
      expect(lastRevision.revision).toBe(revision);
      const published = lastRevision.publishedAt.slice(0, 10);
      expect(await cite(page, title)).toContain(`, revision ${revision}, published ${published}. `);
      const picture = (await downloadFile(page, findPanel(page, title), 'SVG')).bytes.toString();
      expect(picture).toContain(`revision ${revision}`);
      expect(picture.includes('sample data')).toBe(isSample);
    },
  );

  test('are of the dataset as of an instant too, before and after its later revision', async () => {
    const { data } = await service.getJson('/revisions?dataset=output');
    for (const { revision, publishedAt } of data) {
      const query = `view=payments&series=output&asof=${publishedAt}`;
      const page = await openExplorer(service, query);
      await waitUntilLoaded(page);
      const printed = await page.locator('.print-source').textContent();
      expect(printed).toContain(`revision ${revision}; as of ${publishedAt}http`);
      expect(await readNotice(page)).toEqual([]);
    }
    const all = await openExplorer(service, 'view=payments');
    await waitUntilLoaded(all);
    expect(await readNotice(all)).toEqual([
      'Sample data. Some of this may be made up: see the ledger.',
    ]);
  });
});
