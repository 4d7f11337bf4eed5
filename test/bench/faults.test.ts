import { describe, expect, test } from 'bun:test';
import { drawRealPlan } from '../../bench/faults/fault-kind.ts';
import { replaceFaultRows } from '../../bench/faults/fault-table.ts';
import { PublishedHistory } from '../../bench/faults/published-history.ts';
import { FAULT_KINDS } from '../../bench/faults/run-faults.ts';
import type { KindResult } from '../../bench/faults/run-kind.ts';
import { FaultTimes } from '../simulation/fault-times.ts';
import { Model, type SimulatedChange } from '../simulation/model.ts';

const CHANGE: SimulatedChange = { dataset: 'quotes', put: [{ slot: 1 }], retired: [] };

test('a seed draws the same plan of faults each time, and another seed another one', () => {
  for (const kind of Object.values(FAULT_KINDS)) {
    const plan = drawRealPlan(kind, 7, 2);
    expect(plan.length).toBeGreaterThanOrEqual(90);
    expect(drawRealPlan(kind, 7, 2)).toEqual(plan);
    expect(drawRealPlan(kind, 8, 2)).not.toEqual(plan);
    expect(plan.filter(({ kind: name }) => name === 'promote')).toHaveLength(kind.once ? 1 : 0);
    for (const { atMs, kind: name } of plan) {
      expect(Object.keys(kind.steps)).toContain(name);
      expect(atMs).toBeLessThanOrEqual(120_000);
    }
  }
});

describe('the history of a real database', () => {
  const nowMs = () => 0;
  const create = () => new PublishedHistory(new FaultTimes(), Model.withOlderQuotes(''));
  const endWith = (revision: number, source: string, during: () => void = () => {}) => ({
    attempt: async () => {
      during();
      throw new Error('killed');
    },
    readLast: async () => ({ revision, source }),
    isDisturbed: () => true,
  });

  test('has a revision whose publication failed where the ledger has it, and not otherwise', async () => {
    const history = create();
    expect(await history.publish(CHANGE, endWith(1, 'publication 1'), nowMs)).toBeUndefined();
    expect(history.newest.revision).toBe(1);
    expect(history.findModels(2)).toEqual([]);
    const stored = endWith(2, 'publication 3', () => expect(history.findModels(2)).toHaveLength(1));
    expect(await history.publish(CHANGE, stored, nowMs)).toBeUndefined();
    expect(history.newest.revision).toBe(2);
    expect(history.findRequiredRevision(10_000)).toBe(2);
    expect(history.findRequiredRevision(1_000)).toBe(1);
  });

  test('tells of a revision that was seen and is not kept, and of one that was never published', async () => {
    const history = create();
    const seen = endWith(1, 'publication 1', () => history.findModels(2));
    expect(await history.publish(CHANGE, seen, nowMs)).toBe(
      'revision 2 was seen, and is not in the ledger',
    );
    expect(await create().publish(CHANGE, endWith(2, 'another'), nowMs)).toBe(
      'revision 2 of another after revision 1',
    );
  });

  test('tells of a publication that failed undisturbed, and of one that succeeded and is not there', async () => {
    const failed = { ...endWith(1, 'publication 1'), isDisturbed: () => false };
    expect(await create().publish(CHANGE, failed, nowMs)).toBe('it failed: killed');
    const lost = { ...endWith(1, 'publication 1'), attempt: async () => {} };
    expect(await create().publish(CHANGE, lost, nowMs)).toBe('revision 2 is not there');
    const nothing = { dataset: 'quotes', put: [], retired: [] } as const;
    expect(await create().publish(nothing, lost, nowMs)).toBeUndefined();
  });
});

test('the results of faults replace those of their kind, and a kind left out keeps its own', () => {
  const page = `# Robustness

<!-- faults -->
| faults | seed |
|---|---|
| kill | 1 | old |
| citus | 4 | measured elsewhere |
<!-- /faults -->

## Known limits
`;
  const counts = { steps: 90, faults: 30, requests: 12_345, violations: 0, seconds: 130 };
  const result = { seed: 7, calmPercent: 60, ...counts };
  const outcomes = new Map<string, KindResult[] | string>([
    ['kill', [result, { ...result, seed: 8 }]],
    ['full-disk', 'nothing can be mounted'],
    ['citus', 'there is none'],
  ]);
  const names = ['replicas', 'kill', 'full-disk', 'citus'];
  expect(replaceFaultRows(page, outcomes, names)).toBe(`# Robustness

<!-- faults -->
| faults | seed | steps | faults injected | requests checked | calm | violations | seconds |
|---|---|---|---|---|---|---|---|
| kill | 7 | 90 | 30 | 12,345 | 60 % | 0 | 130 |
| kill | 8 | 90 | 30 | 12,345 | 60 % | 0 | 130 |
| full-disk | | | | left out: nothing can be mounted | | | |
| citus | 4 | measured elsewhere |
<!-- /faults -->

## Known limits
`);
});
