import { useRef, useState } from 'preact/hooks';
import { exactJson, type JsonValue, parseJson } from '../../domain/json.ts';
import { INTEGER } from '../samples/literal.ts';
import { Tabs } from './tabs.tsx';

interface BodyFieldInfo {
  readonly name: string;
  readonly isInteger: boolean;
  readonly choices?: readonly string[];
}

interface BodyFieldProps {
  readonly id: string;
  readonly fields: readonly BodyFieldInfo[];
  /** The JSON text of the example. */
  readonly example: string;
}

type Fields = { [name: string]: JsonValue };

const MODES = [
  { id: 'form', title: 'Form' },
  { id: 'json', title: 'JSON' },
] as const;

/** The body to send, as a form or as JSON. The JSON text is what the panel reads. */
export function BodyField({ id, fields, example }: BodyFieldProps) {
  const text = useRef<HTMLTextAreaElement>(null);
  const [mode, setMode] = useState('form');
  const [values, setValues] = useState(() => fieldsIn(example));
  const [problem, setProblem] = useState('');
  const choose = (mode: string) => {
    try {
      if (mode === 'form') setValues(fieldsIn(text.current?.value ?? example));
      setMode(mode);
    } catch (error) {
      // The form would discard the text.
      setProblem((error as Error).message);
    }
  };
  const change = ({ name, isInteger }: BodyFieldInfo, value: string) => {
    const { [name]: _, ...others } = values;
    const typed = isInteger && INTEGER.test(value) ? BigInt(value) : value;
    const given = value === '' ? others : { ...values, [name]: typed };
    setValues(given);
    // At once, because the form reads it when this event reaches it.
    if (text.current !== null) text.current.value = exactJson(given, 2);
  };
  return (
    <>
      <div class="tabs">
        <Tabs id={id} label="Body to send" tabs={MODES} chosen={mode} onChoose={choose} />
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${mode}`}>
        <div hidden={mode !== 'form'}>
          {fields.map((info) => {
            const { name, choices } = info;
            const { [name]: value = '' } = values;
            const field = {
              id: `${id}-field-${name}`,
              value: String(value),
              onInput: ({ currentTarget }: { currentTarget: { value: string } }) =>
                change(info, currentTarget.value),
            };
            return (
              <label key={name} for={field.id}>
                {name}
                {choices === undefined ? (
                  <input {...field} autocomplete="off" spellcheck={false} />
                ) : (
                  <select {...field}>
                    {
                      // The JSON may have another value.
                      [...new Set(['', ...choices, field.value])].map((choice) => (
                        <option key={choice} value={choice}>
                          {choice || 'not given'}
                        </option>
                      ))
                    }
                  </select>
                )}
              </label>
            );
          })}
        </div>
        <textarea
          ref={text}
          id={id}
          name="body"
          aria-label="Body to send, as JSON"
          hidden={mode !== 'json'}
          rows={example.split('\n').length}
          spellcheck={false}
          autocomplete="off"
          defaultValue={example}
          onInput={() => setProblem('')}
        />
        {problem && <p role="alert">The form cannot show this JSON: {problem}.</p>}
      </div>
    </>
  );
}

/** Throws for a text that is not an object. */
function fieldsIn(json: string): Fields {
  const value = parseJson(json);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new Error('expected an object');
}
