import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeInBrowser } from '../../../support/browser.ts';
import { openExplorer, useSampleServer, waitUntilLoaded } from '../../../support/explorer.ts';
import { README_SCREEN, README_VIEW, readPictureTexts } from '../../../support/readme-picture.ts';

const TEXTS = join(import.meta.dirname, '../../../../docs/images/market.txt');

describeInBrowser('the picture of the README', () => {
  const service = useSampleServer();

  test('has the texts that the view has today (npm run screenshots -- readme)', async () => {
    const page = await openExplorer(service, README_VIEW, README_SCREEN);
    await waitUntilLoaded(page);
    expect(await readPictureTexts(page)).toBe(readFileSync(TEXTS, 'utf8'));
  });
});
