import { posix } from 'node:path';
import { InvalidFileError } from '../file-contents.ts';
import { readAttribute } from '../xml/xml-attributes.ts';
import { readPart } from '../xml/xml-parts.ts';
import type { ZipArchive } from '../zip/zip-archive.ts';
import { unescapeFromOffice } from './office-escapes.ts';
import type { Epoch } from './serial-date.ts';

export interface SheetInfo {
  readonly name: string;
  readonly isHidden: boolean;
  /** Absent for a chart, which has no cells. */
  readonly part?: string | undefined;
}

/** The sheets of a workbook in tab order, its settings, and its shared parts. */
export async function readWorkbook(zip: ZipArchive) {
  const part = await findWorkbookPart(zip);
  const relationships = await readRelationships(zip, part);
  const findPart = (type: string) =>
    relationships.find((relationship) => relationship.type === type)?.part;
  const sheets: SheetInfo[] = [];
  let epoch = 1900 as Epoch;
  let isUncalculated = false;
  await readPart(zip, part, {
    open(name, attributes, parent) {
      if (parent === '' && name !== 'workbook') throw new InvalidFileError(NOT_A_WORKBOOK);
      if (name === 'sheet' && parent === 'sheets') {
        const sheetId = readAttribute(attributes, '*:id');
        sheets.push({
          name: unescapeFromOffice(readAttribute(attributes, 'name') ?? ''),
          isHidden: (readAttribute(attributes, 'state') ?? 'visible') !== 'visible',
          part: relationships.find(({ id, type }) => id === sheetId && type === 'worksheet')?.part,
        });
      }
      if (name === 'workbookPr' && isTrueAttribute(readAttribute(attributes, 'date1904')))
        epoch = 1904;
      if (name === 'calcPr')
        isUncalculated = isTrueAttribute(readAttribute(attributes, 'fullCalcOnLoad'));
    },
  });
  const [stringsPart, stylesPart] = [findPart('sharedStrings'), findPart('styles')];
  return { sheets, epoch, isUncalculated, stringsPart, stylesPart };
}

const NOT_A_WORKBOOK = 'is a ZIP file but not an Excel workbook';

interface Relationship {
  readonly id: string;
  /** The last segment of its URI, the same in both versions of the standard. */
  readonly type: string;
  readonly part: string;
}

async function findWorkbookPart(zip: ZipArchive): Promise<string> {
  if (!zip.has('_rels/.rels')) throw new InvalidFileError(NOT_A_WORKBOOK);
  const main = (await readRelationships(zip, '')).find(({ type }) => type === 'officeDocument');
  if (!main) throw new InvalidFileError(NOT_A_WORKBOOK);
  if (main.part.endsWith('.bin'))
    throw new InvalidFileError('is a binary Excel workbook (.xlsb); save it as .xlsx');
  return main.part;
}

/** The relationships of a part; those of the package if `part` is empty. */
async function readRelationships(zip: ZipArchive, part: string): Promise<readonly Relationship[]> {
  const folder = posix.resolve('/', posix.dirname(part));
  const file = posix.join(folder, '_rels', `${posix.basename(part)}.rels`).slice(1);
  const relationships: Relationship[] = [];
  await readPart(zip, file, {
    open(name, attributes) {
      if (name !== 'Relationship') return;
      const target = readAttribute(attributes, 'Target') ?? '';
      relationships.push({
        id: readAttribute(attributes, 'Id') ?? '',
        type: readAttribute(attributes, 'Type')?.split('/').at(-1) ?? '',
        part: posix.resolve(folder, target).slice(1),
      });
    },
  });
  return relationships;
}

const isTrueAttribute = (value: string | undefined) => value === '1' || value === 'true';
