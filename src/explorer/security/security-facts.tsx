import type { Quote } from '../../catalogue/datasets/quotes.ts';
import type { DatasetEntry } from '../api/types.ts';
import { useQuery } from '../api/use-query.ts';
import { Panel } from '../components/panel.tsx';
import { QueryView } from '../components/query-view.tsx';
import { ExportMenu } from '../export/export-menu.tsx';
import { formatDayLabel } from '../formatting/dates.ts';
import { formatFigure, getUnit, NO_VALUE } from '../formatting/numbers.ts';
import { formatType, getField, getQuoteValue, type SecuritySummary } from './quote.ts';
import { hasMaturedBy } from './search-securities.ts';

interface SecurityFactsProps {
  readonly entry: DatasetEntry;
  readonly security: SecuritySummary;
}

const TILE_FIELDS = ['lastPrice', 'ytm', 'duration', 'maturityYears', 'volume'] as const;

/** The newest quote of a security. */
export function LatestQuotePanel({ entry, security }: SecurityFactsProps) {
  const { symbol, lastDate } = security;
  const question = { path: entry.path, parameters: { symbol } };
  const query = useQuery<readonly Quote[]>(question);
  return (
    <Panel
      title={`Newest quote, ${formatDayLabel(query.data?.[0]?.date ?? lastDate)}`}
      tools={<ExportMenu request={question} fileName={`${symbol}-newest`} title={symbol} />}
    >
      <QueryView query={query} subject="the newest quote">
        {([quote]) => (
          <dl class="tiles">
            {quote &&
              TILE_FIELDS.map((name) => <FigureTile key={name} {...{ entry, name, quote }} />)}
          </dl>
        )}
      </QueryView>
    </Panel>
  );
}

/** What a security is. */
export function SecurityFactsPanel({ entry, security }: SecurityFactsProps) {
  const { symbol, isin, type, firstDate, lastDate } = security;
  const matures = formatDayLabel(security.maturityDate);
  return (
    <Panel title="The security">
      <dl class="facts">
        <LabelledValue name="Symbol" value={symbol} hint={getField(entry, 'symbol').meaning} />
        <LabelledValue name="ISIN" value={isin} hint={getField(entry, 'isin').meaning} />
        <LabelledValue name={getField(entry, 'type').meaning} value={formatType(type)} />
        <LabelledValue
          name={getField(entry, 'maturityDate').meaning}
          value={hasMatured(entry, security) ? `matured on ${matures}` : matures}
        />
        <LabelledValue name="First quote" value={formatDayLabel(firstDate)} />
        <LabelledValue name="Last quote" value={formatDayLabel(lastDate)} />
      </dl>
    </Panel>
  );
}

/** What it is, in a line. */
export function SecuritySummaryLine({ entry, security }: SecurityFactsProps) {
  const verb = hasMatured(entry, security) ? 'matured' : 'matures';
  return (
    <p class="muted">
      {formatType(security.type)}, {verb} on {formatDayLabel(security.maturityDate)}
    </p>
  );
}

function hasMatured({ coverage }: DatasetEntry, security: SecuritySummary): boolean {
  return hasMaturedBy(security, coverage.last ?? security.lastDate);
}

interface FigureTileProps {
  readonly entry: DatasetEntry;
  readonly name: keyof Quote;
  readonly quote: Quote;
}

function FigureTile({ entry, name, quote }: FigureTileProps) {
  const field = getField(entry, name);
  const text = formatFigure(getQuoteValue(quote, field), field);
  return (
    <div class="tile">
      <dt>{field.meaning}</dt>
      <dd>
        <b>{text}</b> <small>{text === NO_VALUE ? 'none' : getUnit(field)}</small>
      </dd>
    </div>
  );
}

interface LabelledValueProps {
  readonly name: string;
  readonly value: string;
  readonly hint?: string;
}

function LabelledValue({ name, value, hint }: LabelledValueProps) {
  return (
    <div>
      <dt title={hint}>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
