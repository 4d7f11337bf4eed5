// `bun scripts/openbb-figures.ts plotly.min.js`: a picture of each chart for OpenBB Workspace.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { explainMissingChromium, findChromium } from '../test/support/chromium.ts';
import { createSampleStore } from '../test/support/explorer.ts';
import { startTestServer, TOKEN } from '../test/support/test-server.ts';

const FOLDER = join(import.meta.dirname, '../.screenshots');
const VIEWPORT = { width: 760, height: 420 };

const [plotly] = process.argv.slice(2);
if (!plotly) throw new Error('give the path of plotly.min.js, from the package plotly.js-dist-min');
const executablePath = findChromium();
if (!executablePath) throw new Error(`there is no Chromium: ${explainMissingChromium()}`);
mkdirSync(FOLDER, { recursive: true });
const service = await startTestServer(await createSampleStore());
const browser = await chromium.launch({ executablePath });
try {
  // Workspace asks from another origin, with headers that its user configures.
  const page = await browser.newPage({ viewport: VIEWPORT });
  await page.setContent('<body style="margin:0"><div id="figure" style="height:100vh"></div>');
  await page.addScriptTag({ path: plotly });
  const widgets = await page.evaluate(fetchJson, createRequest('widgets.json'));
  const charts = Object.entries(widgets as Record<string, WidgetEntry>).filter(
    ([, { type }]) => type === 'chart',
  );
  for (const theme of ['light', 'dark']) {
    for (const [id, { endpoint }] of charts) {
      const figure = await page.evaluate(fetchJson, createRequest(`${endpoint}?theme=${theme}`));
      const faults = await page.evaluate(drawFigure, figure);
      const path = join(FOLDER, `${id}-${theme}.png`);
      await page.screenshot({ path });
      console.log([path, ...faults].join('\n  '));
    }
  }
} finally {
  await browser.close();
  await service.stop();
}

interface WidgetEntry {
  readonly type: string;
  readonly endpoint: string;
}

type Headers = Readonly<Record<string, string>>;

function createRequest(target: string): { readonly url: string; readonly headers: Headers } {
  const headers = { Authorization: `Bearer ${TOKEN}`, 'X-Workspace': 'any' };
  return { url: `${service.address}/${target}`, headers };
}

/** Runs in the page. */
async function fetchJson({ url, headers }: ReturnType<typeof createRequest>): Promise<object> {
  const response = await fetch(url, { headers });
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return (await response.json()) as object;
}

/** Runs in the page: draws a figure, and returns what Plotly finds wrong with it. */
async function drawFigure(figure: object): Promise<string[]> {
  // biome-ignore lint/suspicious/noExplicitAny: the script of the page
  const { Plotly } = globalThis as any;
  const { data, layout, config } = figure as Record<string, unknown>;
  await Plotly.newPlot('figure', data, layout, config);
  const faults: readonly { code: string; msg: string }[] = Plotly.validate(data, layout) ?? [];
  // What has no effect, such as the colour of a grid that is not shown, is not wrong.
  return faults.filter(({ code }) => code !== 'unused').map(({ msg }) => msg);
}
