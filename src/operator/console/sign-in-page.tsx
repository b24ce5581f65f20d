import { useEffect, useState } from 'preact/hooks';
import { Field } from './dialog.tsx';
import { Brand } from './marks.tsx';

interface SignInProps {
  /** Why the operator is not signed in. */
  readonly reason: string | undefined;
  readonly onSignIn: (token: string) => Promise<void>;
}

export function SignInPage({ reason, onSignIn }: SignInProps) {
  const [isBusy, setBusy] = useState(false);

  useEffect(() => {
    document.title = 'Sign in · Animal Store console';
  }, []);

  const submit = async (form: HTMLFormElement) => {
    setBusy(true);
    await onSignIn(String(new FormData(form).get('token')));
    setBusy(false);
  };

  return (
    <main class="alone">
      <div class="sign-in">
        <Brand />
        <h1>Sign in</h1>
        <form
          aria-busy={isBusy}
          onSubmit={(event) => {
            event.preventDefault();
            submit(event.currentTarget);
          }}
        >
          {/* A password manager stores the token under this name. */}
          <input name="username" autocomplete="username" value="operator" readOnly hidden />
          <Field
            name="token"
            label="Operator token"
            type="password"
            autocomplete="current-password"
            required
            aria-describedby="reason"
          />
          <p id="reason" class="form-error" role="alert" hidden={!reason}>
            {reason}
          </p>
          <button type="submit" disabled={isBusy}>
            Sign in
          </button>
        </form>
        <p class="quiet">
          The token is <code>OPERATOR_TOKEN</code>. If you did not set it, the service printed a
          link that signs in when it started.
        </p>
      </div>
    </main>
  );
}
