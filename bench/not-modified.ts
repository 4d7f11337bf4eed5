import { sideBySide } from './compare-rates.ts';
import type { Row } from './result-table.ts';
import { AUTHORIZED, bare, ours } from './server-processes.ts';

/** Answers that the client has, and answers in fewer bytes, that were asked for before. */
export async function known(databaseUrl: string, what: string, target: string): Promise<Row[]> {
  const server = await ours(databaseUrl);
  const { address } = server;
  const plain = { address, targets: [target], headers: AUTHORIZED };
  const rows: Row[] = [];
  for (const encoding of ['zstd', 'br', 'gzip']) {
    const headers = { ...AUTHORIZED, 'Accept-Encoding': encoding };
    await reply(address, target, headers);
    const { first, second, ratio } = await sideBySide({ ...plain, headers }, plain);
    rows.push({
      what: `${what} in ${encoding}, asked before`,
      measured: `${first} req/s`,
      against: `${second} req/s, as it is`,
      ratio,
      aim: '≥ 0.8',
    });
  }
  rows.push(await unchanged(address, what, target));
  await server.stop();
  return rows;
}

/** That nothing has changed, against a bare handler that says so without looking. */
async function unchanged(address: string, what: string, target: string): Promise<Row> {
  const whole = await reply(address, target, { ...AUTHORIZED, 'Accept-Encoding': 'identity' });
  const headers = { ...AUTHORIZED, 'If-None-Match': whole.headers.get('etag') ?? '' };
  const response = await reply(address, target, { ...headers, 'Accept-Encoding': 'identity' });
  if (response.status !== 304) throw new Error(`status ${response.status} in the place of 304`);
  const other = await bare(response);
  const asked = { targets: [target], headers };
  const { first, second, ratio } = await sideBySide(
    { ...asked, address },
    { ...asked, address: other.address },
  );
  await other.stop();
  return {
    what: `${what}, not changed (304)`,
    measured: `${first} req/s`,
    against: `${second} req/s, bare handler`,
    ratio,
    aim: '≥ 0.9',
  };
}

function reply(address: string, target: string, headers: Record<string, string>) {
  return fetch(`${address}${target}`, { headers });
}
