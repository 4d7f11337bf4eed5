import { beforeAll, expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { couponRates } from '../../../../src/catalogue/datasets/coupon-rates.ts';
import { datasets } from '../../../../src/catalogue/datasets/datasets.ts';
import { fundAllocation } from '../../../../src/catalogue/datasets/fund-allocation.ts';
import { holidays } from '../../../../src/catalogue/datasets/holidays.ts';
import { quotes } from '../../../../src/catalogue/datasets/quotes.ts';
import { securities } from '../../../../src/catalogue/datasets/securities.ts';
import type { RevisionEntry } from '../../../../src/explorer/api/types.ts';
import { retireRecords } from '../../../../src/publish/retire-records.ts';
import { issueToken } from '../../../../src/tokens/issue-token.ts';
import { allowErrors, describeInBrowser, openPage } from '../../../support/browser.ts';
import {
  expectUsable,
  openExplorer,
  useSampleServer,
  waitUntilLoaded,
} from '../../../support/explorer.ts';
import { quote } from '../../../support/quote-fixture.ts';
import { TOKEN } from '../../../support/test-server.ts';
import { hashText, loadContent } from './load-fixture.ts';

const WARNED = [
  'date,symbol,isin,type,maturityDate,bidPrice,askPrice,lastPrice,bidVolume,askVolume,volume,ytm,duration',
  '2026-07-01,WARNED,XX,bond,2032-10-21,120.5,119.3,100,0,0,0,9,4',
].join('\n');

describeInBrowser('the ledger view', () => {
  const service = useSampleServer();
  let all: readonly RevisionEntry[];
  let quotesOnly: string;
  /** The numbers of what was loaded from a file, and of what was retired then. */
  let [warned, retired] = [0, 0];
  beforeAll(async () => {
    for (let day = 1; day <= 30; day++) {
      const date = `2026-07-${String(day).padStart(2, '0')}`;
      await service.store.publish(quotes, [quote({ date, symbol: 'PAGED' })]);
    }
    warned = await loadContent(service.store, quotes, 'july.csv', WARNED);
    const publisher = service.store.publisher();
    const keys = ['2026-07-30/PAGED'];
    ({ revision: retired } = await retireRecords(publisher, {
      dataset: quotes,
      keys,
      author: 'ann',
    }));
    publisher.close();
    const tokens = service.store.tokens();
    const terms = { name: 'few', scopes: ['quotes'], rate: null, expiresAt: null };
    quotesOnly = (await issueToken(tokens, terms)).secret;
    tokens.close();
    all = (await service.getJson('/revisions?limit=1000')).data;
  });

  const dataOf = async (target: string) => (await service.getJson(target)).data;

  test('lists every revision, newest first, with the values of the API', async () => {
    const page = await openExplorer(service, 'view=ledger');
    expect(await readRows(page)).toEqual(all.map(buildRow));
    await page.getByText(`Revisions ${all.length} to 1: ${all.length} in all`).waitFor();
    // As an earlier version of the page left it in the history of the tab.
    await page.evaluate("history.replaceState({ scrollY: 40 }, '')");
    await page.reload();
    expect(await readRows(page)).toHaveLength(all.length);
    expect(await page.evaluate<number>('scrollY')).toBe(0);
  });

  test('filters by dataset and by kind of change, and keeps both in the URL', async () => {
    const page = await openExplorer(service, 'view=ledger');
    await page.getByLabel('Dataset').selectOption(fundAllocation.title);
    await page.getByText('Revisions 18 to 13').waitFor();
    expect(await readRows(page)).toEqual(
      all.filter(({ dataset }) => dataset === 'fund-allocation').map(buildRow),
    );
    // Each fund got a month, and none of its earlier figures was changed.
    await page.getByRole('button', { name: 'Corrections and retirements' }).click();
    await page.getByText('No revision matches these filters').waitFor();
    expect(new URL(page.url()).search).toBe('?view=ledger&dataset=fund-allocation&kind=changes');
    await page.getByLabel('Dataset').selectOption('All datasets');
    const changes = all.filter(
      ({ dataset, corrected, retired }) => dataset !== 'fund-allocation' && corrected + retired > 0,
    );
    const end = page.getByText(`: ${changes.length} in all`);
    await end.waitFor();
    // Nothing is called corrected before that is known.
    const corrections = Promise.withResolvers<void>();
    await page.route('**/corrections/fund-allocation?*', async (route) => {
      await corrections.promise;
      await route.continue();
    });
    await page.reload();
    await page.getByText('Loading what was corrected').waitFor();
    corrections.resolve();
    expect(await readRows(page)).toEqual(changes.map(buildRow));
    await page.goBack();
    await page.getByText('No revision matches these filters').waitFor();
    await page.getByRole('button', { name: 'All', exact: true }).click();
    await page.getByText('Revisions 18 to 13').waitFor();
    expect(new URL(page.url()).search).toBe('?view=ledger&dataset=fund-allocation');
  });

  test('leads from a declaration to the series that it declares', async () => {
    const { revision } = all.find(({ dataset }) => dataset === datasets.name) as RevisionEntry;
    const [change] = (await dataOf(`/revisions/${revision}`)).changes;
    const { name, title } = change.new;
    const page = await openExplorer(service, `view=ledger&revision=${revision}`);
    await page.getByRole('link', { name, exact: true }).click();
    await page.getByRole('heading', { name: title, level: 1 }).waitFor();
  });

  test('summarizes the latest correction of all datasets and of one', async () => {
    const page = await openExplorer(service, 'view=ledger');
    const headline = page.getByRole('region', { name: 'Latest correction' });
    await headline.getByText('PAGED, 30 Jul 2026').waitFor();
    expect(await readText(headline)).toContain(
      `${quotes.title}, PAGED, 30 Jul 2026: retired Revision ${retired} published`,
    );
    const dataset = 'atm-transactions-quarterly-value';
    await page.getByLabel('Dataset').selectOption(dataset);
    await headline.getByText('Q2 2026').waitFor();
    const [{ old, new: later, revision }] = await dataOf(`/corrections/${dataset}?limit=1`);
    expect(await readText(headline)).toContain(
      `ATM transactions, quarterly value, Q2 2026 Cash withdrawal was ${old.cash_withdrawl.toLocaleString('en')} → is ${later.cash_withdrawl.toLocaleString('en')} PKR billion`,
    );
    await headline.getByRole('link', { name: `revision ${revision}` }).click();
    await page.getByRole('heading', { name: `Revision ${revision}`, level: 1 }).waitFor();
    await page.goBack();
    await page.getByLabel('Dataset').selectOption('fund-allocation');
    // Each fund got a month, and none of its earlier figures was changed.
    await headline.waitFor({ state: 'detached' });
    await page.goBack();
    await headline.waitFor();
    await page.getByLabel('Dataset').selectOption('pos-transactions-quarterly-volume');
    await headline.waitFor({ state: 'detached' });
  });

  test('lists what was corrected in a month, with the size of each correction, by author', async () => {
    const page = await openExplorer(service, 'view=ledger');
    await page.getByLabel('Month').selectOption('Jul 2026');
    await page.getByLabel('Author').selectOption('sample');
    const list = page.getByRole('region', { name: 'Revisions' });
    const { changes } = await dataOf('/revisions/17');
    const yields = changes.map(({ old, new: later }: Change) => [old.ytm, later.ytm]);
    const row = list.locator('tbody tr', { has: page.getByRole('link', { name: '17' }) });
    expect(yields.map(([old, later]: number[]) => `was ${old} → is ${later}`)).toContain(
      /was \S+ → is \S+/.exec(await readText(row))?.[0] ?? '',
    );
    expect(await readRows(page)).toEqual(
      all
        .filter(
          ({ author, publishedAt }) => author === 'sample' && publishedAt.startsWith('2026-07'),
        )
        .map(buildRow),
    );
    const corrected = page.getByRole('region', { name: 'What was corrected in Jul 2026' });
    const texts = await corrected.getByRole('listitem').allInnerTexts();
    const symbols = changes.map(({ new: later }: Change) => later.symbol);
    for (const symbol of symbols)
      expect(texts.filter((text) => text.includes(`${symbol}, 17 Jun 2026`))).toHaveLength(1);
  });

  test('summarizes no record of another revision as the latest correction, and says if it cannot read it', async () => {
    const page = await openPage(service.address);
    const older = await dataOf('/corrections/quotes?before=18&limit=1');
    await page.route('**/corrections/quotes?*', (route) =>
      route.fulfill({ json: { status: 'ok', data: older } }),
    );
    await page.goto(`${service.address}/?view=ledger#token=${TOKEN}`);
    await readRows(page);
    const headline = page.getByRole('region', { name: 'Latest correction' });
    expect(await headline.count()).toBe(0);
    await page.route('**/corrections/quotes?*', (route) => route.fulfill({ status: 403 }));
    await page.reload();
    await page.getByText('This token has no access to this data.').waitFor();
    allowErrors(page, /403/);
  });

  test('tells at once of sample data beyond the revisions that it reads first, and shows those on request', async () => {
    const page = await openPage(service.address);
    const { promise: isAnswered, resolve: answer } = Promise.withResolvers<void>();
    await page.route('**/revisions?before=101&limit=100', async (route) => {
      await isAnswered;
      await route.continue();
    });
    // As if only these two fitted into what the page asks for first.
    await page.route('**/revisions?limit=1000', (route) => {
      const data = all.filter(({ revision }) => revision === 30 || revision === 29);
      const headers = {
        'Tenor-Revision': '30',
        Link: '</revisions?limit=1000&before=29>; rel="next"',
      };
      return route.fulfill({ headers, json: { status: 'ok', data } });
    });
    await page.goto(`${service.address}/?view=ledger#token=${TOKEN}`);
    await page.getByText('Loading the catalogue').waitFor();
    answer();
    await page.getByRole('heading', { level: 1, name: 'Ledger' }).waitFor();
    expect(await page.getByText('Some of this may be made up').isVisible()).toBe(true);
    await page.getByText('Revisions 30 to 29: 2; there are older ones').waitFor();
    await page.getByRole('button', { name: 'Show older ones' }).click();
    await page.getByText('Revisions 30 to 1: 30 in all').waitFor();
    // Extended funds too, which only older revisions have.
    expect(await readRows(page)).toEqual(
      all.filter(({ revision }) => revision <= 30).map(buildRow),
    );
    const headline = page.getByRole('region', { name: 'Latest correction' });
    await headline.getByRole('link', { name: 'revision 25' }).waitFor();
  });

  test('shows a revision with each corrected value before and after', async () => {
    const page = await openExplorer(service, 'view=ledger&revision=17');
    const entry = await dataOf('/revisions/17');
    const did = page.getByRole('region', { name: 'Summary' });
    expect(await readText(did)).toContain(
      `Dataset ${quotes.title} Published 3 Jul 2026, 06:16 UTC Source ${entry.source} sample Author sample Records 4 corrected`,
    );
    const cards = page.getByRole('region', { name: 'Corrected' }).getByRole('listitem');
    expect(await cards.count()).toBe(4);
    for (const [index, { old, new: later }] of entry.changes.entries()) {
      const text = await readText(cards.nth(index));
      expect(text).toContain(`${later.symbol}, 17 Jun 2026`);
      expect(text).toContain(
        `Last traded price was ${old.lastPrice} → is ${later.lastPrice} per 100 of face value (−1)`,
      );
      expect(text).toContain(`Yield to maturity was ${old.ytm} → is ${later.ytm} %`);
      expect(text).toContain(`was ${old.duration} → is ${later.duration} years`);
      // What did not change is not told.
      expect(text).not.toContain('olume');
    }
    await cards.first().getByRole('link').click();
    await page.waitForURL(/view=security&symbol=Z10PIB211026/);
    await page.goBack();
    await page.getByRole('link', { name: quotes.title }).click();
    await page.waitForURL(/view=market/);
  });

  test('shows of a fund that gained a period only that one with its values, and does not call it corrected', async () => {
    const page = await openExplorer(service, 'view=ledger&revision=18');
    const { changes } = await dataOf('/revisions/18');
    const cards = page.getByRole('region', { name: 'Extended' }).locator('.corrected-records > li');
    await cards.first().waitFor();
    expect(await page.getByRole('region', { name: 'Corrected' }).count()).toBe(0);
    expect(await cards.count()).toBe(changes.length);
    const [{ new: fund }] = changes;
    const text = await readText(cards.first());
    expect(text).toContain(`was – → is ${fund.periods[0].label}`);
    for (const { label, values } of fund.rows) {
      expect(text).toContain(`${label}, ${fund.periods[0].label} was – → is ${values[0]} %`);
      expect(text).not.toContain(`${label}, ${fund.periods[1].label}`);
    }
    await cards.first().getByRole('link').click();
    await page.waitForURL(new RegExp(`view=funds&fund=${fund.fund_id}`));
  });

  test('shows the first of many added records, their number, and more on demand', async () => {
    const page = await openExplorer(service, 'view=ledger&revision=15');
    const added = page.getByRole('region', { name: 'Added', exact: true });
    await added.getByText('The first 100 of 2,197.').waitFor();
    const [{ new: first }] = (await dataOf('/revisions/15?limit=1')).changes;
    const row = await added.locator('tbody tr').first().innerText();
    expect(row.split('\t')).toEqual([
      `${first.symbol}, 30 Jun 2026`,
      first.isin,
      first.type,
      expect.any(String),
      ...['maturityYears', 'bidPrice', 'askPrice', 'lastPrice', 'bidVolume', 'askVolume']
        .concat('volume', 'ytm', 'duration')
        .map((name) => first[name].toLocaleString('en', { maximumFractionDigits: 20 })),
    ]);
    await added.getByRole('button', { name: 'Show up to 10,000' }).click();
    await added.getByText('The first 100 of 2,197.').waitFor({ state: 'detached' });
    await page.waitForURL(/most=all/);
    await page.goBack();
    await added.getByText('The first 100 of 2,197.').waitFor();
  });

  test('shows retired records with their last values', async () => {
    const page = await openExplorer(service, `view=ledger&revision=${retired}`);
    const panel = page.getByRole('region', { name: 'Retired', exact: true });
    const cell = panel.getByRole('rowheader', { name: 'PAGED, 30 Jul 2026' });
    await cell.waitFor();
    expect(await page.getByRole('region', { name: 'Added', exact: true }).count()).toBe(0);
    for (const name of ['Report', 'Files'])
      expect(await page.getByRole('region', { name, exact: true }).count()).toBe(0);
  });

  test('shows the loaded files with size and SHA-256, and each warning with its location', async () => {
    const page = await openExplorer(service, `view=ledger&revision=${warned}`);
    const files = page.getByRole('region', { name: 'Files', exact: true });
    expect((await files.locator('tbody tr').innerText()).split('\t')).toEqual([
      'july.csv',
      String(WARNED.length),
      hashText(WARNED),
    ]);
    const { report } = await dataOf(`/revisions/${warned}`);
    expect(report.warnings.length).toBeGreaterThan(1);
    for (const { rule, count, first } of report.warnings) {
      const group = page.getByRole('region', { name: `Warnings ${rule}` });
      expect(await group.innerText()).toContain(`${rule} ${count} warning`);
      expect(await group.getByRole('listitem').allInnerTexts()).toEqual(
        first.map(
          ({ field, text }: Record<string, string>) => `july.csv line 2, ${field}: ${text}`,
        ),
      );
    }
    expect(await page.getByRole('region', { name: 'Report' }).innerText()).toContain(
      'Records read\n1\n',
    );
  });

  test('shows what it does not know of a report as stored', async () => {
    const page = await openPage(service.address);
    const report = { mood: { of: 'the day' } };
    await page.route('**/revisions/17?*', async (route) => {
      const answer = await route.fetch();
      const { status, data } = await answer.json();
      await route.fulfill({ response: answer, json: { status, data: { ...data, report } } });
    });
    await page.goto(`${service.address}/?view=ledger&revision=17#token=${TOKEN}`);
    const text = await page.getByRole('region', { name: 'Report' }).innerText();
    expect(text).toContain(`mood\n${JSON.stringify(report.mood)}`);
  });

  test('links to the state right before and right after a revision', async () => {
    const page = await openExplorer(service, 'view=ledger&revision=17');
    const { publishedAt } = await dataOf('/revisions/17');
    await page.getByRole('button', { name: 'before this revision' }).click();
    await page.getByText('Revisions 16 to 1').waitFor();
    const before = new Date(Date.parse(publishedAt) - 1).toISOString();
    expect(new URL(page.url()).searchParams.get('asof')).toBe(before);
    expect(await readRows(page)).toEqual(all.filter(({ revision }) => revision < 17).map(buildRow));
    await page.goBack();
    await page.getByRole('button', { name: 'after this revision' }).click();
    await page.getByText('Historical view:').waitFor();
    expect(new URL(page.url()).searchParams.get('asof')).toBe(publishedAt);
    await page.getByRole('heading', { name: 'Revision 17' }).waitFor();
    await page.getByRole('link', { name: 'All revisions' }).click();
    await page.getByText('Revisions 17 to 1').waitFor();
    await page.getByRole('button', { name: 'Corrections and retirements' }).click();
    await page.getByText(': 2 in all').waitFor();
    expect((await readRows(page))[0]?.[0]).toStartWith('17 ');
  });

  test('says that a revision was published after the as-of instant', async () => {
    const page = await openExplorer(
      service,
      'view=ledger&revision=18&asof=2026-07-03T06:16:00.000Z',
    );
    await page.getByText('This revision is newer than the date you are viewing').waitFor();
    await page.getByText('Revision 17 was current then.').waitFor();
    await page.getByRole('button', { name: 'Back to current data' }).click();
    await page.getByRole('heading', { name: 'Summary' }).waitFor();
  });

  test('says that a revision does not exist', async () => {
    for (const text of ['9999', 'abc', '0', '1.5']) {
      const page = await openExplorer(service, `view=ledger&revision=${text}`);
      await page.getByText('There is no such revision').waitFor();
      await page.getByText(`numbered from 1 to ${all.length}`).waitFor();
      allowErrors(page, /404/);
    }
  });

  test('shows what the token gives access to, and says that the rest needs more', async () => {
    const lookAt = (at: string) =>
      openPage(`${service.address}/?view=ledger&${at}#token=${quotesOnly}`);
    const page = await lookAt('');
    expect(await readRows(page)).toEqual(
      all
        .filter(({ dataset }) => ['quotes', 'securities', 'datasets'].includes(dataset))
        .map(buildRow),
    );
    expect(await page.getByLabel('Dataset').locator('option').allInnerTexts()).toEqual([
      'All datasets',
      quotes.title,
      securities.title,
      holidays.title,
      couponRates.title,
      datasets.title,
    ]);
    const closed = await lookAt('revision=18');
    await closed.getByText('This token has no access to this data.').waitFor();
    allowErrors(closed, /403/);
    for (const dataset of ['fund-allocation', 'nothing']) {
      const empty = await lookAt(`dataset=${dataset}`);
      const text = `This token has no access to “${dataset}”, or there is no such dataset`;
      await empty.getByText(text).waitFor();
    }
  });

  test('copies a link and a citation of a revision, and offers no download', async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const page = await openExplorer(service, 'view=ledger&revision=17', { permissions });
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    // The service has the ledger in no other form.
    const items = page.getByRole('button', { name: /^(Copy|Download) / });
    expect(await items.allInnerTexts()).toEqual([
      expect.stringMatching(/^Copy link, pinned to revision \d+$/),
      'Copy citation',
    ]);
    await items.last().click();
    await page.getByText('Copied the citation').waitFor();
    const text = await page.evaluate('navigator.clipboard.readText()');
    expect(text).toContain(`${service.address}/?view=ledger&revision=17&asof=`);
  });

  test('fits every screen and is accessible if it shows warnings', async () => {
    await expectUsable(await openExplorer(service, `view=ledger&revision=${warned}`));
  });
});

interface Change {
  readonly old: { readonly ytm: number };
  readonly new: { readonly ytm: number; readonly symbol: string };
}

/** What stands there, as it is heard. */
async function readText(place: Locator): Promise<string> {
  return (await place.innerText()).replaceAll(/\s+/g, ' ');
}

/** What the list shows of each revision, row by row. */
async function readRows(page: Page): Promise<unknown[][]> {
  await waitUntilLoaded(page);
  const list = page.getByRole('region', { name: 'Revisions' });
  const rows = await list.locator('tbody tr').allInnerTexts();
  return rows.map((row) => row.split('\t').map((text) => text.trim().replaceAll(/\s+/g, ' ')));
}

/** What it should show, but for when and the title of the dataset. */
function buildRow(entry: RevisionEntry): unknown[] {
  const { revision, author, source, sample, corrected, retired, added, unchanged } = entry;
  // In these data, funds only ever gain periods.
  const [changed, extended] = entry.dataset === 'fund-allocation' ? [0, corrected] : [corrected, 0];
  const mark = sample ? ' sample' : '';
  return [
    expect.stringMatching(new RegExp(`^${revision} .* UTC$`)),
    expect.stringContaining(` ${source}, by ${author}${mark}`),
    expect.stringContaining(
      Object.entries({ corrected: changed, extended, retired, added, unchanged })
        .flatMap(([name, count]) => (count > 0 ? `${count.toLocaleString('en')} ${name}` : []))
        .join(', ') || 'nothing',
    ),
  ];
}
