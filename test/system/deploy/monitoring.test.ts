import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalogue } from '../../../src/catalogue/index.ts';
import { buildWorkerMetrics } from '../../../src/cli/workers/group-monitor.ts';
import { startServer } from '../../../src/http/server/start-server.ts';
import type { MetricFamily } from '../../../src/metrics/metric-family.ts';
import { startProcessMetrics } from '../../../src/metrics/process-metrics.ts';
import { retryUntil } from '../../support/eventually.ts';
import { ROOT } from '../../support/run-tenor.ts';
import { createFilledStore, createTempFolder } from '../../support/store.ts';
import { SERVER_SETTINGS } from '../../support/test-server.ts';

const FOLDER = join(ROOT, 'deploy');
const readText = (...path: string[]) => readFileSync(join(ROOT, ...path), 'utf8');
const PROMTOOL = Bun.which('promtool');

/** The names in queries and texts that may be metrics, without the suffixes of histograms. */
function findMetricNames(text: string): Set<string> {
  const names = text.match(/\b(?:tenor|process|http_server)_[a-z_]+\b/g) ?? [];
  return new Set(names.map((name) => name.replace(/(_seconds)_(bucket|count|sum)$/, '$1')));
}

const dashboard = JSON.parse(readText('deploy/grafana-dashboard.json'));
const queries: string[] = dashboard.panels.flatMap(
  ({ targets = [] }: { targets?: { expr: string }[] }) => targets.map(({ expr }) => expr),
);
const alerts = readText('deploy/prometheus-alerts.yml');

describe('the metrics of a server', () => {
  let families: readonly MetricFamily[];
  beforeAll(async () => {
    await using store = await createFilledStore();
    const options = { store, catalogue, settings: SERVER_SETTINGS, emit: () => {} };
    const server = await startServer(options);
    // Those of datasets are read in the background, and missing until then.
    const collected = await retryUntil(30_000, async () => {
      const metrics = await server.monitor.collectMetrics();
      expect(metrics.map(({ name }) => name)).toContain('tenor_dataset_records');
      return metrics;
    });
    families = [...collected, ...startProcessMetrics(() => 0)(), ...buildWorkerMetrics(1, 0, 0)];
    await server.stop();
  });

  test('are all that the dashboard, the alerts and their tests use', () => {
    const names = families.map(({ name }) => name);
    const used = findMetricNames(
      [...queries, alerts, readText('deploy/prometheus-alerts.test.yml')].join('\n'),
    );
    expect(used.size).toBeGreaterThan(20);
    expect([...used].filter((name) => !names.includes(name))).toEqual([]);
  });

  test('are on the page about monitoring, with their types and descriptions', () => {
    const rows = families.map(({ name, type, help }) => `| \`${name}\` | ${type} | ${help} |`);
    const page = readText('docs/how-to/monitor.md').split('\n');
    expect(page.filter((line) => /^\| `\w+` \|/.test(line)).toSorted()).toEqual(rows.toSorted());
  });
});

describe('the dashboard', () => {
  test('has a query in every panel, and panels that do not overlap', () => {
    const panels = dashboard.panels.filter(({ type }: { type: string }) => type !== 'row');
    for (const { title, targets } of panels)
      expect([title, targets.length > 0]).toEqual([title, true]);
    const cells = dashboard.panels.flatMap(
      ({ gridPos: { x, y, w, h } }: { gridPos: Record<'x' | 'y' | 'w' | 'h', number> }) =>
        Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)} ${y + Math.floor(cell / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
  });
});

describe.if(PROMTOOL !== null)('promtool (if it is installed)', () => {
  const folder = createTempFolder();
  afterAll(() => rmSync(folder, { recursive: true }));
  const run = (...args: string[]) => {
    const { exitCode, stdout, stderr } = Bun.spawnSync(['promtool', ...args], { cwd: FOLDER });
    return { exitCode, output: stdout.toString() + stderr.toString() };
  };

  test('accepts the alerts, and their tests pass', () => {
    expect(run('check', 'rules', 'prometheus-alerts.yml')).toMatchObject({ exitCode: 0 });
    expect(run('test', 'rules', 'prometheus-alerts.test.yml')).toMatchObject({ exitCode: 0 });
    const names = Array.from(alerts.matchAll(/alert: (\w+)/g), ([, name = '']) => name);
    const tested = readText('deploy/prometheus-alerts.test.yml');
    expect(names.filter((name) => !tested.includes(`alertname: ${name}\n`))).toEqual([]);
  });

  test('can parse every query of the dashboard', () => {
    const rules = queries.map((query, index) => ({
      record: `query:${index}`,
      expr: query.replaceAll('$__rate_interval', '5m'),
    }));
    const file = join(folder, 'queries.yml');
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
    expect(run('check', 'rules', file)).toMatchObject({ exitCode: 0 });
  });
});
