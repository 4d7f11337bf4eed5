import { NORMAL_STATUS } from '../catalogue/model/observation-status.ts';
import { getStatus, type StorageTable } from '../schema/storage-table.ts';
import type { EncodedRow } from './rows.ts';

/** The text that a revision seals of a row: its JSON, after its status if that is not the normal one. */
export function getSealedText(table: StorageTable, { columns, json }: EncodedRow): string {
  const status = getStatus(table, columns);
  return status === NORMAL_STATUS ? json : `${status}${json}`;
}

/** The same in SQL, of a row of a table. */
export function sealedTextSql({ hasStatus }: StorageTable, row: string): string {
  if (!hasStatus) return `${row}.record`;
  return `CASE ${row}.status WHEN '${NORMAL_STATUS}' THEN '' ELSE ${row}.status END || ${row}.record`;
}

/** The JSON of a sealed text, and the status, unless it is the normal one. */
export function splitSealedText(text: string): { json: string; status?: string } {
  const start = text.indexOf('{');
  return start === 0 ? { json: text } : { json: text.slice(start), status: text.slice(0, start) };
}
