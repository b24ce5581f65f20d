import type { InputHTMLAttributes, PartialInputHTMLAttributes } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

type Options = readonly (readonly [value: string, text: string])[];

interface FieldProps extends Omit<PartialInputHTMLAttributes<HTMLInputElement>, 'label'> {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  /** Makes it a list to choose from. */
  readonly options?: Options;
  /** Called with each new value. The form has the values too, by their names. */
  readonly onValue?: (value: string) => void;
}

/** A field of a form, with its label. The browser keeps its value, which starts as `defaultValue`. */
export function Field({ label, hint, options, onValue, ...input }: FieldProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is among the children.
    <label class="field">
      <span>{label}</span>
      {options === undefined ? (
        <input autocomplete="off" spellcheck={false} {...(input as InputHTMLAttributes)} />
      ) : (
        <select name={input.name} onChange={({ currentTarget }) => onValue?.(currentTarget.value)}>
          {options.map(([value, text]) => (
            <option key={value} value={value} selected={value === input.defaultValue}>
              {text}
            </option>
          ))}
        </select>
      )}
      {hint !== undefined && <small>{hint}</small>}
    </label>
  );
}

interface SearchProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

const PAUSE_MS = 250;

/** Searches the list of a page once the operator stops typing. */
export function Search({ label, value, onChange }: SearchProps) {
  const [text, setText] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => setText(value), [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={label}
      spellcheck={false}
      autocomplete="off"
      value={text}
      onInput={({ currentTarget }) => {
        const typed = currentTarget.value;
        setText(typed);
        clearTimeout(timer.current);
        timer.current = setTimeout(() => onChange(typed.trim()), PAUSE_MS);
      }}
    />
  );
}
