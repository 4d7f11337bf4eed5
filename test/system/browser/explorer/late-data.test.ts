import { expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { fundAllocation } from '../../../../src/catalogue/datasets/fund-allocation.ts';
import { quotes } from '../../../../src/catalogue/datasets/quotes.ts';
import { settlementTransactionsValue as settlement } from '../../../../src/catalogue/datasets/series/index.ts';
import { findNextDue } from '../../../../src/catalogue/model/next-due.ts';
import { formatDayLabel } from '../../../../src/explorer/formatting/dates.ts';
import { DAY_MS, formatDay, parseDay } from '../../../../src/shared/calendar.ts';
import { describeInBrowser } from '../../../support/browser.ts';
import { expectUsable, openExplorer, waitUntilLoaded } from '../../../support/explorer.ts';
import { publishAt } from '../../../support/publish-at.ts';
import { quote } from '../../../support/quote-fixture.ts';
import { createStore } from '../../../support/store.ts';
import { useTestServer } from '../../../support/use-test-server.ts';

const TODAY = Math.floor(Date.now() / DAY_MS);
/** Days that are so long ago that their successor is late, and so recent that it is not due. */
const [OLD_DAY, RECENT_DAY] = [formatDay(TODAY - 20), formatDay(TODAY)];
const EARLIER_DAY = formatDay(TODAY - 27);

const readNotes = async (page: Page) => {
  await waitUntilLoaded(page);
  return page.locator('.late-note').allTextContents();
};

describeInBrowser('late data in the explorer', () => {
  const service = useTestServer(async () => {
    const store = await createStore();
    const funds = { records: [fundAllocation.example], sample: true };
    await publishAt(store, Date.now(), fundAllocation, funds);
    await store.publish(quotes, [quote({ date: EARLIER_DAY }), quote({ date: OLD_DAY })]);
    await store.publish(settlement, [{ ...settlement.example, period: 'Dec 2023' }]);
    return store;
  });

  test('is named beside the newest date, with the day since when it is due', async () => {
    const page = await openExplorer(service);
    const lastRevision = { sample: false };
    const nextDue = findNextDue({ dataset: quotes, last: OLD_DAY, lastRevision });
    const dueDay = nextDue?.dueAt.slice(0, 10) ?? '';
    expect(await readNotes(page)).toEqual([
      `The figures of ${formatDayLabel(nextDue?.period ?? '')} were due on ${formatDayLabel(dueDay)}: they are ${TODAY - parseDay(dueDay)} days late.`,
    ]);
    await expectUsable(page);
  });

  test('is named on the card and the page of a series', async () => {
    const pattern =
      /^The figures of Jan 2024 were due on 17 Mar 2024: they are [\d,]+ days late\.$/;
    for (const query of ['view=payments', `view=payments&series=${settlement.name}`]) {
      const page = await openExplorer(service, query);
      expect(await readNotes(page)).toEqual([expect.stringMatching(pattern)]);
    }
  });

  test('is not named on another day, as of an instant, or in a view with sample data', async () => {
    const queries = [`date=${EARLIER_DAY}`, `asof=${new Date().toISOString()}`, 'view=funds'];
    const pages = await Promise.all(queries.map((query) => openExplorer(service, query)));
    expect(await Promise.all(pages.map(readNotes))).toEqual([[], [], []]);
  });

  test('disappears when newer data is published', async () => {
    const page = await openExplorer(service);
    await page.locator('.late-note').waitFor();
    await service.store.publish(quotes, [quote({ date: RECENT_DAY })]);
    await page.getByRole('heading', { name: `Market, ${formatDayLabel(RECENT_DAY)}` }).waitFor();
    expect(await readNotes(page)).toEqual([]);
  });
});
