import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Field, Form, notify } from './dialog.tsx';
import { Brand } from './marks.tsx';
import { takeToken } from './route.ts';
import {
  connection,
  type RequestError,
  request,
  SessionContext,
  type SessionFacts,
} from './service.ts';
import { Shell } from './shell.tsx';

interface State {
  /** Undefined unless the operator is signed in. */
  readonly session?: SessionFacts | undefined;
  /** The reason why the operator is not signed in, if there is something to say. */
  readonly reason?: string;
}

function App() {
  /** Undefined until the service has responded. */
  const [state, setState] = useState<State>();

  const load = (reason = '') =>
    request<SessionFacts>('GET', 'session').then(
      (session) => setState({ session, reason }),
      ({ status, message }: RequestError) =>
        setState({ reason: reason || (status === 401 ? '' : message) }),
    );

  /** Signs in with the token of a link, if the address has one. */
  const followLink = () => {
    const token = takeToken();
    if (token === undefined) return false;
    request('POST', 'session', { token }).then(
      () => load(),
      (error: Error) => load(error.message),
    );
    return true;
  };

  const signOut = () =>
    request('DELETE', 'session').then(
      () => setState({}),
      (error: Error) => notify(`You are still signed in. ${error.message}`),
    );

  useEffect(() => {
    // The token of the link may be wrong while an earlier session is still valid.
    if (state?.session && state.reason) notify(state.reason);
  }, [state]);

  useEffect(() => {
    if (!followLink()) load();
    // The listeners stay for as long as the page is open.
    window.addEventListener('hashchange', followLink);
    connection.addEventListener('signed-out', () =>
      setState({ reason: 'Your session has ended.' }),
    );
  }, []);

  if (state === undefined) return null;
  if (state.session === undefined)
    return <SignInPage reason={state.reason} onSignedIn={() => load()} />;
  return (
    <SessionContext.Provider value={state.session}>
      <Shell onSignOut={signOut} />
    </SessionContext.Provider>
  );
}

interface SignInProps {
  /** The reason why the operator is not signed in. */
  readonly reason: string | undefined;
  readonly onSignedIn: () => void;
}

function SignInPage({ reason, onSignedIn }: SignInProps) {
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
          The command <code>animal-store operators create NAME</code> prints a token. You can also
          use <code>OPERATOR_TOKEN</code> or, if it is not set, the link that the service printed
          when it started.
        </p>
      </div>
    </main>
  );
}

render(<App />, document.getElementById('app') as HTMLElement);
