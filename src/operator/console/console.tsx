import { render } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, connection, request, type Session, SessionContext } from './api.ts';
import { Field } from './dialog.tsx';
import { Brand } from './marks.tsx';
import { takeToken } from './route.ts';
import { Shell } from './shell.tsx';

/** Tells the other tabs, which share the session, that it began or ended. */
const tabs = new BroadcastChannel('session');

const ENDED = 'Your session has ended.';

interface State {
  /** Undefined unless the operator is signed in. */
  readonly session?: Session;
  readonly error?: string;
  readonly notice?: string;
}

function App() {
  /** Undefined until the service has responded. */
  const [state, setState] = useState<State>();
  const isSignedIn = useRef(false);
  isSignedIn.current = state?.session !== undefined;

  const load = useCallback(async () => {
    try {
      setState({ session: await request<Session>('GET', 'session') });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 401) setState({ notice: isSignedIn.current ? ENDED : '' });
      // Otherwise the page that is open says that the connection is lost.
      else if (error.status === 429 || !isSignedIn.current) setState({ error: error.message });
    }
  }, []);

  const signIn = useCallback(
    async (token: string) => {
      try {
        await request('POST', 'session', { token });
        tabs.postMessage('signed in');
        await load();
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        setState({ error: error.message });
      }
    },
    [load],
  );

  const signOut = useCallback(async () => {
    await request('DELETE', 'session').catch(() => undefined);
    tabs.postMessage('signed out');
    setState({ notice: 'You are signed out.' });
  }, []);

  useEffect(() => {
    const expire = () => setState({ notice: ENDED });
    const followLink = () => {
      const token = takeToken();
      if (token !== undefined) signIn(token);
      return token !== undefined;
    };
    if (!followLink()) load();
    // For as long as the page is open.
    connection.addEventListener('signed-out', expire);
    connection.addEventListener('recovered', load);
    tabs.addEventListener('message', load);
    window.addEventListener('hashchange', followLink);
  }, [load, signIn]);

  if (state === undefined) return null;
  if (state.session === undefined) {
    return <SignInPage error={state.error} notice={state.notice} onSignIn={signIn} />;
  }
  return (
    <SessionContext.Provider value={state.session}>
      <Shell onSignOut={signOut} />
    </SessionContext.Provider>
  );
}

interface SignInProps {
  readonly error: string | undefined;
  readonly notice: string | undefined;
  readonly onSignIn: (token: string) => Promise<void>;
}

function SignInPage({ error, notice, onSignIn }: SignInProps) {
  const [isBusy, setBusy] = useState(false);

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
            {error}
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

const place = document.getElementById('app');
if (place !== null) render(<App />, place);
