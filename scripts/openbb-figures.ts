// `bun scripts/openbb-figures.ts plotly.min.js`: a picture of each chart for OpenBB Workspace.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { explainMissingChromium, findChromium } from '../test/support/chromium.ts';
import { createSampleStore } from '../test/support/explorer.ts';
import { startTestServer } from '../test/support/test-server.ts';

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
  const page = await browser.newPage({ viewport: VIEWPORT });
  await page.setContent('<body style="margin:0"><div id="figure" style="height:100vh"></div>');
  await page.addScriptTag({ path: plotly });
  const widgets: Record<string, WidgetEntry> = await service.getJson('/widgets.json');
  const charts = Object.entries(widgets).filter(([, { type }]) => type === 'chart');
  for (const theme of ['light', 'dark']) {
    for (const [id, widget] of charts) {
      const figure = await service.getJson(`/${widget.endpoint}?theme=${theme}`);
      const faults = await drawFigure(page, figure);
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

/** Draws a figure, and returns what Plotly finds wrong with it. */
function drawFigure(page: Page, figure: object): Promise<string[]> {
  return page.evaluate(async (figure) => {
    // biome-ignore lint/suspicious/noExplicitAny: the script of the page
    const { Plotly } = globalThis as any;
    const { data, layout, config } = figure as Record<string, unknown>;
    await Plotly.newPlot('figure', data, layout, config);
    const faults: readonly { code: string; msg: string }[] = Plotly.validate(data, layout) ?? [];
    // What has no effect, such as the colour of a grid that is not shown, is not wrong.
    return faults.filter(({ code }) => code !== 'unused').map(({ msg }) => msg);
  }, figure);
}
