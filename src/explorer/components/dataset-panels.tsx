import type { DatasetEntry, FieldInfo } from '../api/types.ts';
import { Panel } from './panel.tsx';

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

export function FieldsPanel({ entry }: { readonly entry: DatasetEntry }) {
  return (
    <Panel title="Fields" lead="Names, descriptions and units, as in the API.">
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
