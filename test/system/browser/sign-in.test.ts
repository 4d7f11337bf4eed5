import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Server } from 'node:http';
// @ts-expect-error: the package has no types of its own
import Provider from 'oidc-provider';
import { catalogue } from '../../../src/catalogue/index.ts';
import { type MonitoredServer, startServer } from '../../../src/http/server/start-server.ts';
import { parseSettings } from '../../../src/settings.ts';
import { allowErrors, describeInBrowser, getActivity, openPage } from '../../support/browser.ts';
import { createSampleStore } from '../../support/explorer.ts';
import { findFreePort } from '../../support/free-port.ts';
import { SERVER_SETTINGS } from '../../support/test-server.ts';

const AUDIENCE = 'https://tenor.example/api';
const SCOPES = 'quotes funds alternate';
const port = findFreePort();
const issuer = `http://127.0.0.1:${findFreePort()}`;
const address = `http://127.0.0.1:${port}`;
let provider: Server;
let server: MonitoredServer;

beforeAll(async () => {
  const oidc = new Provider(issuer, {
    clients: [
      {
        client_id: 'explorer',
        redirect_uris: [`${address}/`],
        grant_types: ['authorization_code'],
        token_endpoint_auth_method: 'none',
        application_type: 'native',
      },
      {
        client_id: 'robot',
        client_secret: 'secret-of-the-robot',
        redirect_uris: [],
        response_types: [],
        grant_types: ['client_credentials'],
      },
    ],
    clientBasedCORS: () => true,
    scopes: ['openid', ...SCOPES.split(' ')],
    features: {
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => AUDIENCE,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: SCOPES,
          audience: AUDIENCE,
          accessTokenTTL: 300,
          accessTokenFormat: 'jwt',
        }),
      },
    },
  });
  provider = oidc.listen(Number(new URL(issuer).port), '127.0.0.1');
  const store = await createSampleStore();
  server = await startServer({
    store,
    catalogue,
    settings: {
      ...parseSettings({
        OIDC_ISSUER: issuer,
        OIDC_AUDIENCE: AUDIENCE,
        OIDC_CLIENT_ID: 'explorer',
      }),
      ...SERVER_SETTINGS,
      port,
    },
    emit: () => {},
  });
});

afterAll(async () => {
  await server.stop();
  provider.close();
  provider.closeAllConnections();
});

test('a token of a certified provider is accepted, with the scopes that it grants', async () => {
  const response = await fetch(`${issuer}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('robot:secret-of-the-robot')}` },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      scope: 'quotes',
      resource: AUDIENCE,
    }),
  });
  const { access_token } = (await response.json()) as { access_token: string };
  const ask = async (path: string) =>
    (await fetch(address + path, { headers: { authorization: `Bearer ${access_token}` } })).status;
  expect([await ask('/2.0/bnb/quote'), await ask('/3.0/funds')]).toEqual([200, 403]);
});

describeInBrowser('signing in to the explorer with a certified provider', () => {
  test('leads back to the view that was asked for, and keeps no code in the address', async () => {
    const page = await openPage(`${address}/?view=ledger`);
    // The pages of the provider load a font of another server.
    allowErrors(page, /ERR_NAME_NOT_RESOLVED/);
    await page.getByRole('button', { name: `Sign in with ${new URL(issuer).host}` }).click();
    await page.locator('[name=login]').fill('ann');
    await page.locator('[name=password]').fill('any');
    await page.locator('[type=submit]').click();
    // What the client may do for her.
    await page.locator('[type=submit]').click();
    await page.getByRole('navigation', { name: 'Views' }).waitFor();
    expect(page.url()).toBe(`${address}/?view=ledger`);
    const { foreignRequests } = getActivity(page);
    expect(foreignRequests).toContain(`${issuer}/token`);
    foreignRequests.length = 0;
  });

  test('tells why the provider refuses', async () => {
    const page = await openPage(`${address}/`);
    // The pages of the provider load a font of another server.
    allowErrors(page, /ERR_NAME_NOT_RESOLVED/);
    await page.getByRole('button', { name: 'Sign in with' }).click();
    await page.locator('[name=login]').waitFor();
    await page.getByText('Cancel').click();
    await page.getByRole('alert').getByText('The provider did not sign you in').waitFor();
    getActivity(page).foreignRequests.length = 0;
  });
});
