import { useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { Menu } from '../components/menu.tsx';
import { updateParams } from '../routing/view-route.tsx';
import { type DimensionChoice, formatChoices } from './dimensions.ts';

/** A control for each dimension, which chooses one, several or all of its values. */
export function DimensionControls({ choices }: { readonly choices: readonly DimensionChoice[] }) {
  return choices.map((choice) => (
    <Menu
      key={choice.field}
      label={`${choice.title}: ${describeChosen(choice)}`}
      class="value-choice"
    >
      {(close) => (
        <ValueList
          choice={choice}
          close={close}
          choose={(chosen) =>
            updateParams({
              of: formatChoices(choices.map((each) => (each === choice ? { chosen } : each))),
              hide: undefined,
            })
          }
        />
      )}
    </Menu>
  ));
}

const MAX_NAMED = 2;

/** `Karachi, Lahore`, or `3 of 12`. */
function describeChosen({ chosen, options }: DimensionChoice): string {
  if (!chosen) return `all ${options.length}`;
  if (chosen.length > MAX_NAMED) return `${chosen.length} of ${options.length}`;
  const names = options.filter(({ key }) => chosen.includes(key)).map(({ text }) => text);
  return names.join(', ') || 'none';
}

interface ValueListProps {
  readonly choice: DimensionChoice;
  readonly close: () => void;
  readonly choose: (values: readonly string[] | undefined) => void;
}

/** Longer lists have a search. */
const SHORT_LIST = 8;
/** As many as a visitor would look through. */
const MAX_LISTED = 200;

/** A click on a value shows it alone; a tick adds it. */
function ValueList({ choice, close, choose }: ValueListProps) {
  const { title, options, chosen } = choice;
  const [text, setText] = useState('');
  const matches = options.filter(({ key, text: name }) =>
    `${name} ${key}`.toLowerCase().includes(text.trim().toLowerCase()),
  );
  const keys = chosen ?? options.map(({ key }) => key);
  const toggle = (key: string) => {
    const others = keys.filter((each) => each !== key);
    if (others.length === keys.length) choose([...keys, key]);
    else if (others.length > 0) choose(others);
  };
  return (
    <>
      {options.length > SHORT_LIST && (
        <input
          type="search"
          aria-label={`Search ${title}`}
          placeholder="Search"
          autocomplete="off"
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      )}
      <p class="menu-hint muted">Click one to see it alone; tick to compare.</p>
      <ul>
        {options.length > 1 && text === '' && (
          <li class="row">
            <input
              type="checkbox"
              aria-label={`All ${options.length}`}
              checked={chosen === undefined}
              onChange={() => choose(chosen ? undefined : keys.slice(0, 1))}
            />
            <Button
              onClick={() => {
                close();
                choose(undefined);
              }}
            >
              All {options.length}
            </Button>
          </li>
        )}
        {matches.slice(0, MAX_LISTED).map(({ key, text: name }) => (
          <li key={key} class="row">
            <input
              type="checkbox"
              aria-label={`Compare ${name}`}
              checked={keys.includes(key)}
              onChange={() => toggle(key)}
            />
            <Button
              onClick={() => {
                close();
                choose([key]);
              }}
            >
              {name} {name !== key && <small>{key}</small>}
            </Button>
          </li>
        ))}
      </ul>
      {matches.length === 0 && <p class="menu-hint muted">Nothing matches</p>}
      {matches.length > MAX_LISTED && (
        <p class="menu-hint muted">{matches.length - MAX_LISTED} more: search for them.</p>
      )}
    </>
  );
}
