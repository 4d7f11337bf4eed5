import type { Page } from 'playwright-core';
import { quotes as declared, type Quote } from '../../../../src/catalogue/datasets/quotes.ts';
import { waitUntilLoaded } from '../../../support/explorer.ts';
import type { TestServer } from '../../../support/test-server.ts';

/** All quotes of the newest day, or those of a query. */
export async function readQuotes(
  service: Pick<TestServer, 'getJson'>,
  query = '',
): Promise<Quote[]> {
  return (await service.getJson(`/2.0/bnb/quote?limit=10000&${query}`)).data;
}

/** The table's rows, by the titles of its columns. */
export async function readQuoteRows(page: Page): Promise<Record<string, string>[]> {
  await waitUntilLoaded(page);
  const table = page.getByRole('table', { name: /^Quotes of/ });
  // Both at once, since columns may be added in between.
  const { heads, texts } = await table.evaluate((element) => ({
    heads: [...element.querySelectorAll('thead th')].map((cell) => cell.innerText),
    texts: [...element.querySelectorAll('tbody tr')].map((row) =>
      [...row.children].map((cell) => cell.textContent),
    ),
  }));
  const titles = heads.map((title) => title.replace(/[▲▼]/g, '').replace(/\s+/g, ' ').trim());
  const name = (title: string) => {
    const { fields } = declared;
    const unit = Object.values(fields).find(({ unit }) => unit && title.endsWith(` ${unit}`))?.unit;
    return title.replace(/ (%|per 100)$/, '').replace(unit ? ` ${unit}` : /$^/, '');
  };
  return texts.map((row) =>
    Object.fromEntries(row.map((text, index) => [name(titles[index] ?? ''), text ?? ''])),
  );
}
