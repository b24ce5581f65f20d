import type {
  ComponentChildren,
  InputHTMLAttributes,
  PartialInputHTMLAttributes,
  VNode,
} from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { request } from './service.ts';

const NOTICE_MS = 10_000;

let showDialog: (dialog: VNode | null) => void = () => {};
let showNotice: (notice: string | ((shown: string) => string)) => void = () => {};

/** Shows a text until the operator closes it, or another one takes its place. */
export function notify(text: string): void {
  showNotice(text);
}

export function closeDialog(): void {
  showDialog(null);
}

/** Shows the open dialog and the notices. The page has one of it. */
export function Overlay() {
  const [dialog, setDialog] = useState<VNode | null>(null);
  const [notice, setNotice] = useState('');
  useEffect(() => {
    showDialog = setDialog;
    showNotice = setNotice;
  }, []);
  return (
    <>
      {dialog}
      <div class="notices" role="status">
        {notice && (
          <p>
            {notice}{' '}
            <button type="button" class="secondary small" onClick={() => setNotice('')}>
              Close
            </button>
          </p>
        )}
      </div>
    </>
  );
}

interface DialogProps {
  readonly title: string;
  /** False if Escape must not close it, because its content is shown only once. */
  readonly closesOnEscape?: boolean;
  readonly children: ComponentChildren;
}

/** A modal dialog of the browser, which keeps the focus inside. */
export function Dialog({ title, closesOnEscape = true, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const opener = document.activeElement as HTMLElement | null;
    dialog.current?.showModal();
    // The browser returns the focus only if the dialog is closed before it is removed.
    return () => (opener?.isConnected ? opener : document.getElementById('main'))?.focus();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={heading}
      // Chromium ignores `preventDefault` once Escape was pressed a few times.
      closedby={closesOnEscape ? undefined : 'none'}
      onCancel={(event) => {
        if (!closesOnEscape) event.preventDefault();
      }}
      onClose={closeDialog}
      onKeyDown={(event) => {
        // The Enter key that opened the dialog may still be held down, and must not confirm it.
        if (event.repeat && event.key === 'Enter') event.preventDefault();
      }}
    >
      <h2 id={heading}>{title}</h2>
      {children}
    </dialog>
  );
}

/** The values of a form by the names of its fields. An empty field is included only if it was not empty at first. */
type Values = Readonly<Record<string, string>>;

function valuesOf(form: HTMLFormElement): Values {
  const given = [...new FormData(form)].filter(
    ([name, value]) =>
      value !== '' || (form.elements.namedItem(name) as HTMLInputElement).defaultValue !== '',
  );
  return Object.fromEntries(given) as Values;
}

interface FormProps<Response> {
  /** The verb on the button that sends the values. */
  readonly submit: string;
  readonly isDangerous?: boolean | undefined;
  /** The path that the values are sent to. If that fails, the form shows the error. */
  readonly path: string;
  /** Called with the response. */
  readonly onSent: (response: Response) => void;
  readonly onCancel?: () => void;
  /** The fields, or a function of the present values that returns them. */
  readonly children: ComponentChildren | ((values: Values) => ComponentChildren);
}

export function Form<Response>(props: FormProps<Response>) {
  const { submit, isDangerous, path, onSent, onCancel, children } = props;
  const [values, setValues] = useState<Values>({});
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState('');

  const send = async (form: HTMLFormElement) => {
    setBusy(true);
    setError('');
    const sending = request<Response>('POST', path, valuesOf(form));
    await sending.then(onSent, (error: Error) => setError(error.message));
    setBusy(false);
  };

  return (
    <form
      aria-busy={isBusy}
      onInput={({ currentTarget }) => setValues(valuesOf(currentTarget))}
      onSubmit={(event) => {
        event.preventDefault();
        send(event.currentTarget);
      }}
    >
      {typeof children === 'function' ? children(values) : children}
      {error && (
        <p class="banner bad" role="alert">
          {error}
        </p>
      )}
      <div class="buttons">
        {onCancel && (
          <button type="button" class="secondary" onClick={onCancel}>
            Cancel
          </button>
        )}
        <button type="submit" class={isDangerous ? 'danger' : undefined} disabled={isBusy}>
          {submit}
        </button>
      </div>
    </form>
  );
}

interface FormButtonProps<Response>
  extends Omit<FormProps<Response>, 'submit' | 'onSent' | 'onCancel'> {
  readonly label: string;
  /** The notice that says what has changed, or a function that returns it or the dialog that follows. */
  readonly done: string | ((response: Response) => string | VNode);
  /** What the button changes, for the title of the dialog and for screen readers, because rows have the same buttons. */
  readonly of?: string;
  readonly isPrimary?: boolean;
}

/** A button that opens a dialog, which asks before a change. A notice says afterwards what has changed. Hidden from viewers. */
export function FormButton<Response>(props: FormButtonProps<Response>) {
  const { label, of, isPrimary, done, ...form } = props;
  const name = of ? `${label} ${of}` : label;
  const tone = form.isDangerous ? 'bad' : '';
  const onSent = (response: Response) => {
    const next = typeof done === 'string' ? done : done(response);
    if (typeof next !== 'string') return showDialog(next);
    closeDialog();
    notify(next);
    // It only confirms what the operator has just done.
    setTimeout(() => showNotice((shown) => (shown === next ? '' : shown)), NOTICE_MS);
  };
  const dialog = (
    <Dialog title={name}>
      <Form {...form} submit={label} onSent={onSent} onCancel={closeDialog} />
    </Dialog>
  );
  return (
    <button
      type="button"
      class={`change ${isPrimary ? '' : 'secondary'} ${tone}`}
      aria-label={name}
      onClick={() => showDialog(dialog)}
    >
      {label}
    </button>
  );
}

/** The values that can be chosen, with a text for each. */
export type Options = Readonly<Record<string, string>>;

interface SelectProps {
  /** The text for no choice, before the others. */
  readonly any?: string;
  readonly options: Options;
  readonly chosen: unknown;
  /** The name of the field, in a form. */
  readonly name?: string;
  /** For screen readers, outside of a form. */
  readonly label?: string;
  readonly onValue?: (value: string) => void;
}

export function Select({ any, options, chosen, name, label, onValue }: SelectProps) {
  return (
    <select
      name={name}
      aria-label={label}
      onChange={({ currentTarget }) => onValue?.(currentTarget.value)}
    >
      {any && <option value="">{any}</option>}
      {Object.entries(options).map(([value, text]) => (
        <option key={value} value={value} selected={value === chosen}>
          {text}
        </option>
      ))}
    </select>
  );
}

export interface FieldProps extends Omit<PartialInputHTMLAttributes<HTMLInputElement>, 'label'> {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  /** With options, the field is a list to choose from. */
  readonly options?: Options;
}

/** A field of a form with its label. The browser keeps its value, which is `defaultValue` at first. */
export function Field({ label, hint, options, ...input }: FieldProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is among the children.
    <label class="field">
      <span>{label}</span>
      {options === undefined ? (
        <input autocomplete="off" spellcheck={false} {...(input as InputHTMLAttributes)} />
      ) : (
        <Select name={input.name} options={options} chosen={input.defaultValue} />
      )}
      {hint && <small>{hint}</small>}
    </label>
  );
}
