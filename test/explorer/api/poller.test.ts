import { afterEach, beforeEach, describe, expect, jest, test } from 'bun:test';
import type { StreamSignal } from '../../../src/explorer/api/listen-for-revisions.ts';
import { Poller } from '../../../src/explorer/api/poller.ts';
import type { Tab } from '../../../src/explorer/api/tab.ts';

const TAB: Tab = {
  baseUrl: new URL('https://tenor.example/'),
  locks: undefined,
  isHidden: () => false,
  hasFocus: () => true,
  addEventListener() {},
  openChannel: () => undefined,
};

/** Longer than several revisions are waited for, and shorter than polls are apart. */
const EVENT_MS = 500;

/** A poller that has read revision 3; how often it polls afterwards. */
async function startPoller() {
  let polls = 0;
  let signal: (signal: StreamSignal) => void = () => {};
  const poll = async () => {
    polls++;
    return { revision: '3 A' as const };
  };
  const poller = new Poller(TAB, poll, (_, onSignal) => {
    signal = onSignal;
    return () => {};
  });
  await settle(0);
  const countPolls = async (signals: readonly StreamSignal[], ms = EVENT_MS) => {
    const before = polls;
    for (const each of signals) signal(each);
    await settle(ms);
    return polls - before;
  };
  return { poller, countPolls };
}

async function settle(ms: number): Promise<void> {
  jest.advanceTimersByTime(ms);
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
}

describe('a poller', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  test('polls when a later revision is named, once for several, and not for the one that it has', async () => {
    const { poller, countPolls } = await startPoller();
    expect(await countPolls(['3 A', '3 A'])).toBe(0);
    expect(await countPolls(['4 A', '5 A'])).toBe(1);
    poller.stop();
  });

  test('does not put off a poll that is planned, whatever asks for a later one', async () => {
    const { poller, countPolls } = await startPoller();
    poller.scheduleWithin(0);
    poller.scheduleWithin(1_500);
    expect(await countPolls(['4 A'], 1)).toBe(1);
    poller.stop();
  });

  test.each(['0 ', '2 B'] as const)(
    'polls when the next stream names revision %s, because another database has fewer',
    async (revision) => {
      const { poller, countPolls } = await startPoller();
      await countPolls(['3 A']);
      await countPolls(['lost']);
      expect(await countPolls([revision])).toBe(1);
      expect(await countPolls([revision])).toBe(0);
      poller.stop();
    },
  );

  test('polls until it has read the revision that is named, if another database has one of its number', async () => {
    const { poller, countPolls } = await startPoller();
    expect(await countPolls(['3 B'])).toBe(1);
    for (let count = 0; count < 3; count++) expect(await countPolls(['3 B'], 5_000)).toBe(1);
    poller.stop();
  });

  test('polls once more, if the one that it has read is later than the one that is named', async () => {
    const { poller, countPolls } = await startPoller();
    expect(await countPolls(['2 B'])).toBe(1);
    expect(await countPolls(['2 B'], 5_000)).toBe(1);
    expect(await countPolls(['2 B'], 5_000)).toBe(0);
    poller.stop();
  });

  test('polls when a stream names the revision that was read before the last one was lost', async () => {
    const { poller, countPolls } = await startPoller();
    // It has heard of no stream before: the poll of every five seconds comes in time.
    expect(await countPolls(['lost'])).toBe(0);
    expect(await countPolls(['3 A'])).toBe(1);
    poller.stop();
  });
});
