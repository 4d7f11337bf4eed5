import { useMemo } from 'preact/hooks';
import { Link } from '../address/link.tsx';
import { go, slide, usePlace } from '../address/place.ts';
import { dayWords } from '../figures/days.ts';
import { Choices } from '../parts/choices.tsx';
import { Panel } from '../parts/panel.tsx';
import { Empty } from '../parts/states.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { knownField, type Security, typesWords, typeWords } from '../quotes/quote.ts';
import type { Entry } from '../service/catalogue.ts';
import { Take } from '../take/take.tsx';
import { isMatured, type Life, matching } from './matching.ts';

interface FinderProps {
  readonly entry: Entry;
  readonly securities: readonly Security[];
}

const LIVES = [
  { key: 'all', text: 'Live and matured' },
  { key: 'live', text: 'Live' },
  { key: 'matured', text: 'Matured' },
] as const;

/** Finds a security among all that there ever were quotes of. */
export function Finder({ entry, securities }: FinderProps) {
  const { at } = usePlace();
  const newest = entry.coverage.last ?? '';
  const columns = useMemo(() => columnsOf(entry, newest), [entry, newest]);
  const types = knownField(entry, 'type').values ?? [];
  const type = types.find((each) => each === at.type);
  const life = LIVES.find(({ key }) => key !== 'all' && key === at.life)?.key as Life | undefined;
  const found = matching(securities, { text: at.find, type, life }, newest);
  if (securities.length === 0) {
    return (
      <Empty title="There are no quotes yet">
        Load some with <code>npx tenor load quotes FILE</code>: what is published is shown here by
        itself.
      </Empty>
    );
  }
  return (
    <Panel
      title="Every security ever quoted"
      tools={
        <Take question={{ path: '/2.0/bnb/securities' }} name="securities" title="Securities" />
      }
    >
      <search class="finder">
        <label>
          Symbol or ISIN
          <input
            type="search"
            autocomplete="off"
            spellcheck={false}
            placeholder={securities[0]?.symbol}
            value={at.find ?? ''}
            onInput={({ currentTarget }) => slide({ find: currentTarget.value })}
          />
        </label>
        <Choices
          label={knownField(entry, 'type').meaning}
          options={['all', ...types].map((key) => ({
            key,
            text: key === 'all' ? 'All types' : typesWords(key),
          }))}
          chosen={type ?? 'all'}
          onChoose={(key) => go({ type: key === 'all' ? undefined : key })}
        />
        <Choices
          label="Live or matured"
          options={LIVES}
          chosen={life ?? 'all'}
          onChoose={(key) => go({ life: key === 'all' ? undefined : key })}
        />
        <span class="told" role="status">
          {found.length} of {securities.length}
        </span>
      </search>
      {found.length === 0 ? (
        <Empty title="No security matches">
          <button
            type="button"
            onClick={() => go({ find: undefined, type: undefined, life: undefined })}
          >
            Show all of them
          </button>
        </Empty>
      ) : (
        <Table
          caption="Securities"
          columns={columns}
          rows={found}
          keyOf={({ symbol }) => symbol}
          sort={at.sort ?? 'symbol'}
          onSort={(sort) => go({ sort: sort === 'symbol' ? undefined : sort })}
        />
      )}
    </Panel>
  );
}

function columnsOf(entry: Entry, newest: string): Column<Security>[] {
  const dayColumn = (name: 'maturityDate' | 'firstDate' | 'lastDate', title: string) => ({
    name,
    title,
    isText: true,
    cell: (security: Security) => dayWords(security[name]),
    by: (security: Security) => security[name],
  });
  return [
    {
      name: 'symbol',
      title: 'Symbol',
      hint: knownField(entry, 'symbol').meaning,
      isText: true,
      cell: ({ symbol }) => (
        <Link to="security" at={{ symbol }}>
          {symbol}
        </Link>
      ),
      by: ({ symbol }) => symbol,
    },
    {
      name: 'life',
      title: 'Live or matured',
      isText: true,
      cell: (security) => (isMatured(security, newest) ? 'matured' : 'live'),
      by: (security) => (isMatured(security, newest) ? 'matured' : 'live'),
    },
    {
      name: 'isin',
      title: 'ISIN',
      hint: knownField(entry, 'isin').meaning,
      isText: true,
      cell: ({ isin }) => isin,
      by: ({ isin }) => isin,
    },
    {
      name: 'type',
      title: knownField(entry, 'type').meaning,
      isText: true,
      cell: ({ type }) => typeWords(type),
      by: ({ type }) => type,
    },
    dayColumn('maturityDate', knownField(entry, 'maturityDate').meaning),
    dayColumn('firstDate', 'First quote'),
    dayColumn('lastDate', 'Last quote'),
  ];
}
