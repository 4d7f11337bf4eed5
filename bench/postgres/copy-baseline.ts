import type { SQL } from 'bun';

/** Rows as COPY takes them, some thousands in each. */
export type Pieces = readonly string[];

const COLUMNS = 'date, symbol, symbol_key, isin_key, type, record, since';
const AT_ONCE = 5_000;

/** The rows of the quotes that stand, in the order in which they came. */
export async function piecesOf(pool: SQL): Promise<Pieces> {
  const chunks: string[] = [];
  await pool.begin(async (connection) => {
    await connection.unsafe(
      `DECLARE rows CURSOR FOR SELECT ${COLUMNS} FROM quotes_now ORDER BY ctid`,
    );
    for (;;) {
      const rows: object[] = await connection.unsafe(`FETCH ${AT_ONCE} FROM rows`);
      if (rows.length === 0) break;
      chunks.push(rows.map((row) => `${Object.values(row).map(escaped).join('\t')}\n`).join(''));
    }
  });
  return chunks;
}

function escaped(value: string | number): string {
  return String(value).replaceAll('\\', '\\\\');
}

/** How many seconds COPY takes to put the rows into a plain table with the indexes of ours. */
export async function copyTime(pool: SQL, chunks: Pieces): Promise<number> {
  await pool.unsafe('DROP TABLE IF EXISTS plain');
  await pool.unsafe('CREATE TABLE plain (LIKE quotes_now INCLUDING INDEXES)');
  const started = performance.now();
  const copying = pool.unsafe(`COPY plain (${COLUMNS}) FROM STDIN`).writable().getWriter();
  for (const chunk of chunks) await copying.write(chunk);
  await copying.close();
  return (performance.now() - started) / 1_000;
}
