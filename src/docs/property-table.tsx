import type { ComponentChildren } from 'preact';
import type { JsonSchema } from '../contract/json-schema.ts';
import { boundsOf, TypeOf } from './shape.tsx';

export interface Property {
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

/** Parameters or fields: the name with its type, the meaning, and a field to fill in if it has one. */
export function PropertyTable({ of, properties }: PropertyTableProps) {
  const hasFields = properties.some(({ field }) => field !== undefined);
  return (
    <table class="properties">
      <thead>
        <tr>
          <th>{of}</th>
          <th>Meaning</th>
          {hasFields && <th class="needs-script">Try it</th>}
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
                {meaning}
                {bounds !== '' && <span class="bounds">{bounds}</span>}
              </td>
              {hasFields && <td class="try needs-script">{field}</td>}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
