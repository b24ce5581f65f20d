import { useEffect, useState } from 'preact/hooks';
import type { ApiError } from './api.ts';
import { now, useNow } from './clock.tsx';
import { Field } from './field.tsx';
import { Brand } from './marks.tsx';

interface SignInProps {
  readonly error: ApiError | undefined;
  readonly notice: string | undefined;
  readonly onSignIn: (token: string) => Promise<void>;
}

export function SignInPage({ error, notice, onSignIn }: SignInProps) {
  const [isBusy, setBusy] = useState(false);
  const secondsLeft = useSecondsLeft(error);

  useEffect(() => {
    document.title = 'Sign in · Animal Store console';
  }, []);

  const submit = async (form: HTMLFormElement) => {
    setBusy(true);
    await onSignIn(String(new FormData(form).get('token')).trim());
    setBusy(false);
  };

  return (
    <main class="alone">
      <div class="sign-in">
        <Brand />
        <h1>Sign in</h1>
        {notice && error === undefined && <p class="quiet">{notice}</p>}
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
            aria-describedby="sign-in-error"
          />
          <p id="sign-in-error" class="form-error" role="alert" hidden={error === undefined}>
            {messageFor(error, secondsLeft)}
          </p>
          <button type="submit" disabled={isBusy || secondsLeft > 0}>
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

function messageFor(error: ApiError | undefined, secondsLeft: number): string {
  if (error?.status === 401) return 'This token is wrong. Check it and try again.';
  if (error?.status !== 429) return error?.message ?? '';
  return secondsLeft > 0
    ? `Too many attempts. Wait ${secondsLeft} s, then try again.`
    : 'You can try again now.';
}

/** Counts down the seconds that a 429 asks for. */
function useSecondsLeft(error: ApiError | undefined): number {
  const [until, setUntil] = useState(0);
  const nowMs = useNow(500);
  useEffect(() => {
    setUntil(error?.status === 429 ? now() + (error.retryAfterSeconds || 60) * 1000 : 0);
  }, [error]);
  return Math.max(0, Math.round((until - nowMs) / 1000));
}
