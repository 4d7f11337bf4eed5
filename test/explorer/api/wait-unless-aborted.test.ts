import { expect, test } from 'bun:test';
import { waitUnlessAborted } from '../../../src/explorer/api/wait-unless-aborted.ts';

test('a wait ends after its delay, and at once when it is aborted before or meanwhile', async () => {
  await waitUnlessAborted(1, new AbortController().signal);
  await waitUnlessAborted(600_000, AbortSignal.abort());
  const controller = new AbortController();
  const wait = waitUnlessAborted(600_000, controller.signal);
  controller.abort();
  expect(await wait).toBeUndefined();
});
