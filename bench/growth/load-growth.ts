import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { catalogue } from '../../src/catalogue/index.ts';
import { openStore } from '../../src/store/open-store.ts';
import {
  type LoadName,
  MEASURED_LOADS,
  ROW_KINDS,
  type RowKind,
  runLoads,
} from '../../test/support/growing-loads.ts';
import { startPostgres } from '../../test/support/postgres.ts';
import { removeDatabase } from '../loads.ts';
import { FOLDER } from '../million-quotes.ts';
import type { ResultRow } from '../result-table.ts';
import {
  type CostMeter,
  createPostgresMeter,
  createSqliteMeter,
  type StatementCosts,
} from './statement-costs.ts';

/** The rows of the smallest load; the others have twice and four times as many. */
const ROWS = Number(process.env.ROWS ?? 5_000);
const FACTORS = [1, 2, 4] as const;
/** Linear is 4; sorting, and an index that is a level deeper, grow a little faster, and quadratic is 16. */
const AIM = 8;

interface LoadCost {
  readonly rows: number;
  readonly seconds: number;
  readonly statements: StatementCosts;
  readonly meter: CostMeter;
}

type LoadCosts = Map<LoadName, LoadCost>;
type MeasureLoads = (url: string, meter: CostMeter) => Promise<LoadCosts>;

/** How each statement of a load grows with its rows and with their history, on SQLite. */
export async function benchmarkLoadGrowth(): Promise<ResultRow[]> {
  const path = join(FOLDER, 'load-growth.db');
  const meter = createSqliteMeter();
  return measureKinds('SQLite', async (measureLoads) => {
    removeDatabase(path);
    return measureLoads(`sqlite:${path}`, meter).finally(() => removeDatabase(path));
  });
}

export async function benchmarkPostgresLoadGrowth(): Promise<ResultRow[]> {
  const server = await startPostgres({
    settings: { shared_preload_libraries: 'pg_stat_statements' },
  });
  return measureKinds('PostgreSQL', async (measureLoads) => {
    const url = await server.createDatabase();
    const meter = await createPostgresMeter(url);
    return measureLoads(url, meter).finally(() => server.dropDatabase(url));
  }).finally(() => server.stop());
}

async function measureKinds(
  engine: string,
  withDatabase: (measureLoads: MeasureLoads) => Promise<LoadCosts>,
): Promise<ResultRow[]> {
  mkdirSync(FOLDER, { recursive: true });
  const rows: ResultRow[] = [];
  // What is compiled first takes longer.
  for (const kind of ROW_KINDS)
    await withDatabase((url, meter) => measureLoads(kind, { url, rows: ROWS / 10, meter }));
  for (const kind of ROW_KINDS) {
    const runs: LoadCosts[] = [];
    for (const factor of FACTORS)
      runs.push(
        await withDatabase((url, meter) => measureLoads(kind, { url, rows: factor * ROWS, meter })),
      );
    for (const name of MEASURED_LOADS)
      rows.push(
        compareLoads(
          `${kind.name}, ${engine}, ${name}`,
          runs.flatMap((run) => run.get(name) ?? []),
        ),
      );
  }
  return rows;
}

interface MeasureOptions {
  readonly url: string;
  readonly rows: number;
  readonly meter: CostMeter;
}

async function measureLoads(
  kind: RowKind,
  { url, rows, meter }: MeasureOptions,
): Promise<LoadCosts> {
  const store = await openStore(url, catalogue);
  const found: LoadCosts = new Map();
  await runLoads(store, kind, { rows, folder: FOLDER }, async (name, load) => {
    const before = performance.now();
    const statements = await meter.measure(load);
    found.set(name, { rows, seconds: (performance.now() - before) / 1_000, statements, meter });
  });
  return found;
}

/** A load as a whole, and the statement of it that grows fastest beyond what each row may cost. */
function compareLoads(label: string, loads: readonly LoadCost[]): ResultRow {
  const [smallest, largest] = [loads[0], loads.at(-1)] as [LoadCost, LoadCost];
  const { perRow, unit } = largest.meter;
  // A planner may read a short table as a whole, and search in a longer one: that is no growth.
  const grown = [...largest.statements].map(([sql, cost]) => {
    const before = Math.max(smallest.statements.get(sql) ?? 0, perRow * smallest.rows);
    return { sql, cost, before, ratio: cost / before };
  });
  const [fastest] = grown.toSorted((a, b) => b.ratio - a.ratio);
  if (fastest && fastest.ratio > AIM) console.error(`${label}: ${fastest.sql}`);
  return {
    label: `${label}: ${loads.map(({ rows }) => rows.toLocaleString('en')).join(', ')} rows`,
    measured: loads.map(({ seconds }) => `${seconds.toFixed(2)} s`).join(', '),
    baseline: `${Math.round(fastest?.before ?? 0)} and ${Math.round(fastest?.cost ?? 0)} ${unit}, the statement that grows fastest`,
    ratio: fastest?.ratio,
    aim: `≤ ${AIM}`,
  };
}
