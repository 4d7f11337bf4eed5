import { dayWords } from '../figures/days.ts';
import { figure, NONE, unitOf } from '../figures/figures.ts';
import { Panel } from '../parts/panel.tsx';
import { Shown } from '../parts/states.tsx';
import { figureIn, knownField, type Quote, type Security, typeWords } from '../quotes/quote.ts';
import type { Entry } from '../service/catalogue.ts';
import { useAnswer } from '../service/use-answer.ts';
import { Take } from '../take/take.tsx';
import { isMatured } from './matching.ts';

interface FactsProps {
  readonly entry: Entry;
  readonly security: Security;
}

const FIGURES = ['lastPrice', 'ytm', 'duration', 'maturityYears', 'volume'] as const;

/** The newest quote of a security. */
export function Newest({ entry, security }: FactsProps) {
  const { symbol, lastDate } = security;
  const question = { path: entry.path, parameters: { symbol } };
  const asked = useAnswer<readonly Quote[]>(question);
  return (
    <Panel
      title={`Newest quote, ${dayWords(asked.data?.[0]?.date ?? lastDate)}`}
      tools={<Take question={question} name={`${symbol}-newest`} title={symbol} />}
    >
      <Shown asked={asked} what="the newest quote">
        {([quote]) => (
          <dl class="tiles">
            {quote && FIGURES.map((name) => <Tile key={name} {...{ entry, name, quote }} />)}
          </dl>
        )}
      </Shown>
    </Panel>
  );
}

/** What a security is. */
export function Facts({ entry, security }: FactsProps) {
  const { symbol, isin, type, firstDate, lastDate } = security;
  const matures = dayWords(security.maturityDate);
  return (
    <Panel title="The security">
      <dl class="facts">
        <Fact name="Symbol" value={symbol} hint={knownField(entry, 'symbol').meaning} />
        <Fact name="ISIN" value={isin} hint={knownField(entry, 'isin').meaning} />
        <Fact name={knownField(entry, 'type').meaning} value={typeWords(type)} />
        <Fact
          name={knownField(entry, 'maturityDate').meaning}
          value={isOver(entry, security) ? `matured on ${matures}` : matures}
        />
        <Fact name="First quote" value={dayWords(firstDate)} />
        <Fact name="Last quote" value={dayWords(lastDate)} />
      </dl>
    </Panel>
  );
}

/** What it is, in a line. */
export function Summary({ entry, security }: FactsProps) {
  const verb = isOver(entry, security) ? 'matured' : 'matures';
  return (
    <p class="quiet">
      {typeWords(security.type)}, {verb} on {dayWords(security.maturityDate)}
    </p>
  );
}

function isOver({ coverage }: Entry, security: Security): boolean {
  return isMatured(security, coverage.last ?? security.lastDate);
}

interface TileProps {
  readonly entry: Entry;
  readonly name: keyof Quote;
  readonly quote: Quote;
}

function Tile({ entry, name, quote }: TileProps) {
  const field = knownField(entry, name);
  const text = figure(figureIn(quote, field), field);
  return (
    <div class="tile">
      <dt>{field.meaning}</dt>
      <dd>
        <b>{text}</b> <small>{text === NONE ? 'none' : unitOf(field)}</small>
      </dd>
    </div>
  );
}

interface FactProps {
  readonly name: string;
  readonly value: string;
  readonly hint?: string;
}

function Fact({ name, value, hint }: FactProps) {
  return (
    <div>
      <dt title={hint}>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
