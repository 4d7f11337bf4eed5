import { describe, expect, test } from 'bun:test';
import type { LoadedState } from '../../../src/explorer/api/read-state.ts';
import type { DatasetEntry, RevisionEntry } from '../../../src/explorer/api/types.ts';
import { describeSource } from '../../../src/explorer/export/describe-source.ts';
import {
  findCitedRevision,
  findSampleShare,
  listCitedDatasets,
  listViewDatasets,
} from '../../../src/explorer/export/list-cited-datasets.ts';
import { VIEWS } from '../../../src/explorer/routing/views.ts';

const createRevision = (revision: number, dataset: string, sample: boolean) =>
  ({
    revision,
    dataset,
    sample,
    publishedAt: `2026-07-${String(revision).padStart(2, '0')}T09:00:00.000Z`,
  }) as RevisionEntry;

/** The sample, then figures of a publisher's own dataset, and some beside the sample. */
const REVISIONS = [
  createRevision(1, 'quotes', true),
  createRevision(2, 'securities', true),
  createRevision(3, 'agents', true),
  createRevision(4, 'allocation', true),
  createRevision(5, 'accounts', true),
  createRevision(6, 'datasets', false),
  createRevision(7, 'output', false),
  createRevision(8, 'accounts', false),
];

/** The state of the page up to a revision. */
function createState(upTo: number): LoadedState {
  const revisions = REVISIONS.filter(({ revision }) => revision <= upTo).toReversed();
  const create = (name: string, shape: DatasetEntry['shape'], scope: string, path: string) =>
    ({
      ...{ name, shape, scope, path, aliases: [] },
      lastRevision: revisions.find(({ dataset }) => dataset === name) ?? null,
    }) as unknown as DatasetEntry;
  const catalogue = [
    { ...create('quotes', 'quotes', 'quotes', '/2.0/bnb/quote'), aliases: ['/2.0/bnb/quotes'] },
    create('securities', 'reference', 'quotes', '/2.0/bnb/securities'),
    create('allocation', 'fund', 'funds', '/3.0/funds/allocation'),
    create('funds', 'reference', 'funds', '/3.0/funds'),
    create('agents', 'series', 'alternate', '/3.0/alternate/agents'),
    create('accounts', 'series', 'alternate', '/3.0/alternate/accounts'),
    create('datasets', 'reference', 'public', '/catalogue'),
    ...(upTo < 6 ? [] : [create('output', 'series', 'datasets', '/datasets/output')]),
  ];
  const tab = { baseUrl: new URL('https://data.example.com/') };
  const state = { catalogue, revisions, firstRevisions: [], hasOlder: false, revision: upTo };
  return { ...state, api: { tab, asOf: undefined } } as unknown as LoadedState;
}

const STATE = createState(8);
const LEDGER = { view: 'ledger', params: {} } as const;
const listNames = (datasets: readonly DatasetEntry[] | undefined) =>
  datasets?.map(({ name }) => name);

describe('the source of a panel, whose figures may be of some datasets of a store only,', () => {
  test.each([
    ['/2.0/bnb/quotes', {}, ['quotes'], 1, 'all'],
    ['/2.0/bnb/curve', {}, ['quotes', 'securities'], 2, 'all'],
    ['/2.0/bnb/portfolio', {}, ['quotes', 'securities'], 2, 'all'],
    ['/3.0/funds/allocation', {}, ['allocation'], 4, 'all'],
    ['/3.0/alternate/agents', {}, ['agents'], 3, 'all'],
    ['/corrections/accounts', {}, ['accounts'], 8, 'some'],
    ['/vintages/output', {}, ['output'], 7, 'none'],
    ['/datasets/output', {}, ['output'], 7, 'none'],
    ['/aligned', { columns: 'output.total:pc1' }, ['output'], 7, 'none'],
    ['/aligned', { columns: 'output.total,agents.a(b=c.d,e)' }, ['agents', 'output'], 7, 'some'],
    ['/aligned', { columns: 'curve.par(tenor=10Y)' }, ['quotes', 'securities'], 2, 'all'],
    ['/revisions', {}, undefined, 8, 'some'],
  ])('of %s %j is of %j', (path, parameters, names, revision, share) => {
    const datasets = listCitedDatasets([{ path, parameters }], LEDGER, STATE.catalogue);
    expect(listNames(datasets)).toEqual(names);
    expect(findCitedRevision(STATE, datasets)?.revision).toBe(revision);
    expect(findSampleShare(STATE, datasets)).toBe(share as 'none');
  });

  test('is that of all its requests, or of the view if it has none', () => {
    const requests = ['/datasets/output', '/3.0/alternate/agents'].map((path) => ({ path }));
    const list = (each: typeof requests | undefined) =>
      listNames(listCitedDatasets(each, { view: 'market', params: {} }, STATE.catalogue));
    expect(list(requests)).toEqual(['output', 'agents']);
    expect(list(undefined)).toEqual(['quotes', 'securities']);
  });

  test('says that figures are made up only if they are, before and after a dataset is loaded', () => {
    const describeAt = (upTo: number, path: string) => {
      const state = createState(upTo);
      return describeSource(state, listCitedDatasets([{ path }], LEDGER, state.catalogue));
    };
    const source = 'Tenor, data.example.com, revision';
    const accounts = '/3.0/alternate/accounts';
    expect(describeAt(8, '/datasets/output')).toBe(`${source} 7`);
    expect(describeAt(6, '/datasets/output')).toBe(`${source} 6`);
    expect(describeAt(7, accounts)).toBe(`${source} 5; sample data, made up`);
    expect(describeAt(8, accounts)).toBe(`${source} 8; some of it may be sample data, made up`);
  });

  test('is known to be made up by the last revision of the dataset, however many came since', () => {
    const [agents] = STATE.catalogue.filter(({ name }) => name === 'agents');
    const state = { revisions: [createRevision(8, 'accounts', false)], firstRevisions: [] };
    expect(findSampleShare({ ...state, hasOlder: true }, agents && [agents])).toBe('some');
  });

  test('is known to be made up by the first revisions of the service, though a later one replaced the sample', () => {
    const [output] = STATE.catalogue.filter(({ name }) => name === 'output');
    const state = { revisions: REVISIONS.slice(-1), hasOlder: true };
    const share = (first: RevisionEntry) =>
      findSampleShare({ ...state, firstRevisions: [first] }, output && [output]);
    expect(share(createRevision(1, 'output', true))).toBe('some');
    expect(share(createRevision(1, 'quotes', true))).toBe('none');
  });
});

describe('the source of a view', () => {
  const QUOTES = ['quotes', 'securities'];
  const SHOWN = {
    market: QUOTES,
    security: QUOTES,
    portfolio: QUOTES,
    funds: ['allocation', 'funds'],
    payments: ['agents', 'accounts', 'output'],
    ledger: undefined,
  };
  test.each(VIEWS)('%s is of the datasets that it shows', (view) => {
    const datasets = listViewDatasets({ view, params: {} }, STATE.catalogue);
    expect(listNames(datasets)).toEqual(SHOWN[view]);
  });

  test.each([
    [{ series: 'output' }, ['output']],
    [{ series: 'retired' }, []],
    [{ compare: 'output~total,agents~a(b=c,d)' }, ['agents', 'output']],
    [{ compare: 'output,curve~par(tenor=10Y)' }, ['output', ...QUOTES]],
  ])('payments with %j is of %j', (params, names) => {
    expect(listNames(listViewDatasets({ view: 'payments', params }, STATE.catalogue))).toEqual(
      names,
    );
  });
});
