import {
  type ComponentChildren,
  Fragment,
  type InputHTMLAttributes,
  type PartialInputHTMLAttributes,
  type VNode,
} from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { ApiError } from './api.ts';

const NOTICE_MS = 5_000;

let showDialog: (dialog: VNode | null) => void = () => {};
let showNotice: (notice: string | ((shown: string) => string)) => void = () => {};

/** Stays until the operator closes it. */
export function notify(text: string): void {
  showNotice(text);
}

/** Shows a dialog in place of the one that is open. */
export function openDialog(dialog: VNode): void {
  showDialog(dialog);
}

interface DialogButtonProps {
  readonly opens: () => VNode;
  /** Says more than the text, where several buttons have the same. */
  readonly name?: string;
  readonly look?: string;
  readonly children: string;
}

export function DialogButton({ opens, name, look, children }: DialogButtonProps) {
  return (
    <button type="button" class={look} aria-label={name} onClick={() => openDialog(opens())}>
      {children}
    </button>
  );
}

export function closeDialog(): void {
  showDialog(null);
}

/** The place of the open dialog and of notices. There is one. */
export function Overlay() {
  const [dialog, setDialog] = useState<VNode | null>(null);
  const [notice, setNotice] = useState('');
  // A dialog that follows another one must not take over its state.
  const number = useRef(0);
  useEffect(() => {
    showDialog = (shown) => {
      number.current++;
      setDialog(shown);
    };
    showNotice = setNotice;
  }, []);
  return (
    <>
      <Fragment key={number.current}>{dialog}</Fragment>
      <div class="notices" role="status">
        {notice !== '' && (
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
  readonly title: ComponentChildren;
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
      onCancel={(event) => {
        event.preventDefault();
        if (closesOnEscape) closeDialog();
      }}
      onClose={closeDialog}
    >
      <h2 id={heading}>{title}</h2>
      {children}
    </dialog>
  );
}

/** The values of the fields of a form, by their names. */
export type Values = Readonly<Record<string, string>>;

interface FormDialogProps {
  readonly title: ComponentChildren;
  /** The verb on the button that makes the change. */
  readonly submit: string;
  readonly isDangerous?: boolean;
  readonly isReady?: boolean;
  /** Called with the values after each change of one of them. */
  readonly onInput?: (values: Values) => void;
  /**
   * Makes the change. Returns the notice that says so, or the dialog that follows. An `ApiError` is
   * shown in the dialog, which then stays open.
   */
  readonly onSubmit: (values: Values) => Promise<string | VNode>;
  readonly children?: ComponentChildren;
}

/** Asks before a change, and shows the error if it fails. */
export function FormDialog(props: FormDialogProps) {
  const { title, submit, isDangerous, isReady = true, onInput, onSubmit, children } = props;
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();

  const send = async (form: HTMLFormElement) => {
    if (isBusy) return;
    setBusy(true);
    setError(undefined);
    try {
      const next = await onSubmit(valuesOf(form));
      if (typeof next !== 'string') return openDialog(next);
      closeDialog();
      showNotice(next);
      setTimeout(() => showNotice((shown) => (shown === next ? '' : shown)), NOTICE_MS);
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      setError(thrown.message);
    } finally {
      setBusy(false);
    }
  };

  return (
    <Dialog title={title}>
      <form
        aria-busy={isBusy}
        onInput={({ currentTarget }) => onInput?.(valuesOf(currentTarget))}
        onSubmit={(event) => {
          event.preventDefault();
          send(event.currentTarget);
        }}
      >
        {children}
        {error !== undefined && (
          <p class="form-error" role="alert">
            {error}
          </p>
        )}
        <div class="buttons">
          <button type="button" class="secondary" onClick={closeDialog}>
            Cancel
          </button>
          <button
            type="submit"
            class={isDangerous ? 'danger' : undefined}
            disabled={!isReady || isBusy}
          >
            {submit}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function valuesOf(form: HTMLFormElement): Values {
  return Object.fromEntries(new FormData(form)) as Values;
}

type Options = readonly (readonly [value: string, text: string])[];

export interface FieldProps extends Omit<PartialInputHTMLAttributes<HTMLInputElement>, 'label'> {
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
