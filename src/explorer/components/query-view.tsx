import type { ComponentChildren } from 'preact';
import { isServiceDown, type QueryFailure } from '../api/query-failure.ts';
import type { QueryResult } from '../api/use-query.ts';

export interface QueryViewProps<T> {
  readonly query: QueryResult<T>;
  /** What is awaited, in words that follow "Loading". */
  readonly subject: string;
  readonly children: (data: T) => ComponentChildren;
}

/** What was asked for, once it is there; before that, or where it cannot be had, says so. */
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
  return <LoadingState what={subject} />;
}

export function LoadingState({ what }: { readonly what: string }) {
  return (
    <p class="loading" role="status">
      Loading {what}…
    </p>
  );
}

interface EmptyStateProps {
  /** What there is not. */
  readonly title: string;
  /** What to do about it. */
  readonly children: ComponentChildren;
}

/** Says that there is nothing, and what to do about it. */
export function EmptyState({ title, children }: EmptyStateProps) {
  return (
    <div class="empty" role="status">
      <strong>{title}</strong>
      <p>{children}</p>
    </div>
  );
}

/** Says what went wrong, and what to do about it. */
export function ErrorState({ failure }: { readonly failure: QueryFailure }) {
  return (
    <div class="failed" role="alert">
      <strong>
        {isServiceDown(failure) ? 'The service does not answer' : 'This cannot be shown'}
      </strong>
      <p>{getAdvice(failure)}</p>
      {failure.requestId && (
        <p>
          For whoever runs the service: request <code>{failure.requestId}</code>
        </p>
      )}
    </div>
  );
}

function getAdvice(failure: QueryFailure): string {
  if (isServiceDown(failure)) return 'It is asked again by itself: nothing needs to be done here.';
  if (failure.kind === 'forbidden') {
    return 'This token does not open this part of the data. Sign in with one that has its scope.';
  }
  if (failure.kind === 'too_many_requests') {
    return 'This token has asked too often for now. It is asked again by itself in a moment.';
  }
  return `The service says: ${failure.message}`;
}
