import { MAX_TRACKED_ADDRESSES } from './failed-auth-limiter.ts';
import { type BucketRate, createBucketTable, MAX_TRACKED_TOKENS } from './rate-limiter.ts';

interface BucketUsage {
  readonly key: string;
  /** For processes that have no bucket for the key yet. */
  readonly rate: BucketRate;
  /** Negative if more was refunded than taken. */
  readonly requests: number;
}

/** Requests that one process let through, and failed authentications that it counted. */
export interface UsageReport {
  readonly tokens: readonly BucketUsage[];
  readonly addresses: readonly BucketUsage[];
}

export type SharedLimits = ReturnType<typeof createSharedLimits>;

/** Limits that hold for several processes together: each reports its usage to the others. */
export function createSharedLimits(nowMs?: () => number) {
  const tokens = createTrackedTable(MAX_TRACKED_TOKENS, nowMs);
  const addresses = createTrackedTable(MAX_TRACKED_ADDRESSES, nowMs);
  return {
    tokens: tokens.find,
    addresses: addresses.find,
    /** The usage since the last call; undefined if there is none. */
    drainUsage(): UsageReport | undefined {
      const report = { tokens: tokens.drain(), addresses: addresses.drain() };
      return report.tokens.length + report.addresses.length > 0 ? report : undefined;
    },
    /** Charges the usage of another process. */
    applyUsage(report: UsageReport) {
      tokens.charge(report.tokens);
      addresses.charge(report.addresses);
    },
  };
}

function createTrackedTable(max: number, nowMs?: () => number) {
  const usage = new Map<string, BucketUsage>();
  const find = createBucketTable(max, nowMs, (key, rate, requests) => {
    usage.set(key, { key, rate, requests: (usage.get(key)?.requests ?? 0) + requests });
  });
  return {
    find,
    drain(): BucketUsage[] {
      const drained = [...usage.values()];
      usage.clear();
      return drained;
    },
    charge(others: readonly BucketUsage[]) {
      for (const { key, rate, requests } of others) find(key, rate).charge(requests);
    },
  };
}
