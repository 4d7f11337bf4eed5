import { system } from '../../src/shared/system.ts';
import { type ReadingClient, ReadingClients } from './clients.ts';
import { Copy } from './copy.ts';
import { EventFollower } from './event-follower.ts';
import { drawChange, type SimulatedChange } from './model.ts';
import { defineStep, type StepKind, type StepKinds, type WorldOptions } from './plan.ts';
import { postgresSteps } from './postgres-steps.ts';
import {
  createLinkQuery,
  createToolQuery,
  QUERIES,
  QUERY_NAMES,
  type Query,
  type QueryName,
} from './queries.ts';
import { Random } from './random.ts';
import { GUESSED_TOKEN, type SimulatedToken } from './simulated-tokens.ts';

const MAX_AHEAD_MS = 900;

interface ReadStep {
  readonly client: number;
  readonly server: number;
  readonly query: QueryName;
  /** Decides what the query asks for. */
  readonly choice: number;
  readonly isEndedToken?: boolean;
  readonly isGuessedToken?: boolean;
  readonly carriesRevision?: boolean;
  readonly isConditional?: boolean;
  /** As of how many revisions before the newest one that it has seen. */
  readonly revisionsBack?: number;
  /** As of an instant so long before the present. */
  readonly instantBackMs?: number;
  readonly isCounted?: boolean;
  readonly hangsUpAfterMs?: number;
}

interface BurstStep extends ReadStep {
  readonly count: number;
  readonly withinMs: number;
  /** Whether each is as of another second. */
  readonly isDated?: boolean;
  /** Whether they go to any server, each with the newest revision that was seen before. */
  readonly roams?: boolean;
  /** Whether each is another request, whose response is not in a cache, and counts records. */
  readonly varies?: boolean;
  readonly change: SimulatedChange;
  /** The lag of a replica that begins with it. */
  readonly lag?: object;
}

interface WalkStep {
  readonly client: number;
  readonly server: number;
  readonly choice: number;
  readonly carriesRevision: boolean;
  /** Whether each page is of any server. */
  readonly roams?: boolean;
}

interface CopyStep {
  readonly client: number;
  readonly server: number;
  readonly copy: number;
}

type ClientOptions = Pick<WorldOptions, 'clients' | 'servers'>;

function drawClient(random: Random, { clients, servers }: ClientOptions) {
  return { client: random.integer(0, clients - 1), server: random.integer(0, servers - 1) };
}

function findToken({ tokens, token }: ReadingClient, isEnded = false): SimulatedToken {
  return (isEnded && tokens.findLast(({ endMs }) => endMs < Number.POSITIVE_INFINITY)) || token;
}

/** What a client does once: how it is drawn from a seed, and how it is done. */
interface ClientAction<Parameters> {
  readonly weight: number;
  draw(random: Random, options: ClientOptions): Parameters;
  run(client: ReadingClient, parameters: Parameters): Promise<unknown>;
}

/** Every other one is the end of a second. */
function toInstant(ms: number): number {
  return ms % 2 === 0 ? ms : endOfSecond(ms);
}

function endOfSecond(ms: number): number {
  return Math.floor(ms / 1_000) * 1_000 + 999;
}

const read: ClientAction<ReadStep> = {
  weight: 14,
  draw: (random, options) => ({
    ...drawClient(random, options),
    query: random.pick(QUERY_NAMES),
    choice: random.integer(0, 3),
    ...(random.isLikely(0.1) && { isEndedToken: true }),
    ...(random.isLikely(0.05) && { isGuessedToken: true }),
    ...(random.isLikely(0.4) && { carriesRevision: true }),
    ...(random.isLikely(0.3) && { isConditional: true }),
    ...(random.isLikely(0.15) && { revisionsBack: random.integer(0, 3) }),
    ...(random.isLikely(0.1) && { instantBackMs: random.integer(-200, 400) }),
    ...(random.isLikely(0.1) && { isCounted: true }),
    ...(random.isLikely(0.08) && { hangsUpAfterMs: random.integer(0, 30) }),
  }),
  run(client, { client: _, query: name, choice, isEndedToken, instantBackMs, ...options }) {
    const query: Query = QUERIES[name](new Random(choice));
    const isDated = instantBackMs !== undefined && !query.takesNoAsOf;
    return client.request({
      ...options,
      query,
      token: options.isGuessedToken ? GUESSED_TOKEN : findToken(client, isEndedToken),
      isCounted: options.isCounted === true && query.listAll !== undefined,
      // What is further in the future is not waited for.
      instantMs: isDated
        ? Math.min(toInstant(system.now() - instantBackMs), system.now() + MAX_AHEAD_MS)
        : undefined,
      revisionsBack: isDated ? undefined : options.revisionsBack,
    });
  },
};

const VARIED = ['day', 'range', 'range', 'all'] as const;

/** The same request many times in a short while, as a cache is for; or requests of several kinds. */
const burst: ClientAction<Omit<BurstStep, 'change' | 'lag'>> = {
  weight: 1,
  draw: (random, options) => ({
    ...drawClient(random, options),
    query: random.pick(['day', 'symbol', 'series', 'range'] as const),
    choice: random.integer(0, 3),
    count: random.integer(3, 8),
    withinMs: random.integer(20, 600),
    ...(random.isLikely(0.25) && { isDated: true }),
    ...(random.isLikely(0.4) && { roams: true }),
    ...(random.isLikely(0.4) && { varies: true }),
  }),
  async run(client, { query: name, choice, withinMs, isDated, roams, varies, ...burst }) {
    const { scheduler, servers } = client.world;
    const { random } = scheduler;
    const repeated: Query = QUERIES[name](new Random(choice));
    const request = async () => {
      await scheduler.wait(random.between(0, withinMs), 'burst');
      const instantMs = endOfSecond(system.now() - random.integer(1, 4) * 1_000);
      const query: Query = varies ? QUERIES[random.pick(VARIED)](random) : repeated;
      if (varies && roams && random.isLikely(0.3)) {
        const pages = QUERIES.range(random);
        return client.walk({ query: pages, token: client.token, server: burst.server, roams });
      }
      await client.request({
        query,
        token: client.token,
        server: burst.server,
        ...(varies && { isCounted: query.listAll !== undefined && random.isLikely(0.5) }),
        ...(roams && { server: random.integer(0, servers.length - 1), carriesRevision: true }),
        ...(isDated && { instantMs }),
      });
    };
    await Promise.all(Array.from({ length: burst.count }, request));
  },
};

const walk: ClientAction<WalkStep> = {
  weight: 3,
  draw: (random, options) => ({
    ...drawClient(random, options),
    choice: random.integer(0, 9),
    carriesRevision: random.isLikely(0.5),
    ...(random.isLikely(0.4) && { roams: true }),
  }),
  run(client, { client: _, choice, ...options }) {
    const query = QUERIES.range(new Random(choice));
    return client.walk({ ...options, query, token: client.token });
  },
};

const copy: ClientAction<CopyStep> = {
  weight: 3,
  draw: (random, options) => ({ ...drawClient(random, options), copy: random.integer(0, 1) }),
  async run(client, { server, copy: index }) {
    client.copies[index] ??= new Copy(client, index === 0 ? 'quotes' : 'series');
    await client.copies[index]?.update(server);
  },
};

/** Asks for the tool of a language model. */
const ask: ClientAction<{ readonly client: number; readonly server: number }> = {
  weight: 0.4,
  draw: drawClient,
  run: (client, { server }) =>
    client.request({ query: createToolQuery(), token: client.token, server }),
};

/** Uses the link that it was given last. */
const useLink: ClientAction<{ readonly client: number; readonly server: number }> = {
  weight: 0.7,
  draw: drawClient,
  async run(client, { server }) {
    const token = client.links.at(-1);
    if (token) await client.request({ query: createLinkQuery(token.secret), token, server });
  },
};

function toStep<Parameters extends { readonly client: number }>(
  action: ClientAction<Parameters>,
): StepKind {
  return defineStep<Parameters>({
    weight: () => action.weight,
    draw: action.draw,
    apply: (world, parameters) =>
      world
        .getPart(ReadingClients)
        .run(parameters.client, (client) => action.run(client, parameters)),
  });
}

export const readingSteps: StepKinds = {
  read: toStep(read),
  walk: toStep(walk),
  copy: toStep(copy),
  burst: toStep(burst),
  ask: toStep(ask),
  'use link': toStep(useLink),
  // Responses of two revisions in a row: those that were cached, and those that come after.
  'publish in a burst': defineStep<BurstStep>({
    weight: () => 2.5,
    draw: (random, options) => ({
      ...burst.draw(random, options),
      change: { ...drawChange(random), dataset: 'quotes' },
      query: random.pick(['day', 'range'] as const),
      count: random.integer(8, 16),
      ...(postgresSteps.lag?.weight(options) &&
        random.isLikely(0.4) && { lag: postgresSteps.lag.draw(random, options) }),
    }),
    apply(world, { change, lag, ...parameters }) {
      const { scheduler } = world;
      if (lag) world.apply('lag', lag);
      const delayMs = scheduler.random.between(0, parameters.withinMs / 2);
      scheduler.after(delayMs, 'publish', () => world.database.publish(change));
      world
        .getPart(ReadingClients)
        .run(parameters.client, (client) => burst.run(client, parameters));
    },
  }),
  follow: defineStep<{ client: number; server: number }>({
    weight: () => 1.5,
    draw: drawClient,
    apply(world, { client: index, server }) {
      world.getPart(ReadingClients).run(index, async (client) => {
        const follower = new EventFollower(client, server);
        client.followers.push(follower);
        await follower.run();
      });
    },
  }),
};
