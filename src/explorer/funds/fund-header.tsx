import { useState } from 'preact/hooks';
import { formatInstantLabel } from '../formatting/dates.ts';
import type { FundRecord } from './fund-record.ts';

/** Which fund it is: the whole identifier, to be copied, and how it reports. */
export function FundHeader({ record }: { readonly record: FundRecord }) {
  const { fund_id, frequency, periods, modified } = record;
  const [told, tell] = useState('');
  const copy = () =>
    navigator.clipboard.writeText(fund_id).then(
      () => tell('Copied'),
      () => tell('The browser does not allow it'),
    );
  return (
    <p class="fund-header">
      <code>{fund_id}</code>{' '}
      <button type="button" onClick={copy}>
        Copy
      </button>{' '}
      <span class="status-message" role="status">
        {told}
      </span>
      <span class="muted">
        {frequency}, {periods.length} {periods.length === 1 ? 'period' : 'periods'}, last modified{' '}
        {formatInstantLabel(modified)}
      </span>
    </p>
  );
}
