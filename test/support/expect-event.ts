import { expect } from 'bun:test';
import { quotes } from '../../src/catalogue/datasets/quotes.ts';
import { quote } from './quote-fixture.ts';
import { createEventReader } from './read-events.ts';
import type { TestStore } from './store.ts';
import { TOKEN } from './test-server.ts';

/** Publishes a revision, and reads its event at an address: that of a proxy, perhaps. */
export async function expectEvent(address: string, store: TestStore): Promise<void> {
  const headers = { authorization: `Bearer ${TOKEN}` };
  const response = await fetch(`${address}/events`, { headers });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const events = createEventReader(response.body);
  await events.next();
  const published = await store.publish(quotes, [quote({ symbol: 'EVENT' })]);
  expect((await events.nextEvent())?.id).toBe(published?.revision ?? 0);
  await events.close();
}
