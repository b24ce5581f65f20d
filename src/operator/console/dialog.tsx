import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { ApiError } from './api.ts';

interface DialogProps {
  readonly title: ComponentChildren;
  readonly onClose: () => void;
  /** False if Escape must not close it, because its content is shown only once. */
  readonly closesOnEscape?: boolean;
  readonly children: ComponentChildren;
}

/** A modal dialog of the browser, which keeps the focus inside. */
export function Dialog({ title, onClose, closesOnEscape = true, children }: DialogProps) {
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
        if (closesOnEscape) onClose();
      }}
      onClose={onClose}
    >
      <h2 id={heading}>{title}</h2>
      {children}
    </dialog>
  );
}

interface ActionDialogProps {
  readonly title: ComponentChildren;
  /** The verb on the button that confirms. */
  readonly action: string;
  readonly isDangerous?: boolean;
  readonly isReady?: boolean;
  readonly onClose: () => void;
  /** Makes the change. An error is shown in the dialog, which then stays open. */
  readonly onConfirm: () => Promise<void>;
  readonly children?: ComponentChildren;
}

/** Asks before a change, and shows the error if it fails. */
export function ActionDialog(props: ActionDialogProps) {
  const {
    title,
    action,
    isDangerous = false,
    isReady = true,
    onClose,
    onConfirm,
    children,
  } = props;
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();

  const confirm = async (event: Event) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setError(undefined);
    try {
      await onConfirm();
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      setError(thrown.message);
    } finally {
      setBusy(false);
    }
  };

  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={confirm} aria-busy={isBusy}>
        {children}
        {error !== undefined && (
          <p class="form-error" role="alert">
            {error}
          </p>
        )}
        <div class="actions">
          <button type="button" class="secondary" onClick={onClose}>
            Cancel
          </button>
          <button
            type="submit"
            class={isDangerous ? 'danger' : undefined}
            disabled={!isReady || isBusy}
          >
            {action}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

interface FieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly children: ComponentChildren;
}

/** A label with its control. */
export function Field({ label, hint, children }: FieldProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is among the children.
    <label class="field">
      <span>{label}</span>
      {children}
      {hint !== undefined && <small>{hint}</small>}
    </label>
  );
}
