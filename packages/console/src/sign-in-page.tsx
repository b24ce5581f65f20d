import { useEffect } from 'preact/hooks';
import { Field, Form } from './dialog.tsx';
import { Brand } from './marks.tsx';

interface SignInProps {
  /** Why the operator is not signed in. */
  readonly reason: string | undefined;
  readonly onSignedIn: () => void;
}

export function SignInPage({ reason, onSignedIn }: SignInProps) {
  useEffect(() => {
    document.title = 'Sign in · Animal Store console';
  }, []);
  return (
    <main class="alone">
      <div class="sign-in">
        <Brand />
        <h1>Sign in</h1>
        {reason && <p role="alert">{reason}</p>}
        <Form path="session" submit="Sign in" onSent={onSignedIn}>
          {/* A password manager stores the token under this name. */}
          <input name="username" autocomplete="username" value="operator" readOnly hidden />
          <Field
            name="token"
            label="Operator token"
            type="password"
            autocomplete="current-password"
            required
          />
        </Form>
        <p class="quiet">
          The token is <code>OPERATOR_TOKEN</code>. If you did not set it, the service printed a
          link that signs in when it started.
        </p>
      </div>
    </main>
  );
}
