import type { Candidate, CandidatePart } from '../candidates.ts';
import { type QuerySteps, queryRow, queryRows } from './query-steps.ts';
import { CANDIDATE_PARTS_TABLE, CANDIDATES_TABLE, REVIEWS_TABLE } from './stored-tables.ts';

interface CandidateRow {
  readonly id: number;
  readonly document: string;
}

function toCandidate({ id, document }: CandidateRow): Candidate {
  return { ...JSON.parse(document), id };
}

export function* findCandidates(includesClosed: boolean): QuerySteps<Candidate[]> {
  const condition = includesClosed ? '' : "WHERE state = 'staged'";
  const sql = `SELECT id, document FROM ${CANDIDATES_TABLE} ${condition} ORDER BY id`;
  return (yield* queryRows<CandidateRow>({ sql })).map(toCandidate);
}

export function* findCandidate(id: number): QuerySteps<Candidate | undefined> {
  const sql = `SELECT id, document FROM ${CANDIDATES_TABLE} WHERE id = ?`;
  const row = yield* queryRow<CandidateRow>({ sql, values: [id] });
  return row && toCandidate(row);
}

/** Adds a candidate; one that it replaces is closed at once, so that neither both wait nor none. */
export function* insertCandidate(
  candidate: Omit<Candidate, 'id'>,
  parts: readonly CandidatePart[],
  closed?: Candidate,
): QuerySteps<number> {
  if (closed) yield* updateCandidate(closed);
  const row = yield* queryRow<{ id: number }>({
    sql: `INSERT INTO ${CANDIDATES_TABLE} SELECT coalesce(max(id), 0) + 1, ?, ? FROM ${CANDIDATES_TABLE}
      RETURNING id`,
    values: [candidate.state, JSON.stringify(candidate)],
  });
  const id = Number(row?.id);
  yield* insertParts(id, parts);
  return id;
}

export function* updateCandidate(
  { id, ...candidate }: Candidate,
  parts: readonly CandidatePart[] = [],
): QuerySteps<void> {
  yield {
    sql: `UPDATE ${CANDIDATES_TABLE} SET state = ?, document = ? WHERE id = ?`,
    values: [candidate.state, JSON.stringify(candidate), id],
  };
  const names = [...new Set(parts.map(({ name }) => name))];
  const isClosed = candidate.state !== 'staged';
  // What is said of it stays, without its records.
  const replaced = isClosed ? '' : ` AND name IN (NULL${', ?'.repeat(names.length)})`;
  const values = [id, ...(isClosed ? [] : names)];
  yield {
    sql: `DELETE FROM ${CANDIDATE_PARTS_TABLE} WHERE candidate = ?${replaced}`,
    values,
  };
  yield* insertParts(id, parts);
}

/** Replaces what is said of a candidate, unless somebody else did since it was read. */
export function* updateUnchanged(
  { id, ...known }: Candidate,
  { id: _, ...candidate }: Candidate,
): QuerySteps<boolean> {
  const row = yield* queryRow({
    sql: `UPDATE ${CANDIDATES_TABLE} SET document = ? WHERE id = ? AND document = ? RETURNING id`,
    values: [JSON.stringify(candidate), id, JSON.stringify(known)],
  });
  return row !== undefined;
}

function* insertParts(id: number, parts: readonly CandidatePart[]): QuerySteps<void> {
  for (const [number, { name, bytes }] of parts.entries()) {
    const data = Buffer.from(bytes).toString('base64');
    yield {
      sql: `INSERT INTO ${CANDIDATE_PARTS_TABLE} VALUES (?, ?, ?, ?)`,
      values: [id, name, number, data],
    };
  }
}

/** The next bytes of a part after some row; undefined at its end. */
export function* findPartBytes(
  id: number,
  name: string,
  after: number,
): QuerySteps<{ readonly number: number; readonly bytes: Uint8Array } | undefined> {
  const row = yield* queryRow<{ number: number; data: string }>({
    sql: `SELECT number, data FROM ${CANDIDATE_PARTS_TABLE}
      WHERE candidate = ? AND name = ? AND number > ? ORDER BY number LIMIT 1`,
    values: [id, name, after],
  });
  return row && { number: Number(row.number), bytes: Buffer.from(row.data, 'base64') };
}

export function* findReviews(): QuerySteps<ReadonlyMap<string, number>> {
  const sql = `SELECT dataset, approvals FROM ${REVIEWS_TABLE} WHERE approvals > 0`;
  const rows = yield* queryRows<{ dataset: string; approvals: number }>({ sql });
  return new Map(rows.map(({ dataset, approvals }) => [dataset, Number(approvals)]));
}

export function* writeReview(dataset: string, approvals: number): QuerySteps<void> {
  yield { sql: `DELETE FROM ${REVIEWS_TABLE} WHERE dataset = ?`, values: [dataset] };
  yield {
    sql: `INSERT INTO ${REVIEWS_TABLE} VALUES (?, ?)`,
    values: [dataset, approvals],
  };
}
