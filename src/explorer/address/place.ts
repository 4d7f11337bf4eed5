import { useEffect, useState } from 'preact/hooks';

export const VIEWS = ['market', 'security', 'funds', 'payments', 'ledger'] as const;
export type View = (typeof VIEWS)[number];

/** Where the visitor is: all of it stands in the address, so that a link shows the same. */
export interface Place {
  readonly view: View;
  /** Whether the address names the view, rather than leaving it to the page. */
  readonly isNamed: boolean;
  /** What the view shows: the parameters of the address. */
  readonly at: Readonly<Record<string, string>>;
}

/** Undefined and empty take a parameter away. */
export type Changes = Readonly<Record<string, string | undefined>>;

const listeners = new Set<() => void>();
let place = placeIn(location.search);

addEventListener('popstate', () => moved(location.search));
// What was not written yet is not to be lost with the page.
addEventListener('pagehide', () => write());

/** The place, kept up to date. */
export function usePlace(): Place {
  const [current, set] = useState(place);
  useEffect(() => {
    const update = () => set(place);
    listeners.add(update);
    update();
    return () => void listeners.delete(update);
  }, []);
  return current;
}

/** The address of a view, at the instant that is looked at now. */
export function addressTo(view: View, at: Changes = {}): string {
  return addressOf(view, { ...at, asof: 'asof' in at ? at.asof : place.at.asof });
}

/** Changes what is shown. Back leads to what was shown before. */
export function go(changes: Changes): void {
  step(addressOf(place.view, { ...place.at, ...changes }));
}

/** Goes to an address of this page. */
export function goTo(address: string): void {
  step(address);
  scrollTo(0, 0);
}

/** A step to where one is already would only be in the way of those who go back. */
function step(address: string): void {
  if (address === addressOf(place.view, place.at)) return;
  write();
  history.pushState(null, '', address);
  moved(address);
}

/** Names the view where the address does not, without a step of its own. */
export function settleOn(view: View): void {
  write();
  const address = addressOf(view, place.at);
  history.replaceState(null, '', address);
  moved(address);
}

/**
 * Changes what is shown, for what changes with every move of a hand: a whole movement, until the
 * hand rests, is one step.
 */
export function slide(changes: Changes): void {
  const address = addressOf(place.view, { ...place.at, ...changes });
  const isBegun = Date.now() - slidAt > REST_MS;
  slidAt = Date.now();
  if (isBegun) {
    step(address);
    return;
  }
  unwritten = address;
  if (writing === undefined) {
    write();
    writing = setTimeout(write, WRITE_MS);
  }
  moved(address);
}

/** How long a hand rests between two movements. */
const REST_MS = 1_500;
let slidAt = 0;

/** Browsers refuse to write the address more often than some hundred times in half a minute. */
const WRITE_MS = 300;
let unwritten: string | undefined;
let writing: ReturnType<typeof setTimeout> | undefined;

/** Brings the address up to where a hand has moved to. */
function write(): void {
  clearTimeout(writing);
  writing = undefined;
  if (unwritten !== undefined) history.replaceState(null, '', unwritten);
  unwritten = undefined;
}

function moved(address: string): void {
  place = placeIn(address);
  for (const listener of listeners) listener();
}

function placeIn(search: string): Place {
  const { view, ...at } = Object.fromEntries(new URLSearchParams(search));
  const named = VIEWS.find((known) => known === view);
  return { view: named ?? VIEWS[0], isNamed: named !== undefined, at };
}

function addressOf(view: View, at: Changes): string {
  const query = new URLSearchParams({ view });
  for (const [name, value] of Object.entries(at)) if (value) query.set(name, value);
  return `?${query}`;
}
