import { render } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { connection, request, type Session, SessionContext } from './api.ts';
import { notify } from './dialog.tsx';
import { takeToken } from './route.ts';
import { Shell } from './shell.tsx';
import { SignInPage } from './sign-in-page.tsx';

interface State {
  /** Undefined unless the operator is signed in. */
  readonly session?: Session | undefined;
  /** Why the operator is not signed in, if there is something to say. */
  readonly reason?: string;
}

function App() {
  /** Undefined until the service has responded. */
  const [state, setState] = useState<State>();

  const load = useCallback(async (reason = '') => {
    const session = await request<Session>('GET', 'session').catch(() => undefined);
    setState({ session, reason });
  }, []);

  const signIn = useCallback(
    (token: string) =>
      request('POST', 'session', { token }).then(
        () => load(),
        (error: Error) => load(error.message),
      ),
    [load],
  );

  const signOut = useCallback(
    () =>
      request('DELETE', 'session').then(
        () => setState({}),
        (error: Error) => notify(`You are still signed in. ${error.message}`),
      ),
    [],
  );

  useEffect(() => {
    // An earlier session is still good, also after a wrong token.
    if (state?.session && state.reason) notify(state.reason);
  }, [state]);

  useEffect(() => {
    const followLink = () => {
      const token = takeToken();
      if (token !== undefined) signIn(token);
      return token !== undefined;
    };
    if (!followLink()) load();
    // For as long as the page is open.
    connection.addEventListener('signed-out', () =>
      setState({ reason: 'Your session has ended.' }),
    );
    window.addEventListener('hashchange', followLink);
  }, [load, signIn]);

  if (state === undefined) return null;
  if (state.session === undefined) return <SignInPage reason={state.reason} onSignIn={signIn} />;
  return (
    <SessionContext.Provider value={state.session}>
      <Shell onSignOut={signOut} />
    </SessionContext.Provider>
  );
}

const place = document.getElementById('app');
if (place !== null) render(<App />, place);
