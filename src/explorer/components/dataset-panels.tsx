import type { DatasetEntry } from '../api/types.ts';
import { Panel } from './panel.tsx';

/** Notes on the figures of a dataset, where there are any. */
export function NotesPanel({ entry }: { readonly entry: DatasetEntry }) {
  if (entry.notes.length === 0) return null;
  return (
    <Panel title="Notes">
      <ul class="notes">
        {entry.notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </Panel>
  );
}
