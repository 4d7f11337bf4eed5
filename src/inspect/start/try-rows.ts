import { isNumberField } from '../../catalogue/model/field.ts';
import {
  createConverter,
  InvalidCell,
  type ValueFormat,
} from '../../publish/cells/create-converter.ts';
import type { SheetProfile } from '../inspect-file.ts';
import { shorten } from '../profile-column.ts';
import type { AskedTable } from './ask-questions.ts';
import { getTargets, isKey, listDeclaredKeys } from './plan-fields.ts';
import type { StartOptions } from './value-options.ts';

export type TriedTable = Pick<SheetProfile, 'name' | 'columns' | 'dataRows'>;

const LEAST_KEYS = { quotes: 1, reference: 0, series: 9, fund: 9 };

/** A load of a declared dataset names both rows; one of them is a fault of the file. */
const REPEATED = 'with the same';

/** Stands for the number of rows or cells in the text of a fault, so that equal faults can be grouped. */
const COUNT = '{count}';

/** Reads rows like a load; rows that it would reject become questions, and leaving them out needs an adapter. */
export function tryRows(asked: AskedTable, tables: readonly TriedTable[], options: StartOptions) {
  const { dataset } = asked;
  const sources = createSources(asked, options);
  const known = sources.filter(({ isKey }) => isKey).map(({ field }) => field);
  // Either a symbol on a day, or one of two identifiers.
  const least = dataset.declared ? listDeclaredKeys(dataset).length - 1 : LEAST_KEYS[dataset.shape];
  const hasKey = known.length > least;
  const seen = new Set<string>();
  const faults = tables.flatMap(({ name, columns, dataRows }) => {
    const indexes = sources.map(({ column }) => columns.findIndex(({ name }) => name === column));
    // The header of a short sheet may be unknown.
    const rows = indexes.includes(-1) ? [] : dataRows;
    return rows.flatMap(({ position, cells }) => {
      const place = `${name} row ${position}`.trim();
      const read = sources.map(({ convert, invalid, blank, isKey }, at) => {
        const cell = cells[indexes[at] ?? 0];
        const value = convert(cell);
        const text = JSON.stringify(shorten(String(cell)));
        return value instanceof InvalidCell
          ? { what: invalid, place: `${text} in ${place}`, key: [] }
          : { what: value === undefined ? blank : '', place, key: isKey ? [value] : [] };
      });
      const key = read.flatMap(({ key }) => key);
      const isBlank = key.every((value) => value === undefined);
      const isRepeated = !isBlank && seen.size === seen.add(JSON.stringify(key)).size;
      const fault = isBlank ? 'without' : isRepeated ? REPEATED : '';
      const what = hasKey && fault !== '' ? `rows: ${COUNT} ${fault} ${known.join(' and ')}` : '';
      return [...read, { what, place }];
    });
  });
  const groups = [...Map.groupBy(faults, ({ what }) => what)].filter(([what]) => what !== '');
  return {
    questions: groups.map(
      ([what, [first, ...others]]) =>
        `${what.replace(COUNT, `${others.length + 1}`)}, such as ${first?.place}`,
    ),
    reasons: groups.flatMap(([what, { length }]) =>
      what.startsWith('rows') && !(dataset.declared && what.includes(REPEATED))
        ? what.replace(`rows: ${COUNT}`, `rows have to be left out: ${length}`)
        : [],
    ),
  };
}

/** How columns are read, and the problems of invalid or blank cells. */
function createSources({ dataset, fields }: AskedTable, options: StartOptions) {
  const { decimal = '.', dates, periods, blanks = [] } = options;
  const style = { dateOrder: dates, periodStyle: periods, hasMarks: dataset.shape === 'series' };
  const format = { decimal, blanks, ...style } as ValueFormat;
  const { fields: targets } = getTargets(dataset);
  return fields.flatMap(({ field, column: { name: column } = { name: '' } }) => {
    const { field: type, isOptional, alternative } = targets.get(field) ?? {};
    if (column === '' || !type) return [];
    const isNumber = isNumberField(type);
    // Their format is already a question.
    if (isNumber ? decimal === '?' : type.kind !== 'text' && [dates, periods].includes('?'))
      return [];
    const unread = `rows: ${COUNT} without ${field} that can be read`;
    // Mappings name texts for blank cells, and patterns for choices.
    const isFree = isOptional || isNumber || type.kind === 'choice';
    const blank = isNumber ? `blank: "zero" reads ${COUNT} blank cells of ${column} as 0` : unread;
    return {
      field,
      column,
      convert: createConverter(type, format),
      isKey: isKey(field, dataset) || field === dataset.alternateKey,
      invalid: isFree ? `cells: ${COUNT} of ${column} can be no ${field}` : unread,
      blank: isOptional || alternative !== undefined ? '' : blank,
    };
  });
}
