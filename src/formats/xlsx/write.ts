import { type Cell, type Column, FileRefused, type TableWriter, type Writing } from '../format.ts';
import { columnName, MOST_COLUMNS, MOST_ROWS } from './address.ts';
import { escaped } from './entities.ts';
import { withEscapes } from './escapes.ts';
import { serialOf } from './serial.ts';
import { MAIN, SHEET_PART, STYLE, skeleton, XML } from './skeleton.ts';
import { zipped } from './zip.ts';

/**
 * Writes an Excel workbook of one sheet: a header that stays in sight, then the rows. Numbers are
 * numbers and read back the same; days are dates. What a sheet cannot hold is refused.
 */
export const writeXlsx: TableWriter = (writing) => {
  const encoder = new TextEncoder();
  const parts = skeleton(writing.title).map(([name, xml]) => {
    return { name, pieces: [encoder.encode(xml)] };
  });
  const sheet = async function* () {
    for await (const xml of sheetXml(writing)) yield encoder.encode(xml);
  };
  return zipped([...parts, { name: SHEET_PART, pieces: sheet() }]);
};

async function* sheetXml({ columns, rows }: Writing): AsyncGenerator<string> {
  if (columns.length > MOST_COLUMNS) {
    throw new FileRefused(`has ${columns.length} columns; a sheet holds ${MOST_COLUMNS}`);
  }
  const letters = columns.map((_, index) => columnName(index + 1));
  let at = 1;
  let started = false;
  for await (const batch of rows) {
    if (!started) yield sheetStart(columns, letters, batch);
    started = true;
    const lines = batch.map((cells) => {
      at += 1;
      if (at > MOST_ROWS) throw new FileRefused(TOO_LONG);
      const written = columns.map(({ type }, index) => {
        return cellXml(`${letters[index]}${at}`, cells[index] ?? null, type);
      });
      return `<row r="${at}">${written.join('')}</row>`;
    });
    yield lines.join('');
  }
  if (!started) yield sheetStart(columns, letters, []);
  yield '</sheetData></worksheet>';
}

const TOO_LONG = `has more than ${(MOST_ROWS - 1).toLocaleString('en')} rows, which is all that \
a sheet of an .xlsx file can hold; write another format`;

/** Everything up to the first row of data. */
function sheetStart(
  columns: readonly Column[],
  letters: readonly string[],
  sample: readonly (readonly Cell[])[],
): string {
  const widths = columns.map(({ name }, index) => {
    const width = widthOf(
      name,
      sample.map((cells) => cells[index] ?? null),
    );
    return `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`;
  });
  const names = columns.map(({ name }, index) => textXml(`${letters[index]}1`, name, STYLE.header));
  const cols = widths.length === 0 ? '' : `<cols>${widths.join('')}</cols>`;
  return `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView tabSelected="1" \
workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>\
<selection pane="bottomLeft"/></sheetView></sheetViews>${cols}<sheetData>\
<row r="1">${names.join('')}</row>`;
}

/** In characters, by what the first rows need. */
function widthOf(name: string, sample: readonly Cell[]): number {
  const longest = sample.reduce<number>(
    (length, cell) => Math.max(length, String(cell ?? '').length),
    name.length,
  );
  return Math.min(60, Math.max(8, longest)) + 2;
}

function cellXml(address: string, value: Cell, type: Column['type']): string {
  if (value === null) return '';
  if (type === 'day') {
    const serial = typeof value === 'string' ? serialOf(value) : undefined;
    if (serial !== undefined) return numberXml(address, serial, STYLE.day);
  } else if (type !== 'text' && typeof value === 'number' && Number.isFinite(value)) {
    return numberXml(address, value, type === 'integer' ? STYLE.integer : STYLE.plain);
  }
  return textXml(address, String(value), STYLE.plain);
}

function numberXml(address: string, value: number, style: number): string {
  const text = Object.is(value, -0) ? '-0' : String(value);
  return `<c r="${address}"${styled(style)}><v>${text}</v></c>`;
}

// More would make Excel call the file damaged.
const LONGEST_TEXT = 32_767;

function textXml(address: string, text: string, style: number): string {
  if (text.length > LONGEST_TEXT) {
    throw new FileRefused(
      `has a text of ${text.length} characters for cell ${address}; a cell holds ${LONGEST_TEXT}`,
    );
  }
  const xml = escaped(withEscapes(text));
  return `<c r="${address}"${styled(style)} t="inlineStr">\
<is><t xml:space="preserve">${xml}</t></is></c>`;
}

const styled = (style: number) => (style === STYLE.plain ? '' : ` s="${style}"`);
