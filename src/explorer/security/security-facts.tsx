import type { Quote } from '../../catalogue/datasets/quotes.ts';
import type { DatasetEntry } from '../api/types.ts';
import { useQuery } from '../api/use-query.ts';
import { FactList } from '../components/fact-list.tsx';
import { Panel } from '../components/panel.tsx';
import { QueryView } from '../components/query-view.tsx';
import { ExportMenu } from '../export/export-menu.tsx';
import { formatDayLabel } from '../formatting/dates.ts';
import { formatFigure, getUnit, NO_VALUE } from '../formatting/numbers.ts';
import { formatType, getField, getQuoteValue, type SecuritySummary } from './quote.ts';
import { hasMatured } from './search-securities.ts';

interface SecurityFactsProps {
  readonly entry: DatasetEntry;
  readonly security: SecuritySummary;
}

const TILE_FIELDS = ['lastPrice', 'ytm', 'duration', 'maturityYears', 'volume'] as const;

/** The newest quote of a security. */
export function LatestQuotePanel({ entry, security }: SecurityFactsProps) {
  const { symbol, lastDate } = security;
  const request = { path: entry.path, parameters: { symbol } };
  const query = useQuery<readonly Quote[]>(request);
  return (
    <Panel
      title={`Newest quote, ${formatDayLabel(query.data?.[0]?.date ?? lastDate)}`}
      tools={<ExportMenu request={request} fileName={`${symbol}-newest`} />}
    >
      <QueryView query={query} subject="the newest quote">
        {([quote]) => (
          <dl class="tiles">
            {TILE_FIELDS.map((name) => {
              const field = getField(entry, name);
              const text = formatFigure(quote && getQuoteValue(quote, field), field);
              return (
                <div key={name} class="tile">
                  <dt>{field.meaning}</dt>
                  <dd>
                    <b>{text}</b> <small>{text === NO_VALUE ? 'none' : getUnit(field)}</small>
                  </dd>
                </div>
              );
            })}
          </dl>
        )}
      </QueryView>
    </Panel>
  );
}

/** The terms of a security, and the days of its quotes. */
export function SecurityFactsPanel({ entry, security }: SecurityFactsProps) {
  const { symbol, isin, type, firstDate, lastDate } = security;
  const describe = (name: keyof Quote) => getField(entry, name).meaning;
  const maturity = formatDayLabel(security.maturityDate);
  return (
    <Panel title="The security">
      <FactList
        facts={[
          { name: 'Symbol', value: symbol, hint: describe('symbol') },
          { name: 'ISIN', value: isin, hint: describe('isin') },
          { name: describe('type'), value: formatType(type) },
          {
            name: describe('maturityDate'),
            value: hasMatured(security, entry) ? `matured on ${maturity}` : maturity,
          },
          { name: 'First quote', value: formatDayLabel(firstDate) },
          { name: 'Last quote', value: formatDayLabel(lastDate) },
        ]}
      />
    </Panel>
  );
}
