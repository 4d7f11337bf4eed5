import { describe, expect, test } from 'bun:test';
import { inspect } from 'node:util';
import { SERIES } from '../../clients/typescript/src/generated.ts';
import { Tenor } from '../../clients/typescript/src/index.ts';
import { answering, failureOf, ok, refusal, SECRET } from './typescript-support.ts';

describe('the token', () => {
  test('goes nowhere but to the service: no redirect is followed', async () => {
    await using elsewhere = answering(ok());
    for (const status of [301, 302, 303, 307, 308]) {
      const headers = { Location: `${elsewhere.address}/2.0/bnb/quote` };
      await using server = answering(() => new Response(null, { status, headers }));
      const failure = await failureOf(server.client().quotes());
      expect(failure).toMatchObject({ kind: 'redirected', status });
      expect(server.requests.length).toBe(1);
      await using inside = answering(() => Response.redirect('/elsewhere', status));
      expect(await failureOf(inside.client().quotes())).toMatchObject({ kind: 'redirected' });
    }
    expect(elsewhere.requests).toEqual([]);
  });

  test('goes nowhere but to the service: no page elsewhere is asked for', async () => {
    await using elsewhere = answering(ok());
    const { host } = new URL(elsewhere.address);
    for (const target of [
      elsewhere.address,
      `//${host}/x`,
      elsewhere.address.replace('http', 'https'),
    ]) {
      await using server = answering(ok([1], { Link: `<${target}>; rel="next"` }));
      const failure = await failureOf(server.client().quotes.all().toArray());
      expect(failure).toMatchObject({ kind: 'malformed' });
      expect(failure.message).toContain('another host');
      expect((await server.client().quotes()).meta.next).toStartWith('http');
    }
    expect(elsewhere.requests).toEqual([]);
  });

  test('is in no error, whatever the server says, and in no print of a client', async () => {
    await using server = answering(
      refusal(400, `got ${SECRET}`),
      refusal(200, `got ${SECRET}`),
      () => new Response(`Bearer ${SECRET}`, { status: 500 }),
    );
    const client = server.client({ tries: 1 });
    const failures = [
      await failureOf(client.quotes()),
      await failureOf(client.quotes()),
      await failureOf(client.quotes()),
    ];
    expect(failures[0]?.message).toBe('got [token]');
    for (const shown of [...failures, client, client.asOf('2026-07-01'), client.quotes.all()]) {
      expect(inspect(shown, { depth: 9, showHidden: true })).not.toContain(SECRET);
      expect(Bun.inspect(shown, { depth: 9 })).not.toContain(SECRET);
      expect(JSON.stringify(shown)).not.toContain(SECRET);
    }
    expect(server.requests[0]?.headers.get('authorization')).toBe(`Bearer ${SECRET}`);
  });

  test('that is part of the data leaves the data alone', async () => {
    await using server = answering(ok([{ symbol: 'ZZ' }]));
    expect((await server.client({ token: 'ZZ' }).quotes()).data).toMatchObject([{ symbol: 'ZZ' }]);
  });
});

describe('options', () => {
  const baseUrl = 'http://127.0.0.1:8080';

  test.each([
    ['baseUrl', { baseUrl: 'ftp://example.org', token: 't' }],
    ['baseUrl', { baseUrl: '127.0.0.1:8080', token: 't' }],
    ['baseUrl', { baseUrl: 'http://user:word@example.org', token: 't' }],
    ['baseUrl', { baseUrl: 'http://example.org/?x=1', token: 't' }],
    ['token', { baseUrl, token: '' }],
    ['token', { baseUrl, token: 'two words' }],
    ['token', { baseUrl, token: 'line\nbreak' }],
    ['timeoutMs', { baseUrl, token: 't', timeoutMs: 0 }],
    ['tries', { baseUrl, token: 't', tries: Number.NaN }],
  ])('are refused where %s is wrong, without telling the token', (name, options) => {
    const made = () => new Tenor(options);
    expect(made).toThrow(TypeError);
    expect(made).toThrow(name);
    expect(made).not.toThrow(/two words|line\nbreak|user:word/);
  });

  test('and names that there are not are refused by those that there are', async () => {
    await using server = answering(ok());
    const client = server.client();
    const series = await failureOf(client.series('none' as 'payments-market-players'));
    expect(series).toBeInstanceOf(TypeError);
    expect(series.message).toBe(`there is no "none"; there are ${SERIES.join(', ')}`);
    const table = await failureOf(client.download('catalogue' as 'funds', 'csv'));
    expect(table.message).toStartWith('there is no "catalogue"; there are quotes, ');
    expect(table.message).not.toContain('revision');
    const format = await failureOf(client.download('quotes', 'pdf' as 'csv'));
    expect(format.message).toContain('there are csv, ');
    const typed = await failureOf(client.quotes.pages({ from: new Date(0) as never }).next());
    expect(typed.message).toContain('parameter "from"');
    expect(server.requests).toEqual([]);
  });
});
