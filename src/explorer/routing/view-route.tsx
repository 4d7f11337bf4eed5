import type { ComponentChildren, TargetedMouseEvent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { enterEntry, pushEntry, replaceEntry } from './scroll-positions.ts';
import { VIEWS, type ViewName } from './views.ts';

export { VIEWS, type ViewName } from './views.ts';

interface ViewLinkProps {
  readonly view: ViewName;
  readonly params?: ParamChanges | undefined;
  readonly class?: string | undefined;
  readonly title?: string | undefined;
  readonly isCurrent?: boolean;
  readonly children: ComponentChildren;
}

/** A link to a view, without loading the page again. */
export function ViewLink({ view, params, isCurrent, children, ...attributes }: ViewLinkProps) {
  const href = urlFor(view, params);
  const onClick = (event: TargetedMouseEvent<HTMLAnchorElement>) => {
    const { button, metaKey, ctrlKey, shiftKey, altKey } = event;
    if (button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return;
    event.preventDefault();
    navigate(href);
  };
  return (
    <a {...attributes} href={href} aria-current={isCurrent ? 'page' : undefined} onClick={onClick}>
      {children}
    </a>
  );
}

export interface ViewRoute {
  readonly view: ViewName;
  readonly isViewExplicit: boolean;
  /** The name in the URL, if no view has it. */
  readonly unknownView?: string;
  readonly params: Readonly<Record<string, string>>;
}

/** Undefined and empty values remove a parameter. */
export type ParamChanges = Readonly<Record<string, string | undefined>>;

const routeListeners = new Set<() => void>();
let currentRoute = parseViewRoute(location.search);

addEventListener('popstate', ({ state }) => {
  // The pending URL and the gesture belong to the entry that was left.
  pendingUrl = undefined;
  lastContinuousUpdateMs = 0;
  enterEntry(state);
  setViewRoute(location.search);
});
addEventListener('pagehide', () => flushUrl());

/** The current route, kept up to date. */
export function useViewRoute(): ViewRoute {
  const [route, setRoute] = useState(currentRoute);
  useEffect(() => {
    const update = () => setRoute(currentRoute);
    routeListeners.add(update);
    update();
    return () => void routeListeners.delete(update);
  }, []);
  return route;
}

/** The URL of a view, as of the current instant unless `params` says otherwise. */
export function urlFor(view: ViewName, params: ParamChanges = {}): string {
  const { asof } = 'asof' in params ? params : currentRoute.params;
  return formatUrl(view, { ...params, asof });
}

export function updateParams(changes: ParamChanges): void {
  pushUrl(formatUrl(currentRoute.view, { ...currentRoute.params, ...changes }));
}

/**
 * Never changes the URL, whatever the visitor chooses: an embedded chart has secrets in the fragment of its
 * URL, and links nowhere.
 */
export function keepUrl(): void {
  isUrlKept = true;
}

let isUrlKept = false;

export function navigate(url: string): void {
  if (isUrlKept) return;
  pushUrl(url);
  scrollTo(0, 0);
}

/** Navigating to the current URL would only add a useless history entry. */
function pushUrl(url: string): void {
  if (url === formatUrl(currentRoute.view, currentRoute.params)) return;
  if (isUrlKept) {
    setViewRoute(url);
    return;
  }
  flushUrl();
  pushEntry(url);
  setViewRoute(url);
}

export function replaceView(view: ViewName): void {
  flushUrl();
  const url = formatUrl(view, currentRoute.params);
  replaceEntry(url);
  setViewRoute(url);
}

/** Updates parameters during a gesture (slider, typing); the whole gesture is one history entry. */
export function updateParamsContinuously(changes: ParamChanges): void {
  const url = formatUrl(currentRoute.view, { ...currentRoute.params, ...changes });
  const isNewGesture = Date.now() - lastContinuousUpdateMs > GESTURE_PAUSE_MS;
  lastContinuousUpdateMs = Date.now();
  if (isNewGesture) {
    pushUrl(url);
    return;
  }
  pendingUrl = url;
  if (urlWriteTimer === undefined) {
    flushUrl();
    urlWriteTimer = setTimeout(flushUrl, URL_WRITE_INTERVAL_MS);
  }
  setViewRoute(url);
}

const GESTURE_PAUSE_MS = 1_500;
let lastContinuousUpdateMs = 0;

/** Browsers limit how often the URL may change, to some hundred times in 30 seconds. */
const URL_WRITE_INTERVAL_MS = 300;
let pendingUrl: string | undefined;
let urlWriteTimer: ReturnType<typeof setTimeout> | undefined;

function flushUrl(): void {
  clearTimeout(urlWriteTimer);
  urlWriteTimer = undefined;
  if (pendingUrl !== undefined) replaceEntry(pendingUrl);
  pendingUrl = undefined;
}

function setViewRoute(url: string): void {
  currentRoute = parseViewRoute(url);
  for (const listener of routeListeners) listener();
}

function parseViewRoute(search: string): ViewRoute {
  const { view: name, ...params } = Object.fromEntries(new URLSearchParams(search));
  // Links of earlier releases call Data by the first datasets that it had.
  const view = VIEWS.find((knownView) => knownView === (name === 'data' ? 'payments' : name));
  return {
    view: view ?? VIEWS[0],
    isViewExplicit: Boolean(name),
    params,
    ...(name && !view && { unknownView: name }),
  };
}

function formatUrl(view: ViewName, params: ParamChanges): string {
  const query = new URLSearchParams({ view });
  for (const [name, value] of Object.entries(params)) if (value) query.set(name, value);
  return `?${query}`;
}
