import { Swatch } from '../charts/swatch.tsx';
import { Button } from '../components/button.tsx';
import { updateParams } from '../routing/view-route.tsx';
import type { QuotedSecurity } from './quoted-security.ts';
import { SecurityCombobox } from './security-combobox.tsx';
import { getComparisonColor, MAX_COMPARED } from './security-comparison.ts';

interface CompareBarProps {
  /** The others, those that are most like it first. */
  readonly similar: readonly QuotedSecurity[];
  /** Symbols. */
  readonly compared: readonly string[];
}

/** Chooses the securities that the one of the page is compared with. */
export function CompareBar({ similar, compared }: CompareBarProps) {
  const compareWith = (symbols: readonly string[]) =>
    updateParams({ with: symbols.join() || undefined });
  const candidates = similar.filter(({ symbol }) => !compared.includes(symbol));
  return (
    <div class="compare-bar">
      {compared.length < MAX_COMPARED && (
        <SecurityCombobox
          label="Compare with"
          securities={candidates}
          onSelect={(symbol) => compareWith([...compared, symbol])}
        />
      )}
      {compared.map((symbol, index) => (
        <Button
          key={symbol}
          class={`chip color-${getComparisonColor(index + 1)}`}
          aria-label={`Remove ${symbol} from the comparison`}
          onClick={() => compareWith(compared.filter((each) => each !== symbol))}
        >
          <Swatch colorIndex={getComparisonColor(index + 1)} mark="line" />
          {symbol} <span aria-hidden="true">×</span>
        </Button>
      ))}
      {compared.length > 1 && <Button onClick={() => compareWith([])}>Remove all</Button>}
    </div>
  );
}
