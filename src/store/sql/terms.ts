import type { Dataset } from '../../catalogue/dataset.ts';
import type { Table } from '../../derive/table.ts';
import { tableBeside } from '../../derive/table.ts';
import type { Key, Row, SecurityTerms } from '../store.ts';
import { sameKey } from './changes.ts';
import type { Steps } from './steps.ts';
import { rowsOf } from './steps.ts';

type Terms = ReadonlyMap<string, SecurityTerms | null>;

/** The terms that stand, by folded symbol. */
export function* termsIn(dataset: Dataset): Steps<ReadonlyMap<string, SecurityTerms>> {
  const table = tableBeside(dataset);
  if (!table) return new Map();
  const rows = yield* rowsOf<TermsRow>(`SELECT symbol_key, record FROM ${table.now}`);
  return new Map(rows.map(({ symbol_key, record }) => [symbol_key, termsOf(record)]));
}

/** Terms as rows of their table, and keys of those to forget. */
export function termsRows(terms: Terms): { rows: readonly Row[]; retired: readonly Key[] } {
  const all = [...terms];
  return {
    rows: all.flatMap(([symbol, known]) =>
      known ? [{ columns: [symbol], text: textOf(symbol, known) }] : [],
    ),
    retired: all.flatMap(([symbol, known]) => (known ? [] : [[symbol]])),
  };
}

/** What stood before a revision, of the securities whose terms are as it left them. */
export function* termsBefore(dataset: Dataset, revision: number): Steps<Terms> {
  const table = tableBeside(dataset);
  if (!table) return new Map();
  const rows = yield* rowsOf<BeforeRow>(before(table), [revision, revision]);
  return new Map(
    rows.map(({ symbol_key, record }) => [symbol_key, record === null ? null : termsOf(record)]),
  );
}

/** Symbols whose terms began with a revision, each with the text that it replaced; takes R, R. */
function before(table: Table): string {
  return `SELECT new.symbol_key, old.record FROM ${table.now} AS new
    LEFT JOIN ${table.past} AS old ON ${sameKey(table, 'old', 'new')} AND old.until = ?
    WHERE new.since = ?`;
}

/** In one order, so that the same terms have the same text. */
function textOf(symbol: string, { couponRate, couponFrequency, pricing }: SecurityTerms): string {
  return JSON.stringify({ symbol, couponRate, couponFrequency, pricing });
}

function termsOf(text: string): SecurityTerms {
  const { couponRate, couponFrequency, pricing } = JSON.parse(text) as SecurityTerms;
  return { couponRate, couponFrequency, pricing };
}

interface TermsRow {
  readonly symbol_key: string;
  readonly record: string;
}

interface BeforeRow extends Omit<TermsRow, 'record'> {
  readonly record: string | null;
}
