import { describe, expect, test } from 'bun:test';
import { LockConflictError, StoreBusyError } from '../../src/store/open-store.ts';
import { retryWhileBusy } from '../../src/store/retry-while-busy.ts';

describe('what locks of others stop', () => {
  test('is retried with growing pauses, until the lock wait is over', async () => {
    let attempts = 0;
    const causes: StoreBusyError[] = [];
    const options = { waitMs: 1_000, onWait: (cause: StoreBusyError) => causes.push(cause) };
    const waiting = retryWhileBusy(options, () => {
      attempts++;
      throw new LockConflictError('in the way');
    });
    await expect(waiting).rejects.toThrow('in the way; gave up after 1 s');
    await expect(waiting).rejects.toBeInstanceOf(StoreBusyError);
    // After 0, 100, 300, 700 and 1,000 ms; later ones come fewer, where the machine is busy.
    expect(attempts).toBeWithin(2, 7);
    expect(causes.map(({ message }) => message)).toEqual(['in the way']);
  });

  test('is not retried, nor said to be waited for, without a lock wait', async () => {
    const causes: StoreBusyError[] = [];
    const options = { waitMs: 0, onWait: (cause: StoreBusyError) => causes.push(cause) };
    const waiting = retryWhileBusy(options, () => {
      throw new StoreBusyError('in the way');
    });
    await expect(waiting).rejects.toThrow('in the way; gave up at once');
    expect(causes).toEqual([]);
  });

  test('has the whole lock wait after an attempt that took longer than that', async () => {
    let attempts = 0;
    const attempt = async () => {
      if (++attempts > 1) return attempts;
      await Bun.sleep(30);
      throw new LockConflictError('in the way');
    };
    expect(await retryWhileBusy({ waitMs: 20 }, attempt)).toBe(2);
  });

  test('is not retried once the signal is aborted, also during a pause', async () => {
    const controller = new AbortController();
    const options = { signal: controller.signal, onWait: () => controller.abort('stopped') };
    const waiting = retryWhileBusy(options, () => {
      throw new LockConflictError('in the way');
    });
    await expect(waiting).rejects.toBe('stopped');
  });
});
