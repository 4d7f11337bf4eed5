// Holdings of funds, a sheet for each, with the date in a line above the table, headings of sections
// and subtotals: summed to the shares of classes.
import {
  findDate,
  type fundAllocation,
  groupAndSum,
  type OpenedFile,
  parseNumber,
  type RecordIn,
  type Row,
  type Sheet,
} from 'tenor';

export const options = { dataset: 'fund-allocation' };

const CLASSES: readonly (readonly [RegExp, string])[] = [
  [/equity/i, 'Equities'],
  [/government securities|treasury bills/i, 'Government securities'],
  [/debt instruments|debentures/i, 'Corporate debt'],
  [/cash|receivables/i, 'Cash and receivables'],
];

export default async function* (file: OpenedFile): AsyncGenerator<RecordIn<typeof fundAllocation>> {
  for await (const sheet of file.sheets()) {
    const date = await findPortfolioDate(sheet);
    const fund = { fund_id: sheet.name, date, frequency: 'monthly' };
    let section: string | undefined;
    const findClass = (row: Row) => {
      const name = row.text('Name of the Instrument');
      if (/^(sub[- ]?|grand )?total/i.test(name)) return undefined;
      section = CLASSES.find(([pattern]) => pattern.test(name))?.[1] ?? section;
      return section;
    };
    const classes = await groupAndSum(
      sheet.table(['Name of the Instrument', '% to NAV']),
      findClass,
      // The heading of a section has no share of its own.
      (row) => ({ share: parseNumber(row.get('% to NAV')) }),
    );
    for (const { key, sums } of classes) yield { ...fund, class: key, value: sums.share };
  }
}

async function findPortfolioDate(sheet: Sheet): Promise<string> {
  for await (const row of sheet.rows()) {
    const date = findDate(row.text(0));
    if (date) return date;
  }
  throw new Error(`there is no date above the table of ${sheet.name}`);
}
