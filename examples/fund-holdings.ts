// Holdings of funds, a sheet for each, with a date above, headings and totals: summed to classes.
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

/** The columns of a holding's name and share, by which the header is found. */
const NAME = 'Name of the Instrument';
const SHARE = '% to NAV';
/** Sheets without such a table. */
const OTHER_SHEETS: readonly string[] = [];
/** The fund of all records of a sheet. */
const getFund = (sheet: Sheet) => sheet.name;
/** Headings, and holdings without one, as classes; null for that of the heading above, or for a sum. */
const CLASSES: Readonly<Record<string, string | null>> = {
  'Equity & equity related': 'Equities',
  'Debt instruments': 'Corporate debt',
  'Government Securities': 'Government securities',
  'Treasury Bills': 'Government securities',
  'Net current assets / cash and receivables': 'Cash and receivables',
  'Cash and cash equivalents': 'Cash and receivables',
};
const getClass = (row: Row) => CLASSES[row.text(NAME)];
const toShare = (row: Row) => ({ share: parseNumber(row.get(SHARE)) });

/** The day of all records of a sheet: the first above its table. */
const findDay = async (sheet: Sheet, _file: OpenedFile) => {
  for await (const row of sheet.rows()) {
    const date = findDate(row.cells.join(' '));
    if (date) return date;
    if (row.cells.includes(SHARE)) break;
  }
  throw new Error(`no date is above the table of ${sheet.name}`);
};

export default async function* (file: OpenedFile): AsyncGenerator<RecordIn<typeof fundAllocation>> {
  for await (const sheet of file.sheets()) {
    if (OTHER_SHEETS.includes(sheet.name)) continue;
    const fund = { fund_id: getFund(sheet), date: await findDay(sheet, file) };
    let [heading, above]: (string | undefined)[] = []; // A subtotal ends the first alone.
    let isOver = false; // Other tables are below the total of all.
    const headings = new Set<string>();
    const findClass = (row: Row) => {
      const [name, own] = [row.text(NAME), getClass(row)];
      isOver ||= /^(?:grand total|total net assets)\b/i.test(name);
      const isSum = /^(?:sub|net)?[ -]*total\b/i.test(name);
      const share = isOver || isSum ? undefined : toShare(row).share;
      if (share !== undefined) {
        const found = own ?? heading ?? own;
        if (found === undefined) throw new Error(`the class of "${name}" is not known`);
        return found ?? undefined;
      }
      if (isSum) [heading, above] = [undefined, /^sub/i.test(name) ? above : undefined];
      else if (!isOver && name !== '' && row.text(SHARE) === '') {
        if (own && headings.has(name)) throw new Error(`"${name}" is there twice: null, or code`);
        headings.add(name);
        heading = own === null ? above : own;
        above = heading;
      }
      return undefined;
    };
    const classes = await groupAndSum(sheet.table([NAME, SHARE]), findClass, toShare);
    for (const { key, sums } of classes) yield { ...fund, class: key, value: sums.share };
  }
}
