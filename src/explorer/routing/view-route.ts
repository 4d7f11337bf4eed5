import { useEffect, useState } from 'preact/hooks';

export const VIEWS = ['market', 'security', 'funds', 'payments', 'ledger'] as const;
export type View = (typeof VIEWS)[number];

/** Where the visitor is: all of it stands in the address, so that a link shows the same. */
export interface ViewRoute {
  readonly view: View;
  /** Whether the address names the view, rather than leaving it to the page. */
  readonly isViewExplicit: boolean;
  /** What the view shows: the parameters of the address. */
  readonly params: Readonly<Record<string, string>>;
}

/** Undefined and empty take a parameter away. */
export type ParamChanges = Readonly<Record<string, string | undefined>>;

const routeListeners = new Set<() => void>();
let currentRoute = parseViewRoute(location.search);

addEventListener('popstate', () => setViewRoute(location.search));
// What was not written yet is not to be lost with the page.
addEventListener('pagehide', () => flushUrl());

/** The place, kept up to date. */
export function useViewRoute(): ViewRoute {
  const [current, set] = useState(currentRoute);
  useEffect(() => {
    const update = () => set(currentRoute);
    routeListeners.add(update);
    update();
    return () => void routeListeners.delete(update);
  }, []);
  return current;
}

/** The address of a view, at the instant that is looked at now. */
export function urlFor(view: View, at: ParamChanges = {}): string {
  return formatUrl(view, { ...at, asof: 'asof' in at ? at.asof : currentRoute.params.asof });
}

/** Changes what is shown. Back leads to what was shown before. */
export function updateParams(changes: ParamChanges): void {
  pushUrl(formatUrl(currentRoute.view, { ...currentRoute.params, ...changes }));
}

/** Goes to an address of this page. */
export function navigate(address: string): void {
  pushUrl(address);
  scrollTo(0, 0);
}

/** A step to where one is already would only be in the way of those who go back. */
function pushUrl(address: string): void {
  if (address === formatUrl(currentRoute.view, currentRoute.params)) return;
  flushUrl();
  history.pushState(null, '', address);
  setViewRoute(address);
}

/** Names the view where the address does not, without a step of its own. */
export function replaceView(view: View): void {
  flushUrl();
  const address = formatUrl(view, currentRoute.params);
  history.replaceState(null, '', address);
  setViewRoute(address);
}

/**
 * Changes what is shown, for what changes with every move of a hand: a whole movement, until the
 * hand rests, is one step.
 */
export function updateParamsContinuously(changes: ParamChanges): void {
  const address = formatUrl(currentRoute.view, { ...currentRoute.params, ...changes });
  const isBegun = Date.now() - lastContinuousUpdateMs > GESTURE_PAUSE_MS;
  lastContinuousUpdateMs = Date.now();
  if (isBegun) {
    pushUrl(address);
    return;
  }
  pendingUrl = address;
  if (urlWriteTimer === undefined) {
    flushUrl();
    urlWriteTimer = setTimeout(flushUrl, URL_WRITE_INTERVAL_MS);
  }
  setViewRoute(address);
}

/** How long a hand rests between two movements. */
const GESTURE_PAUSE_MS = 1_500;
let lastContinuousUpdateMs = 0;

/** Browsers refuse to write the address more often than some hundred times in half a minute. */
const URL_WRITE_INTERVAL_MS = 300;
let pendingUrl: string | undefined;
let urlWriteTimer: ReturnType<typeof setTimeout> | undefined;

/** Brings the address up to where a hand has moved to. */
function flushUrl(): void {
  clearTimeout(urlWriteTimer);
  urlWriteTimer = undefined;
  if (pendingUrl !== undefined) history.replaceState(null, '', pendingUrl);
  pendingUrl = undefined;
}

function setViewRoute(address: string): void {
  currentRoute = parseViewRoute(address);
  for (const listener of routeListeners) listener();
}

function parseViewRoute(search: string): ViewRoute {
  const { view, ...at } = Object.fromEntries(new URLSearchParams(search));
  const named = VIEWS.find((known) => known === view);
  return { view: named ?? VIEWS[0], isViewExplicit: named !== undefined, params: at };
}

function formatUrl(view: View, at: ParamChanges): string {
  const query = new URLSearchParams({ view });
  for (const [name, value] of Object.entries(at)) if (value) query.set(name, value);
  return `?${query}`;
}
