import { useMemo } from 'preact/hooks';
import { go, usePlace } from '../address/place.ts';
import { dayWords } from '../figures/days.ts';
import { figure, isFigure, unitOf } from '../figures/figures.ts';
import { Panel } from '../parts/panel.tsx';
import { Shown } from '../parts/states.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { figureIn, type Quote, type Security } from '../quotes/quote.ts';
import type { Question } from '../service/api.ts';
import type { Entry, FieldEntry } from '../service/catalogue.ts';
import type { Asked } from '../service/use-answer.ts';
import { Take } from '../take/take.tsx';
import { rangeWords, spanned } from './range.ts';

interface QuotesTableProps {
  readonly entry: Entry;
  readonly security: Security;
  readonly question: Question;
  readonly asked: Asked<readonly Quote[]>;
  /** The days whose quotes were corrected. */
  readonly corrected: ReadonlySet<string>;
}

/** The quotes of a range, newest first, with all their fields. */
export function QuotesTable(props: QuotesTableProps) {
  const { entry, security, question, asked, corrected } = props;
  const { at } = usePlace();
  const columns = useMemo(() => columnsOf(entry, corrected), [entry, corrected]);
  // While there are none, the charts say why.
  if (!asked.data || asked.data.length === 0) return null;
  const { symbol } = security;
  return (
    <Panel
      title="Quotes"
      class="quotes"
      tools={<Take question={question} name={`${symbol}-quotes`} title={symbol} />}
    >
      <Shown asked={asked} what="quotes">
        {(quotes) => (
          <Table
            caption={`${quotes.length} quotes of ${symbol} ${rangeWords(spanned(quotes))}`}
            columns={columns}
            rows={quotes}
            keyOf={({ date }) => date}
            sort={at.sort}
            onSort={(sort) => go({ sort })}
            isMarked={({ date }) => date === at.point}
          />
        )}
      </Shown>
    </Panel>
  );
}

/** The day, then the figures, then what is mostly the same in all of them. */
function columnsOf({ fields }: Entry, corrected: ReadonlySet<string>): Column<Quote>[] {
  const [day, ...rest] = fields;
  const texts = rest.filter((each) => !isFigure(each));
  const inOrder = [...rest.filter(isFigure), ...texts];
  return [...(day ? [day] : []), ...inOrder].map((field) => ({
    name: field.name,
    title: field.meaning,
    unit: unitOf(field) || undefined,
    isText: !isFigure(field),
    cell: (quote) => cellOf(quote, field, field === day && corrected.has(quote.date)),
    by: (quote) => figureIn(quote, field) as number | string | undefined,
  }));
}

function cellOf(quote: Quote, field: FieldEntry, isCorrected: boolean) {
  const value = figureIn(quote, field);
  if (isCorrected) {
    return (
      <>
        {dayWords(quote.date)} <small class="down">corrected</small>
      </>
    );
  }
  if (field.kind === 'day') return dayWords(String(value));
  return <span title={value === undefined ? 'none' : String(value)}>{figure(value, field)}</span>;
}
