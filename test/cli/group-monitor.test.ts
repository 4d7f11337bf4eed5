import { describe, expect, test } from 'bun:test';
import {
  GroupMonitor,
  type ReportRequest,
  type WorkerReport,
} from '../../src/cli/workers/group-monitor.ts';
import { formatMetrics } from '../../src/metrics/format-metrics.ts';
import { buildFamily } from '../../src/metrics/metric-family.ts';
import type { Readiness } from '../../src/operations/health/health-routes.ts';
import { findValue, parseMetrics } from '../support/parse-metrics.ts';

const READY: Readiness = { reasons: [], revision: 7 };
const WARNED: Readiness = { ...READY, warnings: ['reserve_missing'] };
const LOST: Readiness = { reasons: ['store_unreachable'], revision: -1 };

/** A group of workers that count requests, and report them unless they hang. */
function createGroup() {
  const monitor = new GroupMonitor<ReturnType<typeof addWorker>>(20);
  monitor.restarts = 3;
  function addWorker() {
    const worker = {
      requests: 0,
      isHanging: false,
      readiness: READY,
      datasetReads: 0,
      send({ id, metrics }: ReportRequest) {
        if (worker.isHanging) return;
        if (metrics === 'own and datasets') worker.datasetReads++;
        const report: WorkerReport = {
          readiness: worker.readiness,
          metrics: [
            buildFamily({ name: 'requests_total', help: 'R.', merge: 'sum' }, worker.requests),
            buildFamily({ name: 'memory_bytes', help: 'M.', merge: 'sum' }, 10),
          ],
        };
        queueMicrotask(() => monitor.receive(id, report));
      },
      end() {
        monitor.remove(worker);
      },
    };
    monitor.add(worker);
    return worker;
  }
  const collect = async () => parseMetrics(formatMetrics(await monitor.collectMetrics()));
  return { addWorker, monitor, collect };
}

describe('the metrics of a group of workers', () => {
  test('never fall: not when a worker ends, and not while one hangs', async () => {
    const { addWorker, collect } = createGroup();
    const [first, second] = [addWorker(), addWorker()];
    first.requests = 5;
    second.requests = 7;
    expect(findValue(await collect(), 'requests_total')).toBe(12);
    first.end();
    const third = addWorker();
    expect(findValue(await collect(), 'requests_total')).toBe(12);
    third.requests = 1;
    second.isHanging = true;
    const families = await collect();
    expect(findValue(families, 'requests_total')).toBe(13);
    expect(findValue(families, 'memory_bytes')).toBe(10);
    expect(findValue(families, 'tenor_workers')).toBe(2);
    expect(findValue(families, 'tenor_workers_unresponsive')).toBe(1);
    expect(findValue(families, 'tenor_worker_restarts_total')).toBe(3);
  });

  test('count the requests of a worker once that ends while it reports', async () => {
    const { addWorker, collect, monitor } = createGroup();
    const [first] = [addWorker(), addWorker()];
    first.requests = 5;
    await collect();
    const collecting = collect();
    first.end();
    await collecting;
    expect(monitor.workers).not.toContain(first);
    expect(findValue(await collect(), 'requests_total')).toBe(5);
  });

  test('have those of datasets from one worker, and from another one while it hangs', async () => {
    const { addWorker, collect } = createGroup();
    const [first, second] = [addWorker(), addWorker()];
    await collect();
    expect([first.datasetReads, second.datasetReads]).toEqual([1, 0]);
    first.isHanging = true;
    await collect();
    await collect();
    expect([first.datasetReads, second.datasetReads]).toEqual([1, 1]);
  });
});

describe('a group of workers', () => {
  test('is ready while one of its workers is', async () => {
    const { addWorker, monitor } = createGroup();
    const [first, second] = [addWorker(), addWorker()];
    first.readiness = LOST;
    expect(await monitor.getReadiness()).toEqual(READY);
    second.readiness = WARNED;
    expect(await monitor.getReadiness()).toEqual(WARNED);
    first.readiness = { ...READY, warnings: ['worker_lost', 'reserve_missing'] };
    expect(await monitor.getReadiness()).toEqual({
      ...READY,
      warnings: ['worker_lost', 'reserve_missing'],
    });
    first.readiness = { ...READY, warnings: ['worker_lost'] };
    expect(await monitor.getReadiness()).toEqual({
      ...READY,
      warnings: ['worker_lost', 'reserve_missing'],
    });
    first.readiness = LOST;
    second.readiness = LOST;
    expect((await monitor.getReadiness()).reasons).toEqual(['store_unreachable']);
    first.isHanging = true;
    second.isHanging = true;
    expect((await monitor.getReadiness()).reasons).toEqual(['unresponsive']);
  });

  test('is not ready once it stops', async () => {
    const { addWorker, monitor } = createGroup();
    addWorker();
    monitor.isStopping = true;
    expect((await monitor.getReadiness()).reasons).toEqual(['stopping']);
  });
});
