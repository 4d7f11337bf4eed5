import { catalogue } from '../../src/catalogue/index.ts';
import type { FollowStatus } from '../../src/follow/follow-status.ts';
import { Follower, type FollowerOptions } from '../../src/follow/follower.ts';
import { openUpstream } from '../../src/follow/open-upstream.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { TestStore } from './store.ts';
import { TOKEN } from './test-server.ts';

export interface TestFollower {
  readonly statuses: FollowStatus[];
  /** After how many milliseconds to look again. */
  readonly intervalMs: number;
  /** Looks at the source once, and returns how it then is. */
  poll(): Promise<FollowStatus>;
  close(): void;
}

/** A store that follows a source, one look after the other. */
export function createFollower(
  { url }: Pick<TestStore, 'url'>,
  source: string,
  { token = TOKEN, ...options }: Partial<FollowerOptions> & { readonly token?: string } = {},
): TestFollower {
  const statuses: FollowStatus[] = [];
  const follower = new Follower({
    openStore: () => openStore(url, catalogue, { preparation: 'none' }),
    sourceName: source,
    source: openUpstream(source, token),
    onStatus: (status) => statuses.push(status),
    ...options,
  });
  let intervalMs = 0;
  return {
    statuses,
    get intervalMs() {
      return intervalMs;
    },
    async poll() {
      intervalMs = await follower.poll();
      return statuses.at(-1) as FollowStatus;
    },
    close: () => follower.close(),
  };
}
