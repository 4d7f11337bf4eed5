import { type ChosenSheets, findRowLabels, profileRowNames } from './choose-sheets.ts';
import { formatValue, quote, writeNameTable } from './code.ts';
import { fillTemplate } from './fill-template.ts';
import { planFields } from './plan-fields.ts';
import { planStart, type Start } from './start.ts';
import { FISCAL_QUESTION, isFiscal } from './value-options.ts';

/** A start for periods across the columns; undefined where there are none. */
export function createWideStart(chosen: ChosenSheets): Start | undefined {
  const { dataset, file, sheets, options, questions } = chosen;
  const { period } = dataset;
  const [sheet] = sheets;
  const labels = findRowLabels(sheet);
  const periods = sheet.timeColumns.filter(({ kind }) => kind === period?.kind.unit);
  if (!labels || !period || periods.length < 2) return undefined;
  const rows = profileRowNames(sheet);
  const fields = planFields(dataset, rows).filter(({ field }) => field !== period.field);
  const items = [...new Set(sheet.timeColumns.map(({ item }) => item))];
  const isPlain = items.every((item) => item === '');
  const hasFiscal = period.kind.unit !== 'year' && periods.some(({ label }) => isFiscal(label));
  const plan = planStart(
    { dataset, file, sheets, columns: sheet.columns, fields },
    {
      reasons: ['the periods are across the columns'],
      valueColumns: [labels, ...periods.flatMap(({ index }) => sheet.columns[index] ?? [])],
      usedRows: 'totals',
      unused: { sheets: chosen.unused.map(({ text }) => text) },
      questions: [
        ...questions,
        ...(isPlain ? [] : [`columns: ${items.join(' or ')} of each period, in getPeriod`]),
        ...(hasFiscal ? [FISCAL_QUESTION] : []),
      ],
      options,
    },
  );
  const findField = (name: string) => fields.find(({ column }) => column?.name === name)?.field;
  return fillTemplate('wide', plan, {
    FIELDS: writeNameTable(rows.map(({ name }) => [name, findField(name) ?? '?'])),
    HEADER: formatValue([labels.name || sheet.columns[periods[0]?.index ?? 0]?.name]),
    NAME: labels.name === '' ? String(labels.index) : quote(labels.name),
    PERIOD: quote(period.field),
    getPeriod: `parsePeriod(${isPlain && !hasFiscal ? 'column' : "'?'"}, ${quote(period.kind.unit)})`,
  });
}
