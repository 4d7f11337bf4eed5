import { expect, test } from 'bun:test';
import { describeInBrowser } from '../../../support/browser.ts';
import {
  expectUsable,
  openExplorer,
  useSampleServer,
  waitUntilLoaded,
} from '../../../support/explorer.ts';
import { downloadFile, findPanel, readTable } from './page-helpers.ts';

/** A bond that pays on 21 April and October, and a bill that matured on 25 June. */
const [HELD, MATURED] = ['Z10PIB211026', 'ZZ03TB250626:100000000'];
const POSITIONS = 'Z10PIB211026:1000000,Z05PIB151030:-250000';

describeInBrowser('the portfolio view', () => {
  const service = useSampleServer();

  test('values pasted positions as the service does, with key rates, shifts and flows, and keeps them', async () => {
    const page = await openExplorer(service, 'view=portfolio');
    const input = page.getByLabel('A line each: symbol or ISIN');
    await input.fill('Symbol\tFace\nZ10PIB211026\t1,000,000\nnonsense\nZ05PIB151030\t(250,000)');
    await page.getByText('Not positions: line 3: nonsense.').waitFor();
    await page.getByRole('button', { name: 'Value 2 positions' }).click();
    await waitUntilLoaded(page);
    expect(new URL(page.url()).searchParams.get('positions')).toBe(POSITIONS);
    const { data } = await service.getJson(
      `/2.0/bnb/portfolio?positions=${POSITIONS}&shift=-200,-100,-50,50,100,200`,
    );
    const total = data.at(-1);
    const formatted = (value: number) => Math.round(value).toLocaleString('en');
    await page.getByText(formatted(total.marketValue), { exact: true }).first().waitFor();
    const shifts = await readTable(findPanel(page, 'If all zero rates shift'));
    expect(shifts.rows.map(([shift, value]) => [shift, value])).toEqual(
      [-200, -100, -50, 50, 100, 200].map((shift) => [
        `${shift < 0 ? '−' : '+'}${Math.abs(shift)} bp`,
        formatted(total.values[`${shift < 0 ? '' : '+'}${shift}bp`]),
      ]),
    );
    const file = await downloadFile(page, findPanel(page, 'Key-rate durations'), 'CSV');
    const [, head, ...lines] = file.bytes.toString().trim().split('\r\n');
    expect(head).toBe('tenor,Duration (years)');
    expect(lines.map((line) => Number(Number(line.split(',')[1]).toFixed(9)))).toEqual(
      Object.values<number>(total.keyRates).map((value) => Number(value.toFixed(9))),
    );
    const positions = await readTable(findPanel(page, '2 positions'));
    expect(positions.rows.map(([name]) => name?.slice(0, 12))).toEqual([
      'Z10PIB211026',
      'Z05PIB151030',
    ]);
    await page.reload();
    await findPanel(page, 'Cash flows by year').locator('svg').first().waitFor();
    await expectUsable(page);
  });

  test.each([
    // A Sunday: no security is quoted on it, and each is valued at its newest quote before.
    ['on a day without quotes', `${HELD}:1000000,${MATURED}`, '&date=2026-06-28', '2026-06-26'],
    ['of two positions of one', `${HELD}:1100000,${HELD}:-100000,${MATURED}`, '', '2026-06-30'],
    ['before a coupon that was paid since', `${HELD}:1000000`, '&date=2026-04-17', '2026-04-17'],
  ])(
    'has the cash flows of its valuation, in money, without those of bills that matured before it: %s',
    async (_, positions, date, quoted) => {
      const page = await openExplorer(service, `view=portfolio&positions=${positions}${date}`);
      await waitUntilLoaded(page);
      const file = await downloadFile(page, findPanel(page, 'Cash flows by year'), 'CSV');
      const [, head, ...lines] = file.bytes.toString().trim().split('\r\n');
      expect(head).toBe(
        'year,Principal (currency of the positions),Interest (currency of the positions)',
      );
      const { data } = await service.getJson(`/2.0/bnb/cashflows?symbol=${HELD}&date=${quoted}`);
      expect(data.length).toBe(quoted < '2026-04-21' ? 2 : 1);
      const sum = (name: 'principal' | 'coupon') =>
        data.reduce(
          (total: number, flow: Record<typeof name, number>) => total + flow[name] * 10_000,
          0,
        );
      expect(lines.map((line) => line.split(',').map(Number))).toEqual([
        [2026, sum('principal'), sum('coupon')],
      ]);
    },
  );
});
