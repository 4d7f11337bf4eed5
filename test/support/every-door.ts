import { catalogue } from '../../src/catalogue/index.ts';
import { fetchRaw, pickLastingHeaders } from './fetch-raw.ts';
import { createMessage, postMessage } from './mcp-client.ts';
import { formatWidgetTarget, type WidgetEntry } from './openbb-widgets.ts';
import { type TestServer, TOKEN } from './test-server.ts';

/** A request's target, or a message to /mcp. */
export type Door = string | ReturnType<typeof createMessage>;

const SHIPPED = catalogue.map(({ name }) => name);

/** Where a dataset can be read, also as of a revision. */
const listDatasetDoors = (name: string) => [
  ...(catalogue.find((dataset) => dataset.name === name)?.paths ?? []),
  ...[`/datasets/${name}`, `/vintages/${name}`, `/corrections/${name}`, `/changes/${name}?since=0`],
  `/exports/${name}.csv`,
];

/** Every door that takes `as_of`, of datasets with what is made from them; by default of all that ship. */
export function listPastDoors(names: readonly string[] = SHIPPED): string[] {
  const declared = names.filter((name) => !SHIPPED.includes(name));
  return [
    ...names.flatMap(listDatasetDoors),
    ...declared.flatMap((name) => [
      ...[`/datasets/${name}?format=csv`, `/exports/${name}.parquet`],
      ...[`/datasets/${name}?frequency=month&units=pch`, `/changes/${name}?since=1&format=csv`],
      `/aligned?columns=${name}.bid(tenor=1M),quotes.ytm(symbol=A)`,
    ]),
    ...['/catalogue', '/catalogue?format=csv', '/datapackage.json', '/2.0/bnb/securities'],
    ...['/2.0/bnb/securities?format=csv', '/2.0/bnb/curve', '/2.0/bnb/analytics', '/3.0/funds'],
  ];
}

export const atRevision = (target: string, revision: number) =>
  `${target}${target.includes('?') ? '&' : '?'}as_of=${revision}`;

/** The doors that have no `as_of`, of a server with that newest revision. */
export async function listCurrentDoors(server: TestServer, revision: number): Promise<Door[]> {
  const widgets: Record<string, WidgetEntry> = await server.getJson('/widgets.json');
  return [
    ...['/openapi.json', '/widgets.json', '/apps.json', '/ledger/checkpoint', '/ledger/keys'],
    ...[
      '/releases',
      '/revisions',
      `/revisions/${revision}`,
      `/ledger/entries/${revision}`,
      `/ledger/proof/${revision}`,
    ],
    // Those of what ships are made by the operations that are read above.
    ...Object.values(widgets)
      .map((widget) => formatWidgetTarget(widget))
      .filter((target) => !SHIPPED.some((name) => target.includes(name))),
    createMessage('tools/list'),
    createMessage('tools/call', { name: 'describe_datasets', arguments: {} }),
  ];
}

/** What both servers have to send alike: the status, headers and bytes. */
export async function readDoor(server: TestServer, door: Door, revision: number) {
  // Some bodies have the address that the client used.
  const seen = { host: 'tenor.example', 'tenor-revision': String(revision) };
  if (typeof door !== 'string') {
    const headers = { ...seen, ...door.headers, Authorization: `Bearer ${TOKEN}` };
    const response = await postMessage(server.address, door.body, headers);
    return { status: response.status, body: await response.text() };
  }
  const { status, headers, text, bytes } = await fetchRaw(server, door, seen);
  // Cursors are signed by each server with a secret of its own.
  const { link: _, ...lasting } = pickLastingHeaders(headers);
  return { status, ...lasting, body: text, digest: Bun.hash(bytes) };
}

export type DoorReply = Awaited<ReturnType<typeof readDoor>>;

/** More wait for their turn than a token may have waiting. */
const AT_ONCE = 6;

/** Reads doors of a server, a few at a time. */
export async function readDoors(server: TestServer, doors: Iterable<Door>, revision: number) {
  const all = [...doors];
  const replies = new Map<Door, DoorReply>();
  for (let first = 0; first < all.length; first += AT_ONCE) {
    const read = all.slice(first, first + AT_ONCE).map(async (door) => {
      replies.set(door, await readDoor(server, door, revision));
    });
    await Promise.all(read);
  }
  return replies;
}
