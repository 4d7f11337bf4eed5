import { ReadingClients } from './clients.ts';
import { defineStep, type StepKinds, type WorldOptions } from './plan.ts';
import { QUERIES } from './queries.ts';
import type { Random } from './random.ts';

const drawClient = (random: Random, { clients }: WorldOptions) => ({
  client: random.integer(0, clients - 1),
});

/** Tokens that are issued to clients, and revoked. */
export const tokenSteps: StepKinds = {
  'issue token': defineStep<{
    client: number;
    scopes: readonly string[];
    expiresInMs?: number;
  }>({
    weight: () => 1,
    draw: (random, options) => ({
      ...drawClient(random, options),
      scopes: random.isLikely(0.7) ? ['quotes', 'funds', 'alternate'] : ['quotes'],
      ...(random.isLikely(0.3) && { expiresInMs: random.integer(50, 4_000) }),
    }),
    apply(world, { client: index, ...options }) {
      const clients = world.getPart(ReadingClients);
      const token = world.tokens.create(options);
      clients.find(index)?.useToken(token);
      // A new token works at once on every server.
      for (const server of world.servers.keys())
        clients.run(index, (client) => client.request({ query: QUERIES.day(), token, server }));
    },
  }),
  'issue link': defineStep<{ client: number }>({
    weight: () => 0.3,
    draw: drawClient,
    apply(world, { client }) {
      const link = world.tokens.create({ scopes: ['quotes'], target: '/2.0/bnb/quote' });
      world.getPart(ReadingClients).find(client)?.links.push(link);
    },
  }),
  'revoke token': defineStep<{ client: number }>({
    weight: () => 0.8,
    draw: drawClient,
    apply(world, { client }) {
      const { token, links = [] } = world.getPart(ReadingClients).find(client) ?? {};
      for (const revoked of [token, links.at(-1)]) if (revoked) world.tokens.revoke(revoked);
    },
  }),
};
