import { posix } from 'node:path';
import { FileRefused } from '../format.ts';
import { attribute } from './attributes.ts';
import { withoutEscapes } from './escapes.ts';
import { readPart } from './parts.ts';
import type { Epoch } from './serial.ts';
import type { Zip } from './unzip.ts';

/** What a workbook says of itself. */
export interface Workbook {
  /** In the order of the tabs. */
  readonly sheets: readonly Sheet[];
  readonly epoch: Epoch;
  /** Whether it asks to be calculated when it is opened: stored values of formulas mean nothing. */
  readonly uncalculated: boolean;
  readonly stringsPart?: string | undefined;
  readonly stylesPart?: string | undefined;
}

export interface Sheet {
  readonly name: string;
  readonly hidden: boolean;
  /** Absent for what has a tab but no cells, such as a chart. */
  readonly part?: string | undefined;
}

/** The workbook in a ZIP file; a ZIP file of another kind is refused. */
export async function workbookOf(zip: Zip): Promise<Workbook> {
  const part = await workbookPart(zip);
  const relations = await relationsOf(zip, part);
  const target = (type: string) => relations.find((one) => one.type === type)?.part;
  const sheets: Sheet[] = [];
  let epoch: Epoch = 1900;
  let uncalculated = false;
  await readPart(zip, part, {
    open(name, attributes, parent) {
      if (parent === '' && name !== 'workbook') throw new FileRefused(FOREIGN);
      if (name === 'sheet' && parent === 'sheets') sheets.push(sheetOf(attributes, relations));
      if (name === 'workbookPr' && isTrue(attribute(attributes, 'date1904'))) epoch = 1904;
      if (name === 'calcPr') uncalculated = isTrue(attribute(attributes, 'fullCalcOnLoad'));
    },
  });
  const [stringsPart, stylesPart] = [target('sharedStrings'), target('styles')];
  return { sheets, epoch, uncalculated, stringsPart, stylesPart };
}

const FOREIGN = 'is a ZIP file but not an Excel workbook';

interface Relation {
  readonly id: string;
  /** The last word of its address, which is the same in both versions of the standard. */
  readonly type: string;
  readonly part: string;
}

async function workbookPart(zip: Zip): Promise<string> {
  if (!zip.has('_rels/.rels')) throw new FileRefused(FOREIGN);
  const main = (await relationsOf(zip, '')).find(({ type }) => type === 'officeDocument');
  if (!main) throw new FileRefused(FOREIGN);
  if (main.part.endsWith('.bin')) {
    throw new FileRefused('is a binary Excel workbook (.xlsb); save it as .xlsx');
  }
  return main.part;
}

/** How a part is connected with others: in a file beside it, or with no part the root's. */
async function relationsOf(zip: Zip, part: string): Promise<readonly Relation[]> {
  const folder = posix.resolve('/', posix.dirname(part));
  const file = posix.join(folder, '_rels', `${posix.basename(part)}.rels`).slice(1);
  const relations: Relation[] = [];
  await readPart(zip, file, {
    open(name, attributes) {
      if (name !== 'Relationship') return;
      const target = attribute(attributes, 'Target') ?? '';
      relations.push({
        id: attribute(attributes, 'Id') ?? '',
        type: attribute(attributes, 'Type')?.split('/').at(-1) ?? '',
        part: posix.resolve(folder, target).slice(1),
      });
    },
  });
  return relations;
}

function sheetOf(attributes: string, relations: readonly Relation[]): Sheet {
  const id = attribute(attributes, '*:id');
  const relation = relations.find((one) => one.id === id && one.type === 'worksheet');
  return {
    name: withoutEscapes(attribute(attributes, 'name') ?? ''),
    hidden: (attribute(attributes, 'state') ?? 'visible') !== 'visible',
    part: relation?.part,
  };
}

const isTrue = (value: string | undefined) => value === '1' || value === 'true';
