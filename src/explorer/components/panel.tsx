import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import {
  describeFailure,
  isServiceDown,
  isTransient,
  type QueryFailure,
} from '../api/query-failure.ts';
import type { DatasetEntry } from '../api/types.ts';
import type { QueryResult } from '../api/use-query.ts';
import { type ChartTableSources, ChartTablesContext } from '../charts/use-chart-tables.ts';
import { formatNumber } from '../formatting/numbers.ts';
import { Button } from './button.tsx';

export interface PanelProps {
  readonly title: string;
  readonly lead?: ComponentChildren;
  readonly tools?: ComponentChildren;
  readonly class?: string;
  readonly children: ComponentChildren;
}

export function Panel({ title, lead, tools, children, ...rest }: PanelProps) {
  const [charts] = useState<ChartTableSources>(() => new Set());
  return (
    <ChartTablesContext.Provider value={charts}>
      <section class={`panel ${rest.class ?? ''}`} aria-label={title}>
        <header class="row">
          <h2>{title}</h2>
          {tools && <div class="toolbar">{tools}</div>}
        </header>
        {lead && <p class="description">{lead}</p>}
        {children}
      </section>
    </ChartTablesContext.Provider>
  );
}

/** A checkbox that decides whether the surrounding panel is printed. */
export function PrintChoice() {
  return (
    <label class="row">
      <input type="checkbox" class="print-choice" />
      Print this table
    </label>
  );
}

export interface QueryViewProps<T> {
  readonly query: QueryResult<T>;
  /** Follows the word "Loading". */
  readonly subject: string;
  readonly children: (data: T) => ComponentChildren;
}

export function QueryView<T>({ query, subject, children }: QueryViewProps<T>) {
  const { data, failure, isLoading } = query;
  if (data !== undefined) {
    return (
      <div class={isLoading ? 'query-view busy' : 'query-view'} aria-busy={isLoading}>
        {children(data)}
      </div>
    );
  }
  if (failure) return <ErrorState failure={failure} />;
  return <LoadingState subject={subject} />;
}

export function LoadingState({ subject }: { readonly subject: string }) {
  return (
    <p class="loading" role="status">
      Loading {subject}…
    </p>
  );
}

/** Says that there is nothing to show, and what to do about it. */
export function EmptyState({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div class="empty" role="status">
      <strong>{title}</strong>
      <p>{children}</p>
    </div>
  );
}

export function ErrorState({ failure }: { readonly failure: QueryFailure }) {
  return (
    <div class="failed" role="alert">
      <strong>
        {isServiceDown(failure) ? 'The service does not respond' : 'This cannot be shown'}
      </strong>
      <p>{getAdvice(failure)}</p>
      {failure.requestId && (
        <p>
          For the operator of the service: request <code>{failure.requestId}</code>
        </p>
      )}
    </div>
  );
}

function getAdvice(failure: QueryFailure): string {
  if (isServiceDown(failure)) return 'The page retries automatically.';
  if (failure.kind === 'forbidden')
    return 'This token has no access to this data. Sign in with one that has the required scope.';
  const message = describeFailure(failure);
  return isTransient(failure) ? `${message} The page retries automatically.` : message;
}

interface Fact {
  readonly name: string;
  readonly value: ComponentChildren;
  readonly hint?: string;
}

export function FactList({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl class="facts">
      {facts.map(({ name, value, hint }) => (
        <div key={name}>
          <dt title={hint}>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface TruncatedListProps<Item> {
  readonly class?: string | undefined;
  readonly items: readonly Item[];
  readonly initialCount: number;
  readonly renderItem: (item: Item) => ComponentChildren;
}

/** The first items of a list, and a button that shows all of them. */
export function TruncatedList<Item>(props: TruncatedListProps<Item>) {
  const { items, initialCount, renderItem } = props;
  const [isExpanded, setExpanded] = useState(false);
  const visible = isExpanded ? items : items.slice(0, initialCount);
  return (
    <>
      <ol class={props.class}>
        {visible.map((item, index) => (
          <li key={index}>{renderItem(item)}</li>
        ))}
      </ol>
      {visible.length < items.length && (
        <p class="list-footer">
          The first {formatNumber(visible.length, 0)} of {formatNumber(items.length, 0)}.{' '}
          <Button onClick={() => setExpanded(true)}>Show all</Button>
        </p>
      )}
    </>
  );
}

/** Notes on the figures of a dataset, if there are any. */
export function NotesPanel({ entry }: { readonly entry: DatasetEntry }) {
  if (entry.notes.length === 0) return null;
  return (
    <Panel title="Notes">
      <ul class="notes">
        {entry.notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </Panel>
  );
}
