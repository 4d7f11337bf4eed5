import type { DatasetEntry, FieldInfo } from '../api/types.ts';
import { Panel } from './panel.tsx';

/** What is to be known before the figures are used. */
export function NotesPanel({ entry }: { readonly entry: DatasetEntry }) {
  if (entry.notes.length === 0) return null;
  return (
    <Panel title="What to know">
      <ul class="notes">
        {entry.notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </Panel>
  );
}

/** What each field means, under the name that the API gives it, with its unit. */
export function FieldsPanel({ entry }: { readonly entry: DatasetEntry }) {
  return (
    <Panel title="Fields" lead="As the API names them, with what they mean.">
      <dl class="field-descriptions">
        {entry.fields.map((field) => (
          <FieldDescription key={field.name} field={field} name={field.name} />
        ))}
      </dl>
    </Panel>
  );
}

function FieldDescription({ field, name }: { readonly field: FieldInfo; readonly name: string }) {
  return (
    <>
      <div>
        <dt>
          <code>{name}</code>
        </dt>
        <dd>
          {field.meaning}
          {field.unit && <small>{field.unit}</small>}
        </dd>
      </div>
      {field.fields?.map((inner) => (
        <FieldDescription key={inner.name} field={inner} name={`${name}.${inner.name}`} />
      ))}
    </>
  );
}
