import { render } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, connection, request, type Session, SessionContext } from './api.ts';
import { notify } from './dialog.tsx';
import { takeToken } from './route.ts';
import { Shell } from './shell.tsx';
import { SignInPage } from './sign-in-page.tsx';

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
      else if (!isSignedIn.current) setState({ error: error.message });
    }
  }, []);

  const signIn = useCallback(
    async (token: string) => {
      const signingIn = request<undefined>('POST', 'session', { token });
      const error = await signingIn.catch((error: Error) => error);
      if (error === undefined) tabs.postMessage('signed in');
      // An earlier session is still good, also after a wrong token.
      await load();
      if (error !== undefined) setState((before) => ({ ...before, error: error.message }));
    },
    [load],
  );

  const signOut = useCallback(async () => {
    const error = await request<undefined>('DELETE', 'session').catch((error: Error) => error);
    if (error !== undefined) return notify(`You are still signed in. ${error.message}`);
    tabs.postMessage('signed out');
    setState({ notice: 'You are signed out.' });
  }, []);

  useEffect(() => {
    if (state?.session && state.error) notify(state.error);
  }, [state]);

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

const place = document.getElementById('app');
if (place !== null) render(<App />, place);
