import type { InputHTMLAttributes, PartialInputHTMLAttributes } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, type FoundKey, request } from './api.ts';
import { notify } from './dialog.tsx';
import { linkTo, type Route, showList } from './route.ts';

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
  readonly route: Route;
  /** The name of the parameter that is set. */
  readonly name: string;
  readonly label: string;
}

const PAUSE_MS = 250;
/** A key, or a large part of one. */
const KEY = /ask_\w{12}|[0-9A-Za-z]{30}/i;
const WHOLE_KEY = /ask_(?:test_)?[0-9A-Za-z]{38}/;

/** Shows the account of a pasted key, which must not get into an address. */
async function showKey(secret: string): Promise<void> {
  try {
    const { id, account } = await request<FoundKey>('POST', 'keys/find', { secret });
    location.hash = linkTo('accounts', {}, account);
    notify(`This is key ${id} of ${account}.`);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    notify(error.message);
  }
}

/** Searches the list of a page once the operator stops typing, or finds a pasted key. */
export function Search({ route, name, label }: SearchProps) {
  const value = route.parameters[name] ?? '';
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
        clearTimeout(timer.current);
        if (KEY.test(typed)) {
          currentTarget.value = '';
          setText('');
          return showKey(WHOLE_KEY.exec(typed)?.[0] ?? typed);
        }
        setText(typed);
        timer.current = setTimeout(() => showList(route, { [name]: typed.trim() }), PAUSE_MS);
      }}
    />
  );
}
