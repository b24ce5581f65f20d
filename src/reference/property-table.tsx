import type { ComponentChildren } from 'preact';
import type { JsonSchema } from '../contract/json-schema.ts';
import { boundsOf, TypeOf } from './shape.tsx';

interface Property {
  readonly name: string;
  /** Its anchor. */
  readonly id?: string;
  readonly shape: JsonSchema;
  readonly required: boolean;
  readonly meaning: ComponentChildren;
  /** Where the reader fills it in. */
  readonly field?: ComponentChildren;
}

interface PropertyTableProps {
  /** The heading of the first column. */
  readonly of: string;
  readonly properties: readonly Property[];
}

/** Parameters or fields: the name with its type, its meaning, and where to fill it in. */
export function PropertyTable({ of, properties }: PropertyTableProps) {
  return (
    <table class="properties">
      <thead>
        <tr>
          <th>{of}</th>
          <th>Meaning</th>
        </tr>
      </thead>
      <tbody>
        {properties.map(({ name, id, shape, required, meaning, field }) => {
          const bounds = boundsOf(shape);
          return (
            <tr key={name} id={id}>
              <th scope="row">
                <code class="name">{name}</code>
                <span class="type">
                  <TypeOf shape={shape} />
                </span>
                <span class={required ? 'required' : 'optional'}>
                  {required ? 'required' : 'optional'}
                </span>
              </th>
              <td>
                <div class="meaning">
                  <div>
                    {meaning}
                    {bounds !== '' && <span class="bounds">{bounds}</span>}
                  </div>
                  {field !== undefined && <div class="needs-script">{field}</div>}
                </div>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
