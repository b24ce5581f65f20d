import type { JsonSchema } from '../contract/json-schema.ts';
import type { PlacedParameter } from '../contract/operations.ts';
import { schemaOf } from '../contract/schemas.ts';
import { PropertyTable } from './property-table.tsx';
import { Prose } from './prose.tsx';
import { resolve } from './shape.tsx';

const TITLES = {
  path: 'Path parameters',
  query: 'Query parameters',
  header: 'Request headers',
} as const;

interface ParameterTablesProps {
  readonly operation: string;
  readonly parameters: readonly PlacedParameter[];
  /** What the fields contain at first. */
  readonly values: Readonly<Record<string, string>>;
}

/** One table for each place of parameters. You read about them and fill them in. */
export function ParameterTables({ operation, parameters, values }: ParameterTablesProps) {
  const byPlace = [...Map.groupBy(parameters, ({ place }) => place)];
  return (
    <>
      {byPlace.map(([place, placed]) => (
        <div key={place}>
          <h3>{TITLES[place]}</h3>
          <PropertyTable
            of={place === 'header' ? 'Header' : 'Parameter'}
            properties={placed.map((parameter) => {
              const { name, description, required } = parameter;
              const id = parameterId(operation, name);
              const shape = schemaOf(parameter.schema);
              return {
                ...{ name, shape, required },
                meaning: (
                  <span id={`${id}-meaning`}>
                    <Prose text={description} />
                  </span>
                ),
                field: <Field id={id} parameter={parameter} shape={shape} value={values[name]} />,
              };
            })}
          />
        </div>
      ))}
    </>
  );
}

/** The anchor of a parameter. */
export function parameterId(operation: string, parameter: string): string {
  return `${operation}-${parameter}`;
}

interface FieldProps {
  readonly id: string;
  readonly parameter: PlacedParameter;
  readonly shape: JsonSchema;
  readonly value: string | undefined;
}

function Field({ id, parameter, shape, value = '' }: FieldProps) {
  const { name, place, required } = parameter;
  const attributes = {
    ...{ id, name, required, 'data-place': place },
    'aria-label': name,
    'aria-describedby': `${id}-meaning`,
  };
  const { enum: choices } = resolve(shape);
  if (choices !== undefined) {
    return (
      <select {...attributes}>
        <option value="">any</option>
        {choices.map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </select>
    );
  }
  return (
    <input
      {...attributes}
      value={value}
      placeholder={shape.default === undefined ? '' : String(shape.default)}
      autocomplete="off"
      spellcheck={false}
    />
  );
}
