import type { SQL } from 'bun';

/** Rows in the text format of COPY, some thousands in each chunk. */
export type CopyChunks = readonly string[];

const COLUMNS = 'date, symbol, symbol_key, isin_key, type, record, since';
const BATCH_ROWS = 5_000;

/** The rows of current quotes, in the order of their insertion. */
export async function readCopyChunks(pool: SQL): Promise<CopyChunks> {
  const chunks: string[] = [];
  await pool.begin(async (connection) => {
    await connection.unsafe(
      `DECLARE rows CURSOR FOR SELECT ${COLUMNS} FROM quotes_now ORDER BY ctid`,
    );
    for (;;) {
      const rows: object[] = await connection.unsafe(`FETCH ${BATCH_ROWS} FROM rows`);
      if (rows.length === 0) break;
      chunks.push(
        rows.map((row) => `${Object.values(row).map(escapeCopyValue).join('\t')}\n`).join(''),
      );
    }
  });
  return chunks;
}

function escapeCopyValue(value: string | number): string {
  return String(value).replaceAll('\\', '\\\\');
}

/** The seconds that COPY takes to fill a plain table with the same indexes. */
export async function measureCopy(pool: SQL, chunks: CopyChunks): Promise<number> {
  await pool.unsafe('DROP TABLE IF EXISTS plain');
  await pool.unsafe('CREATE TABLE plain (LIKE quotes_now INCLUDING INDEXES)');
  const started = performance.now();
  const writer = pool.unsafe(`COPY plain (${COLUMNS}) FROM STDIN`).writable().getWriter();
  for (const chunk of chunks) await writer.write(chunk);
  await writer.close();
  return (performance.now() - started) / 1_000;
}
