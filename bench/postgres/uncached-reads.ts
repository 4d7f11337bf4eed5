import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import type { QuoteSelection, Store, StoreReader } from '../../src/store/open-store.ts';
import { inTurn, sideBySide } from '../compare-rates.ts';
import { days, symbols } from '../million-quotes.ts';
import type { Row } from '../result-table.ts';
import { AUTHORIZED, byHand, ours } from '../server-processes.ts';
import { type Hand, handOn } from './baseline-queries.ts';

const AIM = '≥ 0.80';
const READS = 2_000;
const AT_ONCE = 32;
/** More than a second asks for, and more than a server remembers. */
const TARGETS = 8_000;

/** Answers that were never asked for, against the same queries sent by hand. */
export async function coldOnPostgres(store: Store & { readonly url: string }): Promise<Row[]> {
  const hand = handOn(store.url);
  const reader = store.reader();
  const rows: Row[] = [];
  for (const kind of KINDS) rows.push(await requests(store.url, kind));
  for (const kind of KINDS) rows.push(await reads(reader, hand, kind));
  reader.close();
  await hand.close();
  return rows;
}

/** Something to ask, another one in each turn. */
interface Kind {
  readonly what: string;
  target(iteration: number): string;
  selection(iteration: number): QuoteSelection;
  byHand(hand: Hand, iteration: number): Promise<string>;
}

const BASE = { kind: 'quotes', dataset: quotes, limit: 100 } as const;
const symbolAt = (iteration: number) => symbols[(iteration * 7_919) % symbols.length] ?? '';
const endAt = (iteration: number) => days[100 + ((iteration * 1_009) % (days.length - 100))] ?? '';
const dayAt = (iteration: number) => days[(iteration * 1_009) % days.length] ?? '';

const KINDS: readonly Kind[] = [
  {
    what: '100-record history of one security',
    target: (iteration) => `symbol=${symbolAt(iteration)}&to=${endAt(iteration)}`,
    selection: (iteration) => ({
      ...BASE,
      security: symbolAt(iteration),
      dateRange: ['0001-01-01', endAt(iteration)],
    }),
    byHand: (hand, iteration) => hand.history(symbolAt(iteration), endAt(iteration)),
  },
  {
    what: '100-record snapshot of one day',
    target: (iteration) => `date=${dayAt(iteration)}`,
    selection: (iteration) => ({ ...BASE, dateRange: [dayAt(iteration), dayAt(iteration)] }),
    byHand: (hand, iteration) => hand.snapshot(dayAt(iteration)),
  },
];

async function requests(url: string, kind: Kind): Promise<Row> {
  const targetAt = (iteration: number) => `/2.0/bnb/quote?${kind.target(iteration)}`;
  const server = await ours(url);
  const ask = (address: string) =>
    fetch(address + targetAt(1), { headers: { ...AUTHORIZED, 'Accept-Encoding': 'identity' } });
  const response = await ask(server.address);
  const other = await byHand(url, response);
  if ((await response.text()) !== (await (await ask(other.address)).text())) {
    throw new Error(`${kind.what}: the two differ`);
  }
  const asking = (address: string) => (round: number) => ({
    address,
    targets: Array.from({ length: TARGETS }, (_, index) => targetAt(round * TARGETS + index)),
    headers: AUTHORIZED,
  });
  const { first, second, ratio } = await sideBySide(asking(server.address), asking(other.address));
  await Promise.all([server.stop(), other.stop()]);
  return {
    what: `${kind.what}, never asked before, on PostgreSQL, over HTTP`,
    measured: `${first} req/s`,
    against: `${second} req/s, the same query by hand`,
    ratio,
    aim: AIM,
  };
}

async function reads(reader: StoreReader, hand: Hand, kind: Kind): Promise<Row> {
  const rate = async (round: number, read: (iteration: number) => Promise<unknown>) => {
    let turn = round * READS;
    const end = turn + READS;
    const started = performance.now();
    const client = async () => {
      while (turn < end) await read(turn++);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, client));
    return (READS * 1_000) / (performance.now() - started);
  };
  const { first, second, ratio } = await inTurn(
    (round) => rate(round, (turn) => reader.read(kind.selection(turn))),
    (round) => rate(round, (turn) => kind.byHand(hand, turn)),
  );
  return {
    what: `${kind.what}, never asked before, on PostgreSQL, by the reader`,
    measured: `${first} reads/s`,
    against: `${second} reads/s, the same query by hand`,
    ratio,
    aim: AIM,
  };
}
